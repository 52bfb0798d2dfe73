"""The phone part of Supabase Auth's interface in a whole service: on or off, and what comes before its routes."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "EndToEnd"))
from support import ROOT, ServiceTestCase  # noqa: E402

KEY = "sb_publishable_test"
ON = {"SUPABASE_ENABLED": "true", "SUPABASE_API_KEYS": KEY}
HEADERS = {"apikey": KEY, "X-Supabase-Api-Version": "2024-01-01"}


class SupabaseService(ServiceTestCase):
    def test_it_is_off_unless_it_is_set_and_does_not_start_without_a_key(self):
        self.assertEqual(self.serve().client.call("GET", "/auth/v1/health").status, 404)
        code, _, err = self.run_program("serve", SUPABASE_ENABLED="true")
        self.assertEqual(code, 78)
        self.assertIn("supabase.enabled is true, which needs supabase.api_keys", err)

    def test_a_body_that_is_too_large_gets_an_error_of_its_own_form(self):
        client = self.serve(**ON).client
        answer = client.call("POST", "/auth/v1/otp", {"phone": "+821012345678", "data": {"a": "x" * 100_000}}, **HEADERS)
        self.assertEqual((answer.status, answer.json["code"]), (413, "validation_failed"))
        self.assertEqual(client.call("GET", "/auth/v1/settings", **HEADERS).json["external"]["phone"], True)

    def test_the_core_has_no_word_of_it(self):
        """So that what is here can be deleted."""
        for folder in ["PhoneDomain", "PhoneHTTP", "PhoneSettings", "Records", "OpenSSLCrypto", "PhoneDock"]:
            for path in (ROOT / "Sources" / folder).rglob("*.swift"):
                self.assertNotIn("supabase", path.read_text().lower(), path)
