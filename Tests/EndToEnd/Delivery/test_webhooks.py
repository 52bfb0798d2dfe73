"""An operator's program is notified of events: signed, at least once, and never with a code."""

import json
import re
import threading
import time

from peer import Receiver
from support import ServiceTestCase, beside, free_port, sql, wait_for

SEND_TEST = ("webhooks", "send-test")
NUMBER = "+821012345678"
OLD = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
NEW = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="


class WebhookTests(ServiceTestCase):
    def receive(self, *arguments, **settings):
        return self.enter(Receiver(*(arguments or (OLD,)), **settings))

    def serve_telling(self, receiver=None, **settings):
        # The load is what limits are made to refuse; what a killed service had in hand is free again after six seconds.
        always = {"WEBHOOKS_TIMEOUT_SECONDS": 1, "LIMITS_ENABLED": "false", "LOG_LEVEL": "trace", "WEBHOOKS_SECRETS": OLD}
        return self.serve(**{**always, "WEBHOOKS_URL": receiver and receiver.hooks, **settings})

    def prove(self, server, number=NUMBER):
        """A verification that was approved, or None if nobody acknowledged it."""
        begun = server.client.begin(number).json
        code = server.client.code(number)
        checked = server.client.check(begun["id"], code)
        return checked.json if checked.status == 200 else None

    def new_account(self, server, number=NUMBER):
        done = server.client.sign_up(number)
        self.assertEqual(done.status, 201)
        return done.json["account"], server.client.code(number)

    def events(self, *arguments):
        return self.listed("webhooks", "list", *arguments)["items"]

    def test_what_a_client_calls_a_verification_is_in_its_events_and_in_no_log(self):
        receiver = self.receive()
        server = self.serve_telling(receiver, WEBHOOKS_EVENTS="verification.approved,message.delivered,audit.recorded")
        words = {"reference": "order-4711-words", "tags": {"campaign": "spring-words"}}
        begun = server.client.begin(NUMBER, more=words).json
        self.assertEqual(server.client.check(begun["id"], server.client.code(NUMBER)).status, 200)
        path, token = server.client.begin_signup("010-8765-4321", **words)
        done = server.client.enter_code(path, token, server.client.code("+821087654321"))
        self.assertEqual(done.status, 201)
        self.assertEqual((done.json["reference"], done.json["tags"]), tuple(words.values()))
        wait_for(lambda: len(receiver.taken) == 9, "nine events")
        for told in receiver.requests:
            # Those of a signup are anybody's, and a receiver would take them for its own.
            is_own = begun["id"] in json.dumps(told.json) or told.type == "audit.recorded"
            expected = tuple(words.values()) if is_own else (None, None)
            self.assertEqual((told.json["data"]["reference"], told.json["data"]["tags"]), expected, told.type)
        listed = self.listed("verifications", "list", "--reference", "order-4711-words", "--tag", "campaign:spring-words")
        self.assertEqual(len(listed["items"]), 2)
        self.assertIn("campaign:spring-words", self.done("verifications", "list", "--status", "approved"))
        self.assertEqual(self.listed("verifications", "list", "--tag", "campaign:spring")["items"], [])
        key = self.make_key("admin")
        for query, requested in [("tag=campaign:spring-words", ["2"]), ("reference=order-4711-words", ["2"]), ("tag=campaign:spring", [])]:
            figures = server.client.call("GET", f"/v1/admin/figures?{query}", None, key).json["items"]
            self.assertEqual([str(each["requested"]) for each in figures], requested)
        query = "tag=campaign:spring-words&by=caller"
        callers = [each["name"] for each in server.client.call("GET", f"/v1/admin/figures?{query}", None, key).json["items"]]
        self.assertEqual(len(set(callers)), 2, callers)
        for caller, count in [(callers[0], 1), (callers[1], 1), ("caller:nobody", 0)]:
            query = f"tag=campaign:spring-words&by=region&caller={caller}"
            figures = server.client.call("GET", f"/v1/admin/figures?{query}", None, key).json["items"]
            self.assertEqual([str(each["requested"]) for each in figures], ["1"] * count)
        refused = server.client.call("GET", "/v1/admin/figures?caller=shop", None, key)
        self.assertEqual((refused.status, "caller:NAME" in refused.json["detail"]), (422, True), refused.text)
        number = server.client.begin("010-3456-7890", more={"reference": "for +82 10-8765-4321"})
        self.assertEqual((number.status, "international phone number" in number.json["detail"]), (422, True), number.text)
        metrics = server.client.call("GET", "/metrics").text
        self.assertNotIn("-words", server.log_text + metrics)

    def test_a_signup_sends_signed_events_without_the_code(self):
        receiver = self.receive()
        secrets = self.write("secrets", f"{NEW}\n{OLD}\n")
        server = self.serve_telling(receiver, WEBHOOKS_SECRETS=None, WEBHOOKS_SECRETS_FILE=secrets)
        account, code = self.new_account(server)
        wait_for(lambda: len(receiver.taken) == 3, "three events")
        self.assertEqual(receiver.types(), ["account.created", "message.delivered", "verification.approved"])
        for told in receiver.requests:
            self.assertEqual([told.is_signed_with(secret) for secret in (OLD, NEW)], [True, True])
            self.assertEqual(len(told.signatures), 2)
            self.assertEqual(told.headers["content-type"], "application/json")
            self.assertNotIn(".", told.id)
            self.assertEqual(sorted(told.json), ["data", "timestamp", "type"])
            self.assertEqual(told.json["data"]["phone_number"], NUMBER)
            self.assertNotIn(code, told.body.replace(NUMBER, ""))
        by_type = {told.type: told.json["data"] for told in receiver.requests}
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

    def test_the_audit_log_leaves_the_house_if_that_is_asked_for(self):
        """Each entry is announced in the transaction that wrote it, is what the admin API shows, and is sent at least once."""
        down = free_port()
        server = self.serve_telling(WEBHOOKS_URL=f"http://127.0.0.1:{down}/hooks", WEBHOOKS_EVENTS="audit.recorded")
        self.new_account(server)
        server.kill()
        receiver = self.receive(port=down)
        server = self.serve_telling(WEBHOOKS_URL=receiver.hooks, WEBHOOKS_EVENTS="audit.recorded")
        key = self.make_key("admin")
        account = self.listed("accounts", "list")["items"][0]["id"]
        self.assertEqual(server.client.call("POST", f"/v1/admin/accounts/{account}/suspend", {"reason": "ticket 7"}, key).status, 200)
        # A command's entry, too, where it reads the settings of the service.
        told = {"WEBHOOKS_URL": receiver.hooks, "WEBHOOKS_SECRETS": OLD, "WEBHOOKS_EVENTS": "audit.recorded"}
        self.done("accounts", "restore", account, **told)
        log = server.client.call("GET", "/v1/admin/audit?limit=100", token=key).json["items"]
        wanted = [entry for entry in log if entry["action"] != "create_key"]
        self.assertEqual([entry["action"] for entry in wanted], ["restore_account", "suspend_account", "sign_up", "approve", "begin"])
        sent = {}

        def arrived():
            for told in receiver.taken:
                sent[int(told.json["data"]["id"])] = told
            return len(sent) == len(wanted)

        wait_for(arrived, "the entries", 60)
        ids = sorted(sent, reverse=True)
        self.assertEqual([{name: value for name, value in sent[id].json["data"].items() if name != "id"} for id in ids], wanted)
        self.assertEqual({told.type for told in sent.values()}, {"audit.recorded"})
        self.assertEqual([sent[id].id for id in ids], [f"evt_audit_recorded_{id}" for id in ids])
        self.assertEqual([told for told in sent.values() if "01012345678" in told.body or "1012345678" in told.body], [])
        wait_for(lambda: self.events() == [], "the end of the events")
        # Nobody gets them unasked.
        self.assertIn("guard.blocked\n", self.done("check-config", WEBHOOKS_URL=receiver.hooks, WEBHOOKS_SECRETS=OLD))

    def test_what_a_clock_that_was_ahead_left_for_later_is_sent_and_the_log_and_the_doctor_say_so(self):
        first = self.serve_telling(None, WEBHOOKS_URL=f"http://127.0.0.1:{free_port()}/hooks", WEBHOOKS_EVENTS="account.created")
        self.new_account(first)
        wait_for(lambda: "An event will be retried" in first.log_text, "a failed attempt")
        self.assertEqual(first.stop(), 0)
        day = 86_400_000
        sql(self.folder, f"UPDATE event SET next_attempt_at = next_attempt_at + {day}")
        # The key of an entry is its moment and 20 bits.
        sql(self.folder, "INSERT INTO audit_entry (id, at, action, reasons) "
                         f"SELECT max(id) + {day} * 1048576, max(at) + {day}, 'begin', '' FROM audit_entry")
        found = self.listed("doctor")["findings"]
        self.assertTrue([one for one in found if one["subject"] == "clock" and "the audit log goes on to 20" in one["text"]], found)
        receiver = self.receive()
        server = self.serve_telling(receiver, WEBHOOKS_EVENTS="account.created")
        wait_for(lambda: receiver.taken, "the event")
        self.assertIn("the audit log goes on to 20", server.log_text)
        self.assertIn("messages or events were queued by a clock that was ahead", server.log_text)

    def test_the_head_of_an_answer_is_all_that_is_waited_for(self):
        receiver = self.receive(OLD, lambda told: "stall")
        server = self.serve_telling(receiver, WEBHOOKS_EVENTS="verification.approved", WEBHOOKS_TIMEOUT_SECONDS=60)
        self.prove(server)
        wait_for(lambda: receiver.requests, "an event")
        wait_for(lambda: self.events() == [], "an empty list")
        self.assertEqual(len(receiver.requests), 1)
        self.assertEqual(server.stop(), 0)

    def test_an_event_that_the_receiver_refuses_fails_until_an_operator_redelivers_it(self):
        gone = threading.Event()
        gone.set()
        receiver = self.receive(OLD, lambda told: 410 if gone.is_set() else 204)
        server = self.serve_telling(receiver, WEBHOOKS_EVENTS="verification.approved")
        self.prove(server)
        event = wait_for(lambda: self.events("--status", "failed"), "an event that is set aside")[0]
        self.assertEqual(event["failure"], "the receiver unsubscribed (410)")
        self.assertEqual((event["type"], event["attempts"], event["next_attempt_at"]), ("verification.approved", 1, None))
        code, out, _ = self.run_program("webhooks", "list")
        head, row = out.splitlines()
        self.assertEqual((code, head.split()[:2]), (0, ["EVENT", "STATUS"]))
        for text in [event["id"], "failed", "the receiver unsubscribed (410)"]:
            self.assertIn(text, row)
        gone.clear()
        self.assertEqual(
            self.run_program("webhooks", "retry", event["id"]),
            (0, f"Queued {event['id']}; a running service delivers it within seconds.\n", ""),
        )
        wait_for(lambda: receiver.taken, "the event")
        wait_for(lambda: self.events() == [], "an empty list")
        self.assertIn("not found", self.refused(1, "webhooks", "retry", event["id"]))
        self.assertEqual(self.run_program("webhooks", "retry", "msg_1")[0], 64)
        self.assertEqual(server.stop(), 0)

    def test_sigterm_waits_for_the_receiver_and_what_it_did_not_say_comes_after_the_restart(self):
        hangs = threading.Event()
        hangs.set()
        receiver = self.receive(OLD, lambda told: "hang" if hangs.is_set() else 204)
        server = self.serve_telling(receiver, WEBHOOKS_EVENTS="verification.approved", WEBHOOKS_TIMEOUT_SECONDS=60)
        self.prove(server)
        wait_for(lambda: receiver.requests, "an event")
        start = time.monotonic()
        self.assertEqual(server.stop(), 0)
        self.assertLess(time.monotonic() - start, 4)
        hangs.clear()
        self.serve_telling(receiver, WEBHOOKS_EVENTS="verification.approved")
        wait_for(lambda: receiver.taken, "the event")
        self.assertEqual(len({told.id for told in receiver.requests}), 1)

    def test_kill_9_under_load_loses_no_event(self):
        receiver = self.receive()
        # A receiver that dies while it is notified has acknowledged nothing.
        quiet = threading.Event()
        receiver.answer = lambda told: "hang" if quiet.is_set() else 204
        first = self.serve_telling(receiver, WEBHOOKS_EVENTS="verification.approved,account.created", SMS_TIMEOUT_SECONDS=1)
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

        with beside(work, range(1, 5)):
            self.assertTrue(enough.wait(timeout=120), "the load did not get going")
            first.kill()
        told_before = len({told.id for told in receiver.taken})
        self.assertLess(told_before, len(approved))
        quiet.clear()
        receiver.over.set()
        self.serve_telling(receiver, WEBHOOKS_EVENTS="verification.approved,account.created", SMS_TIMEOUT_SECONDS=1)

        def missing():
            with receiver.lock:
                return approved - {told.json["data"]["id"] for told in receiver.taken}

        wait_for(lambda: not missing(), "every event", seconds=60)
        self.assertEqual(receiver.wrong, [])

    def test_an_example_is_sent_and_says_that_it_is_one(self):
        answers = iter([200, 401, 302])
        receiver = self.receive(OLD, lambda told: next(answers))
        settings = {"WEBHOOKS_URL": receiver.hooks, "WEBHOOKS_SECRETS": OLD}
        out = self.done(*SEND_TEST, "--event", "guard.blocked", **settings)
        self.assertRegex(out, rf"\A{re.escape(receiver.url)} accepted a test event \(guard\.blocked\): status 200 in \d+ ms\n\Z")
        told = receiver.requests[0]
        self.assertEqual((told.type, told.json["is_example"]), ("guard.blocked", True))
        self.assertRegex(told.id, r"\Aevt_test_[0-9a-f]{32}\Z")
        self.assertEqual(told.json["data"]["prefix"], "+82101234")
        for status in ("401", "302"):
            self.assertIn(f"with status {status}", self.refused(1, *SEND_TEST, **settings))
        self.assertEqual(receiver.wrong, [])
        receiver.close()
        err = self.refused(69, *SEND_TEST, **settings)
        self.assertIn("cannot be reached", err)
        self.assertNotIn("from=phoneproof", err)
        self.refused(78, *SEND_TEST)
        self.assertEqual(self.run_program(*SEND_TEST, "--event", "nothing", **settings)[0], 64)

    def test_a_receiver_that_hangs_is_given_up(self):
        receiver = self.receive(OLD, lambda told: "hang")
        settings = {"WEBHOOKS_URL": receiver.hooks, "WEBHOOKS_SECRETS": OLD, "WEBHOOKS_TIMEOUT_SECONDS": 1}
        self.assertIn("no response in time", self.refused(69, *SEND_TEST, **settings))

    def test_a_secret_is_made_and_good(self):
        secrets = set()
        for _ in range(2):
            out = self.done("webhooks", "secret")
            self.assertRegex(out, r"\Awhsec_[A-Za-z0-9+/]{43}=\n\Z")
            secrets.add(out.strip())
        self.assertEqual(len(secrets), 2)
        secret = secrets.pop()
        receiver = self.receive(secret)
        self.assertEqual(self.run_program(*SEND_TEST, WEBHOOKS_URL=receiver.hooks, WEBHOOKS_SECRETS=secret)[0], 0)
        self.assertEqual(receiver.wrong, [])
