"""What happens is told to a program of the operator's: signed, at least once, and never a code."""

import json
import os
import re
import socket
import tempfile
import threading
import time
import unittest

from receiver import Receiver
from support import FULL, PROGRAM, Server, code_in, run, sql, wait_for

NUMBER = "+821012345678"
OLD = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
NEW = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
# The load is what limits are made to refuse; and what a killed service had in hand is free again after six seconds.
SETTINGS = {"WEBHOOKS_TIMEOUT_SECONDS": 1, "LIMITS_ENABLED": "false", "LOG_LEVEL": "trace"}


class WebhookTests(unittest.TestCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def receive(self, *arguments, **settings):
        receiver = Receiver(*(arguments or (OLD,)), **settings)
        self.addCleanup(receiver.close)
        return receiver

    def settings(self, receiver, **settings):
        return {**SETTINGS, "WEBHOOKS_URL": receiver.url, "WEBHOOKS_SECRETS": OLD, **settings}

    def serve(self, receiver, **settings):
        server = Server(self.folder, **self.settings(receiver, **settings))
        self.addCleanup(server.close)
        return server

    def prove(self, server, number=NUMBER):
        """A verification that was approved, or None if nobody acknowledged it."""
        begun = server.client.call("POST", "/v1/verifications", {"phone_number": number}).json
        code = server.client.code(number)
        checked = server.client.call("POST", f"/v1/verifications/{begun['id']}/checks", {"code": code})
        return checked.json if checked.status == 200 else None

    def sign_up(self, server, number=NUMBER):
        begun = server.client.call("POST", "/v1/signups", {"region": "KR"})
        path, token = begun.headers["Location"], begun.json["token"]
        server.client.call("POST", f"{path}/send", {"phone_text": number}, token)
        code = server.client.code(number)
        done = server.client.call("POST", f"{path}/sign-up", {"code_text": code}, token)
        self.assertEqual(done.status, 201)
        return done.json["account"], code

    def events(self, *arguments):
        code, out, err = run("webhooks", "list", "--json", *arguments, folder=self.folder)
        self.assertEqual((code, err), (0, ""))
        return json.loads(out)["events"]

    def test_a_signup_sends_signed_events_without_the_code(self):
        receiver = self.receive()
        other = Receiver(NEW)
        self.addCleanup(other.close)
        secrets = os.path.join(self.folder, "secrets")
        with open(secrets, "w") as file:
            file.write(f"{NEW}\n{OLD}\n")
        server = self.serve(receiver, WEBHOOKS_SECRETS=None, WEBHOOKS_SECRETS_FILE=secrets)
        account, code = self.sign_up(server)
        wait_for(lambda: len(receiver.taken) == 3, "three events")
        self.assertEqual(receiver.types(), ["account.created", "message.delivered", "verification.approved"])
        for told in receiver.all:
            self.assertEqual([told.is_signed_with(secret) for secret in (OLD, NEW)], [True, True])
            self.assertEqual(len(told.signatures), 2)
            self.assertEqual(told.headers["content-type"], "application/json")
            self.assertNotIn(".", told.id)
            self.assertEqual(sorted(told.json), ["data", "timestamp", "type"])
            self.assertEqual(told.json["data"]["phone_number"], NUMBER)
            self.assertNotIn(code, told.body.decode().replace(NUMBER, ""))
        by_type = {told.type: told.json["data"] for told in receiver.all}
        created, approved, delivered = (by_type[name] for name in receiver.types()[:1] + ["verification.approved", "message.delivered"])
        self.assertEqual((created["id"], created["national_format"]), (account["id"], "010-1234-5678"))
        self.assertEqual(created["verification_id"], approved["id"])
        self.assertEqual((approved["status"], approved["is_test"]), ("approved", False))
        self.assertEqual((delivered["status"], delivered["gateway"]), ("delivered", "stub"))
        self.assertEqual(receiver.wrong, [])
        self.assertEqual(server.stop(), 0)
        self.assertEqual(self.events(), [])
        # At the level that says the most.
        self.assertIn("An event was delivered", server.log_text)
        for secret in (NUMBER, NUMBER[1:], "01012345678", "010-1234-5678", code, OLD, NEW):
            self.assertNotIn(secret, server.log_text)

    def test_only_what_was_asked_for_is_kept(self):
        receiver = self.receive()
        server = self.serve(receiver, WEBHOOKS_EVENTS="account.created")
        self.sign_up(server)
        wait_for(lambda: receiver.taken, "an event")
        server.stop()
        self.assertEqual([told.type for told in receiver.all], ["account.created"])
        self.assertEqual(sql(self.folder, "SELECT count(*) FROM event"), [("0",)])

    def test_an_event_that_was_not_accepted_is_retried_with_the_same_id(self):
        # The waits double from five seconds, so that all of these take a minute.
        kinds = [500, "cut", "hang", (302, {"Location": "http://127.0.0.1:1/"}), 204] if FULL else [500, "cut", 204]
        answers = iter(kinds)
        receiver = self.receive(OLD, lambda told: next(answers))
        server = self.serve(receiver, WEBHOOKS_EVENTS="verification.approved")
        proven = self.prove(server)
        wait_for(lambda: len(receiver.all) == 2, "another try")
        waiting = self.events("--status", "queued")
        self.assertEqual([event["subject"] for event in waiting], [proven["id"]])
        wait_for(lambda: receiver.taken, "the last try", seconds=90)
        self.assertEqual(len(receiver.all), len(kinds))
        self.assertEqual(len({told.id for told in receiver.all}), 1)
        self.assertEqual(len({told.body for told in receiver.all}), 1)
        self.assertEqual(len({told.timestamp for told in receiver.all}), len(kinds))
        self.assertEqual(receiver.wrong, [])
        wait_for(lambda: self.events() == [], "an empty list")
        self.assertEqual(server.stop(), 0)

    def test_the_head_of_an_answer_is_all_that_is_waited_for(self):
        receiver = self.receive(OLD, lambda told: "stall")
        server = self.serve(receiver, WEBHOOKS_EVENTS="verification.approved", WEBHOOKS_TIMEOUT_SECONDS=60)
        self.prove(server)
        wait_for(lambda: receiver.all, "an event")
        wait_for(lambda: self.events() == [], "an empty list")
        self.assertEqual(len(receiver.all), 1)
        self.assertEqual(server.stop(), 0)

    def test_an_event_that_the_receiver_refuses_fails_until_an_operator_redelivers_it(self):
        gone = threading.Event()
        gone.set()
        receiver = self.receive(OLD, lambda told: 410 if gone.is_set() else 204)
        server = self.serve(receiver, WEBHOOKS_EVENTS="verification.approved")
        self.prove(server)
        event = wait_for(lambda: self.events("--status", "failed"), "an event that is set aside")[0]
        self.assertEqual(event["failure"], "the receiver wants no more (410)")
        self.assertEqual((event["type"], event["attempts"], event["next_attempt_at"]), ("verification.approved", 1, None))
        code, out, _ = run("webhooks", "list", folder=self.folder)
        head, row = out.splitlines()
        self.assertEqual((code, head.split()[:2]), (0, ["EVENT", "KIND"]))
        for text in [event["id"], "failed", "the receiver wants no more (410)"]:
            self.assertIn(text, row)
        gone.clear()
        self.assertEqual(
            run("webhooks", "retry", event["id"], folder=self.folder),
            (0, f"{event['id']} is queued; a running service tells it within seconds.\n", ""),
        )
        wait_for(lambda: receiver.taken, "the event")
        wait_for(lambda: self.events() == [], "an empty list")
        code, out, err = run("webhooks", "retry", event["id"], folder=self.folder)
        self.assertEqual((code, out, len(err.splitlines())), (1, "", 1))
        self.assertIn("is not there", err)
        self.assertEqual(run("webhooks", "retry", "msg_1", folder=self.folder)[0], 64)
        self.assertEqual(server.stop(), 0)

    def test_sigterm_waits_for_the_receiver_and_what_it_did_not_say_comes_after_the_restart(self):
        hangs = threading.Event()
        hangs.set()
        receiver = self.receive(OLD, lambda told: "hang" if hangs.is_set() else 204)
        server = self.serve(receiver, WEBHOOKS_EVENTS="verification.approved", WEBHOOKS_TIMEOUT_SECONDS=60)
        self.prove(server)
        wait_for(lambda: receiver.all, "an event")
        start = time.monotonic()
        self.assertEqual(server.stop(), 0)
        self.assertLess(time.monotonic() - start, 4)
        hangs.clear()
        self.serve(receiver, WEBHOOKS_EVENTS="verification.approved")
        wait_for(lambda: receiver.taken, "the event")
        self.assertEqual(len({told.id for told in receiver.all}), 1)

    def test_kill_9_under_load_loses_no_event(self):
        receiver = self.receive()
        # Whoever is told it while it dies has told nobody.
        quiet = threading.Event()
        receiver.answer = lambda told: "hang" if quiet.is_set() else 204
        first = self.serve(receiver, WEBHOOKS_EVENTS="verification.approved,account.created", SMS_TIMEOUT_SECONDS=1)
        lock, approved = threading.Lock(), set()
        enough = threading.Event()

        def work(worker):
            try:
                for turn in range(1, 400):
                    proven = self.prove(first, f"+82101{worker:03d}{turn:04d}")
                    if not proven:
                        continue
                    with lock:
                        approved.add(proven["id"])
                        if len(approved) >= 20:
                            quiet.set()
                        if len(approved) >= 60:
                            enough.set()
            except Exception:
                # The server is gone, maybe in the middle of an answer: what was not acknowledged does not count.
                return

        workers = [threading.Thread(target=work, args=(number,)) for number in range(1, 5)]
        for worker in workers:
            worker.start()
        self.assertTrue(enough.wait(timeout=120), "the load did not get going")
        first.kill()
        for worker in workers:
            worker.join()
        told_before = len({told.id for told in receiver.taken})
        self.assertLess(told_before, len(approved))
        quiet.clear()
        receiver.over.set()
        self.serve(receiver, WEBHOOKS_EVENTS="verification.approved,account.created", SMS_TIMEOUT_SECONDS=1)

        def missing():
            with receiver.lock:
                return approved - {told.json["data"]["id"] for told in receiver.taken}

        wait_for(lambda: not missing(), "every event", seconds=60)
        self.assertEqual(receiver.wrong, [])

    def test_an_erased_number_sends_no_events(self):
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            port = closed.getsockname()[1]
        # Nobody is there to be told.
        down = {"WEBHOOKS_URL": f"http://127.0.0.1:{port}/hooks?from=phoneproof", "WEBHOOKS_SECRETS": OLD, **SETTINGS}
        with Server(self.folder, **down) as server:
            account, _ = self.sign_up(server)
            other = self.prove(server, "+821087654321")
            wait_for(lambda: len(self.events()) == 5, "five events")
            code, _, err = run("erase", NUMBER, "--yes", folder=self.folder)
            self.assertEqual(code, 0, err)
            left = self.events()
            self.assertEqual({event["type"] for event in left}, {"message.delivered", "verification.approved"})
            self.assertEqual(server.stop(), 0)
        rows = sql(self.folder, "SELECT * FROM event")
        self.assertEqual(len(rows), 2)
        self.assertNotIn(account["id"], repr(rows))
        receiver = self.receive(OLD, port=port)
        self.serve(receiver)
        wait_for(lambda: len(receiver.taken) == 2, "the other's events")
        self.assertEqual({told.json["data"]["phone_number"] for told in receiver.all}, {"+821087654321"})
        self.assertIn(other["id"], {told.json["data"]["id"] for told in receiver.all})

    def send_test(self, *arguments, **settings):
        return run("webhooks", "send-test", *arguments, folder=self.folder, **settings)

    def test_an_example_is_sent_and_says_that_it_is_one(self):
        answers = iter([200, 401, 302])
        receiver = self.receive(OLD, lambda told: next(answers))
        settings = {"WEBHOOKS_URL": receiver.url, "WEBHOOKS_SECRETS": OLD}
        origin = f"http://127.0.0.1:{receiver.port}"
        code, out, err = self.send_test("--event", "guard.blocked", **settings)
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, rf"\A{re.escape(origin)} took an example of guard\.blocked: 200 in \d+ ms\n\Z")
        told = receiver.all[0]
        self.assertEqual((told.type, told.json["is_example"]), ("guard.blocked", True))
        self.assertRegex(told.id, r"\Aevt_test_[0-9a-f]{32}\Z")
        self.assertEqual(told.json["data"]["prefix"], "+82101234")
        for status in ("401", "302"):
            code, out, err = self.send_test(**settings)
            self.assertEqual((code, out, len(err.splitlines())), (1, "", 1), err)
            self.assertIn(f"answered {status}", err)
        self.assertEqual(receiver.wrong, [])
        receiver.close()
        code, out, err = self.send_test(**settings)
        self.assertEqual((code, out, len(err.splitlines())), (69, "", 1), err)
        self.assertIn("cannot be reached", err)
        self.assertNotIn("from=phoneproof", err)
        code, out, err = self.send_test()
        self.assertEqual((code, out, len(err.splitlines())), (78, "", 1), err)
        self.assertEqual(self.send_test("--event", "nothing", **settings)[0], 64)

    def test_a_receiver_that_hangs_is_given_up(self):
        receiver = self.receive(OLD, lambda told: "hang")
        code, _, err = self.send_test(
            WEBHOOKS_URL=receiver.url, WEBHOOKS_SECRETS=OLD, WEBHOOKS_TIMEOUT_SECONDS=1
        )
        self.assertEqual(code, 69)
        self.assertIn("no answer in time", err)

    def test_a_secret_is_made_and_good(self):
        receiver = None
        secrets = set()
        for _ in range(2):
            code, out, err = run("webhooks", "secret")
            self.assertEqual((code, err), (0, ""))
            self.assertRegex(out, r"\Awhsec_[A-Za-z0-9+/]{43}=\n\Z")
            secrets.add(out.strip())
        self.assertEqual(len(secrets), 2)
        secret = secrets.pop()
        receiver = self.receive(secret)
        self.assertEqual(self.send_test(WEBHOOKS_URL=receiver.url, WEBHOOKS_SECRETS=secret)[0], 0)
        self.assertEqual(receiver.wrong, [])

    def check(self, **settings):
        return run("check-config", folder=self.folder, **settings)

    def test_invalid_settings_are_reported(self):
        url = "https://app.example.com/hooks?key=s3cret"
        code, out, _ = self.check(WEBHOOKS_URL=url, WEBHOOKS_SECRETS=f"{OLD},{NEW}", WEBHOOKS_EVENTS="guard.blocked")
        self.assertEqual(code, 0)
        self.assertIn("webhooks  https://app.example.com, signed with 2 secrets: guard.blocked\n", out)
        self.assertNotIn("s3cret", out)
        for settings, expected in [
            ({"WEBHOOKS_URL": url}, "phoneproof webhooks secret"),
            ({"WEBHOOKS_URL": url, "WEBHOOKS_SECRETS": "s3cret"}, "whsec_ and 24 to 64 bytes"),
            ({"WEBHOOKS_URL": "ftp://s3cret"}, "webhooks.url is invalid"),
            ({"WEBHOOKS_EVENTS": "everything"}, "webhooks.events is 'everything'"),
            ({"WEBHOOKS_TIMEOUT_SECONDS": "0"}, "a whole number from 1 to 60"),
        ]:
            with self.subTest(settings):
                code, out, _ = self.check(**settings)
                self.assertEqual(code, 1)
                self.assertIn(expected, out)
                self.assertNotIn("s3cret", out)
        plain = {"WEBHOOKS_URL": "http://10.0.0.1/hooks", "WEBHOOKS_SECRETS": OLD}
        code, out, _ = self.check(**plain)
        self.assertEqual(code, 0)
        self.assertIn("warning   numbers can be read on their way to http://10.0.0.1 (webhooks.url)", out)
        code, out, _ = self.check(PROFILE="production", **plain)
        self.assertEqual(code, 1)
        self.assertIn("error     profile is production, and numbers can be read on their way", out)
        path = os.path.join(self.folder, "settings.yaml")
        with open(path, "w") as file:
            file.write(f"webhooks:\n  url: {url}\n  secrets: [{OLD}]\n")
        code, out, _ = run("check-config", "--config", path, folder=self.folder)
        self.assertEqual(code, 1)
        self.assertIn("webhooks.secrets is a secret", out)
        self.assertNotIn(OLD, out)


if __name__ == "__main__":
    unittest.main()
