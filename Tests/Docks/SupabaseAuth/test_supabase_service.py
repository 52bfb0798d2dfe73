"""The phone part of Supabase Auth's interface in a whole service: on or off, and what comes before its routes."""

import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TESTS / "EndToEnd"), str(TESTS / "Browser")]
from chromium import Site, chromium  # noqa: E402
from support import MODULES, ServiceTestCase  # noqa: E402

KEY = "sb_publishable_test"
ON = {"SUPABASE_ENABLED": "true", "SUPABASE_API_KEYS": KEY}
HEADERS = {"apikey": KEY, "X-Supabase-Api-Version": "2024-01-01"}


class SupabaseService(ServiceTestCase):
    def test_it_is_off_unless_it_is_set_and_does_not_start_without_a_key(self):
        self.assertEqual(self.serve().client.call("GET", "/auth/v1/health").status, 404)
        code, _, err = self.run_program("serve", SUPABASE_ENABLED="true")
        self.assertEqual(code, 78)
        self.assertIn("supabase.enabled is true, which needs supabase.api_keys", err)

    def test_check_config_says_that_its_keys_are_no_secrets(self):
        self.assertIn("supabase  off\n", self.run_program("check-config")[1])
        self.assertIn("supabase  /auth/v1, for apps with 1 key, which are no secrets\n", self.run_program("check-config", **ON)[1])

    def test_a_body_that_is_too_large_gets_an_error_of_its_own_form(self):
        client = self.serve(**ON).client
        answer = client.call("POST", "/auth/v1/otp", {"phone": "+821012345678", "data": {"a": "x" * 100_000}}, **HEADERS)
        self.assertEqual((answer.status, answer.json["code"]), (413, "validation_failed"))
        self.assertEqual(client.call("GET", "/auth/v1/settings", **HEADERS).json["external"]["phone"], True)

    def test_a_page_of_an_allowed_site_signs_somebody_up_in_a_browser(self):
        """With the fields that supabase-js sends, and those that it reads; a site that is not allowed reads nothing."""
        site = self.enter(Site())
        site.pages["/"] = "<h1>A shop</h1>"
        origin = f"http://shop.example:{site.port}"
        server = self.serve(**ON, SERVER_CORS_ORIGINS=origin)
        browser = chromium(arguments=["--host-resolver-rules=MAP *.example 127.0.0.1"])
        self.addCleanup(browser.quit)
        browser.set_script_timeout(30)

        def call(path, body):
            return browser.execute_async_script("""
                const [url, key, body, done] = arguments
                const headers = { apikey: key, authorization: `Bearer ${key}`, "content-type": "application/json;charset=UTF-8",
                  "x-client-info": "supabase-js-web/2.0.0", "x-supabase-api-version": "2024-01-01" }
                fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
                  .then(async answer => done([answer.status, await answer.json(), answer.headers.get("x-supabase-api-version")]))
                  .catch(error => done([String(error)]))
            """, f"{server.url}/auth/v1/{path}", KEY, body)

        browser.get(origin)
        self.assertEqual(call("otp", {"phone": "+821012345678", "channel": "sms"})[:2], [200, {}])
        wrong = call("verify", {"phone": "+821012345678", "token": "x", "type": "sms"})
        self.assertEqual((wrong[0], wrong[1]["code"], wrong[2]), (403, "otp_expired", "2024-01-01"))
        signed_in = call("verify", {"phone": "+821012345678", "token": server.client.code("+821012345678"), "type": "sms"})
        self.assertEqual((signed_in[0], signed_in[1]["user"]["phone"]), (200, "821012345678"))
        browser.get(f"http://stranger.example:{site.port}")
        self.assertEqual(call("otp", {"phone": "+821012345679"}), ["TypeError: Failed to fetch"])

    def test_the_core_has_no_word_of_it(self):
        """So that what is here can be deleted."""
        for folder in [
            "PhoneDomain", "PhoneAccounts", "PhoneAdministration", "PhoneHTTP", "PhoneService", "PhoneStore", "OpenSSLCrypto",
        ]:
            for path in MODULES[folder].rglob("*.swift"):
                self.assertNotIn("supabase", path.read_text().lower(), path)
