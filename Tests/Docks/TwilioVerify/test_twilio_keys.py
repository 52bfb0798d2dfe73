"""Keys of Twilio Verify's programs, as operators make and revoke them."""

import base64
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "EndToEnd"))
from support import MODULES, PROGRAM, ServiceTestCase, run, sql  # noqa: E402

KEYS = {"SERVER_INSECURE_NO_KEYS": None}
CREATE = ("keys", "create", "--twilio", "--name", "shop")


class TwilioKeys(ServiceTestCase):
    def run_well(self, *arguments, code=0):
        exit_code, out, err = self.run_program(*arguments)
        self.assertEqual(exit_code, code, err)
        return out, err

    def keys(self, *arguments):
        return self.run_well("keys", *arguments)

    def create(self, *arguments, code=0):
        return self.run_well(*CREATE, *arguments, code=code)

    def server(self):
        return self.serve(**KEYS)

    def test_check_config_says_which_keys_it_takes(self):
        out = self.run_program("check-config")[1]
        self.assertIn(f"verify    /v2 of Twilio Verify, with keys of `{PROGRAM} twilio create-key`\n", out)
        self.assertIn("verify    off\n", self.run_program("check-config", TWILIO_VERIFY_ENABLED="false")[1])

    def test_a_key_of_another_database_is_hinted_at_in_the_log(self):
        server = self.server()
        with tempfile.TemporaryDirectory() as folder:
            pair = ":".join(run(*CREATE, folder=folder)[1].split())
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        for basic, count in [(None, 0), (base64.b64encode(pair.encode()).decode(), 1)]:
            if basic:
                headers["Authorization"] = "Basic " + basic
            self.assertEqual(server.client.call("POST", "/v2/Services", "FriendlyName=Acme", **headers).status, 401)
            self.assertEqual(server.log_text.count("is in another database"), count)

    def test_the_core_has_no_word_of_it(self):
        """So that what is here can be deleted."""
        for folder in [
            "PhoneDomain", "PhoneAccounts", "PhoneAdministration", "PhoneNumbers", "PhoneViewModel", "PhoneStore", "PhoneCLI",
        ]:
            for path in MODULES[folder].rglob("*.swift"):
                self.assertNotRegex(path.read_text().lower(), "tenant|twilio", path)

    def test_a_channel_of_the_service_is_one_of_its_channels(self):
        server = self.serve(**KEYS, SMS_STUB_SERVES="sms,viber")
        pair = ":".join(self.create()[0].split())
        headers = {
            "Content-Type": "application/x-www-form-urlencoded", "Authorization": "Basic " + base64.b64encode(pair.encode()).decode(),
        }
        path = "/v2/Services/" + server.client.call("POST", "/v2/Services", "FriendlyName=Acme", **headers).json["sid"]

        def begin(channel):
            answer = server.client.call("POST", path + "/Verifications", f"To=%2B821012345678&Channel={channel}", **headers)
            return answer.status, answer.json.get("channel") or answer.json.get("code")

        refused = {channel: begin(channel) for channel in ("pigeon", "rcs", "inbound", "whatsapp")}
        self.assertEqual(refused, {"pigeon": (400, 60200), "rcs": (400, 60200), "inbound": (400, 60200), "whatsapp": (403, 60223)})
        self.assertEqual(begin("viber"), (201, "viber"))
        attempts = server.client.call("GET", "/v2/Attempts?Channel=viber", **headers).json["attempts"]
        self.assertEqual([attempt["channel"] for attempt in attempts], ["viber"])

    def make_twilio(self, *arguments):
        out, err = self.create(*arguments)
        self.assertRegex(out, r"^(AC|SK)[0-9a-f]{32}\n[0-9a-f]{32}\n$")
        sid, secret = out.split()
        self.assertIn(sid, err)
        self.assertNotIn(secret, err)
        return sid, secret, err

    def tenant(self, account):
        """A service of an account, as the service itself keeps one."""
        id = "1" * 32
        sql(
            self.folder,
            f"INSERT INTO tenant VALUES (decode('{id}', 'hex'), decode('{account[2:]}', 'hex'), 'Shop', 6, 0, NULL, '', 0, 0)",
        )
        return "VA" + id

    def test_keys_of_twilios_programs_make_an_account_and_share_it(self):
        account, token, err = self.make_twilio()
        self.assertTrue(account.startswith("AC"))
        self.assertIn("for all services of the new account", err)
        self.assertIn("auth token", err)
        second, secret, err = self.make_twilio("--account", account)
        self.assertTrue(second.startswith("SK"))
        self.assertIn(f"for all services of account {account}", err)
        service = self.tenant(account)
        narrow, _, err = self.make_twilio("--service", service)
        self.assertIn(f"for service {service} of account {account}", err)
        self.assertEqual(self.make_twilio("--account", account, "--service", service)[0][:2], "SK")
        other, _, _ = self.make_twilio()
        self.assertNotEqual(other, account)

        listed = {key["id"]: key["audience"] for key in json.loads(self.keys("list", "--json")[0])["items"]}
        self.assertEqual(len(listed), 5)
        for sid, audience in [(account, account), (second, account), (narrow, f"{account}/{service}")]:
            self.assertEqual(listed["key_" + sid[2:]], audience)
        for text in (token, secret):
            found = subprocess.run(["grep", "-rlaF", text, self.folder], capture_output=True, text=True)
            self.assertEqual(found.stdout, "")

        # Neither opens the service's own interface.
        client = self.server().client
        for text in (token, secret, account, f"pk_{account[2:]}_{token}"):
            self.assertEqual(client.call("POST", "/v1/verifications", {"phone_number": "010-1234-5678"}, token=text).status, 401)

        for sid in (second, account):
            id = "key_" + sid[2:]
            self.assertEqual(self.keys("revoke", id)[0], f"Revoked {id} of shop.\n")
        # The account is there without the key that made it.
        self.assertEqual(self.make_twilio("--account", account)[0][:2], "SK")

    def test_what_is_wrong_of_a_twilio_key_is_said(self):
        account, _, _ = self.make_twilio()
        other, _, _ = self.make_twilio()
        service = self.tenant(account)
        for arguments, code, words in [
            (["--account", "AC" + "0" * 32], 1, "AC00000000000000000000000000000000 not found"),
            (["--service", "VA" + "0" * 32], 1, "service VA00000000000000000000000000000000 not found"),
            (["--account", other, "--service", service], 1, f"service {service} not found in account {other}"),
            (["--account", account.upper()], 64, "--account"),
            (["--account", "SK" + account[2:]], 64, "--account"),
            (["--service", account], 64, "--service"),
            (["--scope", "admin"], 64, "--scope"),
            (["--name", "a shop"], 64, "a shop"),
        ]:
            out, err = self.create(*arguments, code=code)
            self.assertEqual(out, "")
            self.assertIn(words, err)
