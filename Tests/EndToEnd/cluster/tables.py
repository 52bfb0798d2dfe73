"""What is in the database in the end."""

import dataclasses
import json
import re


@dataclasses.dataclass
class Tables:
    """Rows as dictionaries; those of the audit trail in the order in which they were written."""

    verifications: list
    accounts: list
    messages: list
    audit: list
    signups: list
    activities: list
    meters: list

    QUERIES = {
        "verifications": "SELECT id, e164, owner, created_at, expires_at, sends_left, checks_left, status, updated_at, "
        "consumed_by FROM verification ORDER BY id",
        "accounts": "SELECT id, e164, created_at, created_by FROM account ORDER BY id",
        "messages": "SELECT id, verification_id, created_at, status, attempts, gateway_message_id, failure "
        "FROM outbox_message ORDER BY id",
        "audit": "SELECT id, at, action, owner, address, verification_id FROM audit_entry ORDER BY id",
        "signups": "SELECT id, phone_text, verification_id, is_complete FROM signup ORDER BY id",
        "activities": "SELECT e164, recent_sends, consecutive_failures FROM number_activity ORDER BY e164",
        "meters": "SELECT key, full_at FROM rate_meter ORDER BY key",
    }

    @classmethod
    def of(cls, database):
        tables = cls(**{name: database.rows(query) for name, query in cls.QUERIES.items()})
        for row in tables.activities:
            # An array of JSON in one database, numbers with spaces between in the other.
            row["recent_sends"] = [int(number) for number in re.findall(r"\d+", row["recent_sends"])]
        for row in tables.signups:
            row["is_complete"] = bool(row["is_complete"])
        return tables

    def save(self, path):
        with open(path, "w") as file:
            json.dump(dataclasses.asdict(self), file, indent=1)
