"""API keys as operators make and revoke them and as programs call by them, and requests that come again."""

import base64
import json
import re
import subprocess
import tempfile

from support import Server, ServiceTestCase, run

NUMBER = {"phone_number": "010-1234-5678"}
KEYS = {"SERVER_INSECURE_NO_KEYS": None}


class Keys(ServiceTestCase):
    def keys(self, *arguments, code=0):
        exit_code, out, err = self.run_program("keys", *arguments)
        self.assertEqual(exit_code, code, err)
        return out, err

    def make(self, *arguments):
        out, err = self.keys("create", *arguments)
        self.assertRegex(out, r"^pk_[0-9a-f]{32}_[A-Za-z0-9_-]{43}\n$")
        self.assertNotIn(out.strip(), err)
        return re.search(r"(?m)^Created (key_[0-9a-f]{32}) for ", err).group(1), out.strip()

    def server(self, **settings):
        return self.serve(**{**KEYS, **settings})

    def test_a_key_is_made_shown_once_used_and_revoked_under_a_running_service(self):
        server = self.server()
        client = server.client
        self.assertIn("there is no API key yet", server.log_text)
        refused = client.call("POST", "/v1/verifications", NUMBER)
        self.assertEqual((refused.status, refused.json["code"]), (401, "unauthorized"))
        self.assertEqual(refused.headers["WWW-Authenticate"], 'Bearer realm="phoneproof"')
        self.assertIn("phoneproof keys create", refused.json["detail"])

        id, secret = self.make("--name", "shop")
        begun = client.call("POST", "/v1/verifications", NUMBER, token=secret)
        self.assertEqual(begun.status, 201)
        table, _ = self.keys("list")
        self.assertRegex(table, rf"(?m)^{id} +shop +verifications +\S+Z +\S+Z +active +- +-$")
        self.assertNotIn(secret[-43:], table)

        out, _ = self.keys("revoke", id)
        self.assertEqual(out, f"Revoked {id} of shop.\n")
        after = client.call("GET", begun.headers["Location"], token=secret)
        self.assertEqual(after.status, 401)
        self.assertEqual(after.headers["WWW-Authenticate"], 'Bearer realm="phoneproof", error="invalid_token"')
        out, _ = self.keys("revoke", id)
        self.assertRegex(out, rf"^{id} of shop was already revoked at \S+Z\.\n$")

        # Another of the same name goes on where the first one was.
        _, next_secret = self.make("--name", "shop")
        self.assertEqual(client.call("GET", begun.headers["Location"], token=next_secret).status, 200)
        self.assertEqual(server.stop(), 0)
        self.assertNotIn(secret[-43:], server.log_text)
        self.assertNotIn(next_secret[-43:], server.log_text)

    def test_a_key_of_another_database_is_hinted_at_in_the_log(self):
        server = self.server()
        with tempfile.TemporaryDirectory() as folder:
            made = run("keys", "create", "--name", "shop", folder=folder)[1].strip()
            client = run(
                "clients", "create", "--name", "Shop", "--redirect-uri", "https://shop.example/", folder=folder
            )[1].split()
        form = {"Content-Type": "application/x-www-form-urlencoded"}

        def basic(pair):
            return {"Authorization": "Basic " + base64.b64encode(":".join(pair).encode()).decode()}

        for path, body, headers in [
            ("/v1/verifications", NUMBER, {"Authorization": f"Bearer {made}"}),
            ("/oauth2/token", "grant_type=refresh_token&refresh_token=x", {**form, **basic(client)}),
        ]:
            before = server.log_text.count("is in another database")
            self.assertEqual(server.client.call("POST", path, body, **headers).status, 401)
            self.assertEqual(server.log_text.count("is in another database"), before + 1, path)
        # Whoever sends nothing has no wrong key, and a person's expired session is none.
        for headers in [{}, {"Authorization": "Bearer x"}]:
            server.client.call("GET", "/v1/accounts/me", **headers)
        self.assertEqual(server.log_text.count("is in another database"), 2)

    def test_no_secret_is_in_the_database(self):
        _, secret = self.make("--name", "shop", "--scope", "verifications", "--scope", "admin")
        dump = subprocess.run(["grep", "-rlaF", secret[-43:], self.folder], capture_output=True, text=True)
        self.assertEqual(dump.stdout, "")

    def test_what_is_wrong_is_said(self):
        for arguments, code, words in [
            (["create"], 64, "--name"),
            (["create", "--name", "a shop"], 64, "a shop"),
            (["create", "--name", "shop", "--scope", "all"], 64, "verifications"),
            (["revoke", "pk_1"], 64, "pk_1"),
        ]:
            _, err = self.keys(*arguments, code=code)
            self.assertIn(words, err)
        self.make("--name", "shop")
        _, err = self.keys("revoke", "key_" + "0" * 32, code=1)
        self.assertIn("keys list", err)
        code, _, err = self.run_program("keys", "create", "--name", "shop", DATABASE_URL="sqlite::memory:")
        self.assertEqual(code, 78, err)

    def test_without_keys_it_says_so_loudly_and_only_the_machine_itself_is_served(self):
        with Server(self.folder, command=("serve", "--insecure-no-keys"), **KEYS, LOG_LEVEL="critical") as server:
            self.assertIn("INSECURE", server.log_text)
            self.assertEqual(server.client.call("POST", "/v1/verifications", NUMBER).status, 201)
            path = "/v1/verifications"
            for headers in [{"X-Forwarded-For": "203.0.113.7"}, {"Host": "evil.example"}, {"Origin": "https://evil.example"}]:
                self.assertEqual(server.client.call("POST", path, NUMBER, **headers).status, 401, headers)
        for settings, words in [
            ({"SERVER_HOST": "0.0.0.0", "SMS_GATEWAY": "console"}, "keys create"),
            ({"PROFILE": "production", "SMS_GATEWAY": "console"}, "production"),
        ]:
            for command in [("serve", "--insecure-no-keys"), ("serve",)]:
                insecure = None if "--insecure-no-keys" in command else "true"
                code, _, err = self.run_program(
                    *command, **{**settings, "SERVER_INSECURE_NO_KEYS": insecure, "SERVER_PORT": 0}
                )
                self.assertEqual(code, 78, err)
                self.assertIn(words, err)
        with tempfile.TemporaryDirectory() as folder, Server(folder, **KEYS) as server:
            self.assertNotIn("INSECURE", server.log_text)


class ComingAgain(ServiceTestCase):
    def post(self, server, key, body=NUMBER, path="/v1/verifications"):
        return server.client.call("POST", path, body, **{"Idempotency-Key": f'"{key}"'})

    def test_a_request_is_done_once_over_restarts_and_kill(self):
        with Server(self.folder) as server:
            first = self.post(server, "a")
            self.assertEqual(first.status, 201)
            server.client.code("+821012345678")
            server.kill()
        with Server(self.folder) as server:
            again = self.post(server, "a")
            self.assertEqual((again.status, again.text), (201, first.text))
            self.assertEqual(again.headers["Idempotent-Replayed"], "true")
            self.assertEqual(again.headers["Location"], first.headers["Location"])
            # The stub is new, and has had nothing.
            self.assertEqual(server.sent(), [])
            self.assertEqual(self.post(server, "a", {"phone_number": "010-8765-4321"}).json["code"], "idempotency_conflict")
            self.assertEqual(server.stop(), 0)

    def test_no_code_and_no_secret_of_a_check_is_kept_in_clear_or_as_a_plain_digest(self):
        import hashlib

        with Server(self.folder) as server:
            begun = self.post(server, "a")
            path = begun.headers["Location"] + "/checks"
            code = server.client.code("+821012345678")
            body = json.dumps({"code": code})
            self.assertEqual(self.post(server, "b", body, path).status, 200)
            self.assertEqual(server.stop(), 0)
        plain = hashlib.sha256(f"POST {path}\n{body}".encode()).hexdigest()
        for text in (plain, plain[:32], body):
            found = subprocess.run(["grep", "-rlaF", text, self.folder], capture_output=True, text=True)
            self.assertEqual([name for name in found.stdout.split() if not name.endswith("/log")], [], text)
