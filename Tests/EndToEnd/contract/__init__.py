"""The service against its own description, by Schemathesis (scripts/test-contract)."""
