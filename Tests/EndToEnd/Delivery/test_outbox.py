"""The outbox as an operator sees it: what was delivered, what failed and why, and another try."""

import threading

from peer import Peer
from support import Server, ServiceTestCase, code_in, wait_for

NUMBER = "+821012345678"


class OutboxTests(ServiceTestCase):
    def verify(self, server, number=NUMBER):
        return server.client.begin(number).json

    def only(self, status):
        return wait_for(lambda: self.outbox("--status", status), f"a message that is {status}")[0]

    def test_what_the_gateway_says_later_is_shown(self):
        with Server(self.folder) as server:
            begun = self.verify(server)
            message = self.only("delivered")
            self.assertEqual(message["phone_number"], "+821012345678")
            self.assertEqual(message["verification_id"], begun["id"])
            self.assertEqual((message["gateway"], message["attempts"], message["failure"]), ("stub", 1, None))
            server.client.call("PUT", "/stub/behavior", {"mode": "fail", "error_code": 30003})
            self.verify(server, "+821087654321")
            self.assertEqual(self.only("undelivered")["failure"], "lost in transit (30003)")
            self.assertEqual([m["status"] for m in self.outbox()], ["undelivered", "delivered"])
            self.assertEqual(len(self.outbox("--limit", "1")), 1)

    def test_a_failed_message_is_shown_and_tried_again(self):
        with Server(self.folder) as server:
            server.client.call("PUT", "/stub/behavior", {"mode": "reject", "error_code": 21610})
            begun = self.verify(server)
            failed = self.only("failed")
            self.assertEqual(failed["failure"], "stub: the recipient has opted out (21610)")
            self.assertEqual(failed["verification_status"], "failed")
            out = self.done("outbox", "list")
            head, row = out.splitlines()
            self.assertEqual(head.split()[0], "MESSAGE")
            for text in [failed["id"], "+82 10-****-5678", "failed", "the recipient has opted out (21610)"]:
                self.assertIn(text, row)
            self.assertNotIn("5678", row.replace("****-5678", ""))

            server.client.call("PUT", "/stub/behavior", {"mode": "deliver"})
            out = self.done("outbox", "retry", failed["id"])
            self.assertIn(f"Queued {failed['id']}", out)
            digits = server.client.code(NUMBER)
            checked = server.client.check(begun["id"], digits)
            self.assertEqual((checked.status, checked.json["status"]), (200, "approved"))
            self.only("delivered")
            self.assertIn("has not failed", self.refused(1, "outbox", "retry", failed["id"]))

    def vendor(self, answer):
        vendor = self.enter(Peer(answer))
        return vendor, {
            "SMS_GATEWAY": "http", "SMS_HTTP_URL": f"{vendor.url}/",
            "SMS_HTTP_BODY": '{"to": "{{to}}", "text": "{{body}}", "id": "{{id}}"}', "SMS_TIMEOUT_SECONDS": 1,
        }

    def test_where_a_gateway_hangs_a_message_is_unknown_and_is_retried_by_an_operator(self):
        answers = threading.Event()
        self.addCleanup(answers.set)
        vendor, settings = self.vendor(lambda _: answers.wait(60) and (200, "{}"))
        with Server(self.folder, **settings) as server:
            begun = self.verify(server)
            unknown = self.only("unknown")
            self.assertEqual((unknown["gateway"], unknown["attempts"]), ("http", 1))
            self.assertEqual((unknown["failure"], unknown["verification_status"]), ("no response in time", "pending"))
            self.assertIn("unknown", self.run_program("outbox", "list")[1])

            answers.set()
            self.done("outbox", "retry", unknown["id"])
            self.only("sent")
            self.assertEqual(len(vendor.requests), 2)
            self.assertEqual(vendor.requests[0].body, vendor.requests[1].body)
            digits = code_in(vendor.requests[0].json["text"])
            checked = server.client.check(begun["id"], digits)
            self.assertEqual((checked.status, checked.json["status"]), (200, "approved"))

    def test_a_guided_signup_leaves_the_messages_of_the_service_alone(self):
        """The messages are owed when the service ends; a signup beside it sends its own, and no other."""
        _, settings = self.vendor(lambda _: (503, "{}"))
        with Server(self.folder, **settings) as server:
            for last in range(3):
                self.verify(server, f"+82108765432{last}")
            wait_for(lambda: all(message["attempts"] for message in self.outbox()), "the attempts")
            self.assertEqual(server.stop(), 0)
        owed = self.outbox()
        self.assertEqual([message["status"] for message in owed], ["queued"] * 3)

        code, out, err = self.run_program("signup", "--locale", "en", stdin="01012345678\n", **settings)
        self.assertIn("is your PhoneProof code", out)
        after = {message["id"]: message for message in self.outbox()}
        for message in owed:
            kept = after.pop(message["id"])
            self.assertEqual((kept["status"], kept["attempts"]), ("queued", message["attempts"]))
        self.assertEqual([(m["gateway"], m["phone_number"]) for m in after.values()], [("stub", "+821012345678")])

    def test_what_cannot_be_done_is_said_in_one_line(self):
        self.assertIn("no database", self.refused(78, "outbox", "list"))
        self.assertIn("in memory", self.refused(78, "outbox", "list", DATABASE_URL="sqlite::memory:"))
        self.run_program("migrate")
        self.assertIn("not found", self.refused(1, "outbox", "retry", "msg_" + "0" * 32))
        self.assertEqual(self.outbox(), [])
        self.assertIn("No messages.", self.run_program("outbox", "list")[1])
        for arguments in [("retry",), ("retry", "ver_" + "0" * 32), ("list", "--status", "lost"), ("list", "--limit", "0")]:
            self.assertEqual(self.run_program("outbox", *arguments)[0], 64, arguments)
