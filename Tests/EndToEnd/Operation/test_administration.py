"""What operators do about accounts by the command line and by /v1/admin, and what they send when they report an issue."""

import json
import os
import stat

from support import ServiceTestCase, sql, wait_for

NUMBER, OTHER = "010-1234-5678", "010-8765-4321"


class AdministrationTests(ServiceTestCase):
    settings = {"VERIFICATION_RESEND_COOLDOWNS_SECONDS": 0}

    def accounts(self, *arguments):
        return self.listed("accounts", *arguments)["items"]

    def test_the_support_desk_by_commands(self):
        server = self.serve()
        server.client.sign_up(NUMBER)
        server.client.sign_up(OTHER)
        newest, oldest = self.accounts("list")
        self.assertEqual([newest["phone_number"], oldest["phone_number"]], ["+821087654321", "+821012345678"])
        self.assertEqual(self.accounts("list", "--limit", "1"), [newest])
        self.assertEqual(self.accounts("find", NUMBER), [oldest])
        self.assertIn("no account has this number", self.refused(1, "accounts", "find", "010-9999-9999"))
        account, short = oldest["id"], "acc_" + oldest["id"][-8:]
        # By its short ID, its whole one, and its number.
        self.assertIn(f"Suspended {account}.", self.done("accounts", "suspend", short, "--reason", "ticket 7"))
        self.assertIn("is suspended already", self.refused(1, "accounts", "suspend", account))
        self.assertIsNotNone(self.listed("accounts", "show", NUMBER)["suspended_at"])
        self.assertIn("not found", self.refused(1, "accounts", "show", "acc_00000000"))
        self.assertIn(f"Restored {account}.", self.done("accounts", "restore", NUMBER))
        self.assertIn("another account has this number", self.refused(1, "accounts", "renumber", short, "--to", OTHER))
        self.assertIn("+82 10-****-7777", self.done("accounts", "renumber", short, "--to", "010-7777-7777"))
        self.assertEqual(self.accounts("find", "010-7777-7777")[0]["id"], account)
        self.assertIn("has no change of number that can still be undone", self.refused(1, "accounts", "undo-change", short))
        self.assertIn("add --yes", self.refused(64, "accounts", "delete", short))
        self.assertIn(f"Deleted {account}", self.done("accounts", "delete", short, "--yes"))
        self.assertEqual(sql(self.folder, "SELECT count(*) FROM account WHERE deletion_due_at IS NOT NULL"), [("1",)])

    def test_an_act_by_the_api_is_on_the_log_with_the_name_of_its_key(self):
        server = self.serve()
        server.client.sign_up(NUMBER)
        key = self.make_key("admin")
        found = server.client.call("GET", "/v1/admin/accounts?phone_number=%2B821012345678", token=key).json["items"]
        path = f"/v1/admin/accounts/{found[0]['id']}"
        self.assertEqual(server.client.call("POST", f"{path}/sign-out", {"reason": "lost phone"}, key).status, 200)
        self.assertEqual(server.client.call("POST", f"{path}/sign-out", {}, key).status, 422)
        last, = json.loads(self.done("audit", "--json", "--action", "sign_out"))["items"]
        self.assertEqual((last["action"], last["owner"], last["reason"]), ("sign_out", "caller:admin", "lost phone"))
        # Nobody needs a key here for other calls.
        for path, status in (("/v1/admin/accounts", 403), ("/openapi-admin.json", 200)):
            self.assertEqual(server.client.call("GET", path).status, status)

    def test_a_command_asks_a_service_as_it_asks_the_database(self):
        server = self.serve()
        server.client.sign_up(NUMBER)
        # No database is opened then.
        there = {"API_KEY": self.make_key("admin"), "DATABASE_URL": "sqlite:/nowhere/at/all"}
        for words in [("accounts", "show", NUMBER), ("audit",), ("guard", "list", "--all"), ("outbox", "list", "--json")]:
            with self.subTest(words):
                self.assertEqual(self.done(*words, "--server", server.url, **there), self.done(*words))
        pause = ("gateways", "pause", "stub", "--server", server.url)
        self.assertIn("reason is missing", self.refused(64, *pause, **there))
        self.assertEqual(self.done(*pause, "--reason", "ticket 8", **there), "Paused stub.\n")
        self.assertIn("tub is paused already", self.refused(1, *pause, "--reason", "x", **there))
        last = self.listed("audit", "--action", "pause_gateway")["items"][0]
        self.assertEqual((last["owner"], last["reason"]), ("caller:admin", "ticket 8"))
        gone = ("keys", "revoke", "key_" + "0" * 32, "--reason", "x", "--server", server.url)
        self.assertIn("not found; `keys list` shows the IDs", self.refused(1, *gone, **there))
        self.assertIn("PHONEPROOF_API_KEY", self.refused(78, "keys", "list", "--server", server.url))
        weak = {**there, "API_KEY": self.make_key()}
        self.assertIn("lacks the scope admin", self.refused(78, "keys", "list", "--server", server.url, **weak))
        self.assertEqual(self.run_program("clients", "list", "--server", server.url, **there)[2], "")
        # Another machine's address, as far as a URL shows.
        other = server.url.replace("127.0.0.1", "0.0.0.0")
        code, _, err = self.run_program("clients", "list", "--server", other, **there)
        self.assertEqual((code, err), (0, f"phoneproof: without https the API key can be read on its way to {other}\n"))
        server.stop()
        self.assertIn("cannot be reached", self.refused(69, "keys", "list", "--server", server.url, **there))

    def test_a_paused_gateway_gets_no_message_after_a_restart_and_those_that_wait_when_it_is_resumed(self):
        self.assertEqual(self.run_program("migrate")[0], 0)
        self.assertEqual(self.done("gateways", "pause", "stub", "--reason", "ticket 7"), "Paused stub.\n")
        self.assertIn("stub is paused already", self.refused(1, "gateways", "pause", "stub"))
        self.assertIn("there is no gateway x; there are stub", self.refused(1, "gateways", "pause", "x"))
        server = self.serve()
        self.assertEqual(server.client.begin(NUMBER).status, 201)
        # It was looked at, and waits again.
        wait_for(lambda: self.listed("outbox", "list")["items"][0]["attempts"] > 1, "a second look")
        self.assertEqual(server.client.messages("+821012345678"), [])
        gateway, = self.listed("gateways", "list")["items"]
        self.assertEqual((gateway["name"], gateway["messages"]), ("stub", 0))
        self.assertIsNotNone(gateway["paused_since"])
        self.assertEqual(self.done("gateways", "resume", "stub"), "Resumed stub.\n")
        wait_for(lambda: server.client.messages("+821012345678"), "the message")
        wait_for(lambda: self.listed("gateways", "list")["items"][0]["messages"], "its count")
        self.assertIn("stub is not paused", self.refused(1, "gateways", "resume", "stub"))
        self.assertRegex(self.done("gateways", "test", "stub", NUMBER), r"^stub accepted a message to \+82 10-\*{4}-5678 in \d+ ms")
        self.assertIn("test_gateway", self.done("audit", "--number", NUMBER))
        key = self.make_key("admin")
        state, = server.client.call("GET", "/v1/admin/gateways", token=key).json["items"]
        self.assertEqual(state["this_instance"], {"breaker": "closed", "requests": 1, "accepted": 1})
        tested = server.client.call("POST", "/v1/admin/gateways/stub/test", {"phone_number": NUMBER, "reason": "new"}, key)
        self.assertTrue(tested.json["accepted"], tested.json)
        self.assertEqual(sum("000000" in text for text in server.sent("+821012345678")), 1)
        health = server.client.call("GET", "/v1/admin/health", token=key).json
        self.assertEqual((health["database"]["engine"], health["database"]["schema_version"]), ("SQLite", 1))
        self.assertEqual([one["process"] for one in health["instances"]], [server.process.pid])
        self.assertEqual(health["encryption_keys"]["count"], 1)
        self.assertIn({"name": "retention", "value": "30 days, the audit log 180"}, health["settings"])

    def test_a_service_that_cannot_say_that_it_runs_serves_all_the_same(self):
        self.run_program("migrate")
        sql(self.folder, "CREATE TRIGGER full BEFORE INSERT ON instance BEGIN SELECT RAISE(ABORT, 'no space left'); END")
        server = self.serve()
        wait_for(lambda: "this instance could not be put on the list of those that run" in server.log_text, "the reason")
        self.assertEqual(server.client.begin(NUMBER).status, 201)
        self.assertIn("instances   no instance is running", self.done("doctor"))
        self.assertEqual(server.stop(), 0)

    def test_a_support_bundle_says_much_and_nothing_of_people(self):
        server = self.serve()
        server.client.sign_up(NUMBER)
        key = self.make_key()
        # One token of each kind, as a proxy in front may have logged it.
        prefixes = ("sgt_", "rt_", "cs_", "ac_", "con_", "whsec_", "Bearer ", "eyJ")
        tokens = [f"{prefix}Zm9v-YmFy_{'x' * 20}" for prefix in prefixes]
        log = f"a message to +82 10-1234-5678 at 2026-11-26T09:00:00.123Z failed\n01012345678 {key}\n"
        self.write("service.log", log + "".join(f"GET /?q={token}\n" for token in tokens))
        path = f"{self.folder}/bundle.txt"
        self.assertIn("Read it before you send it", self.done("support-bundle", path, "--log", f"{self.folder}/service.log"))
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        with open(path) as file:
            text = file.read()
        for part in ("== phoneproof 0.1.0", "== Settings ==", "== Doctor ==", "== Figures of 7 days ==\nqueued 0", "== Log ==",
                     "+** **-****-**** at 2026-11-26T09:00:00.123Z failed\n*********** pk_…"):
            self.assertIn(part, text)
        for secret in ("1234-5678", "12345678", key[3:], "Zm9v", "xxx"):
            self.assertNotIn(secret, text)
        self.assertIn("exists; add --force", self.refused(1, "support-bundle", path))
        self.done("support-bundle", path, "--force")
        self.assertIn("the database itself", self.refused(64, "support-bundle", f"{self.folder}/phoneproof.sqlite", "--force"))
