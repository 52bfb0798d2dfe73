"""A program of the operator's is asked before each message, and what it says counts."""

import threading

from peer import Receiver
from support import ServiceTestCase, solve, wait_for

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
NUMBER, OTHER = "+821012345678", "+821012349999"


def says(decision, **more):
    return lambda _: (200, {"decision": decision, **more})


class BeforeSendTests(ServiceTestCase):
    services = 0

    def asked(self, answer, **settings):
        self.hook = self.enter(Receiver(SECRET, answer))
        self.services += 1
        self.settings = {"DATABASE_URL": f"sqlite:{self.folder}/{self.services}.sqlite"}
        always = {"HOOKS_BEFORE_SEND_URL": self.hook.hooks, "HOOKS_BEFORE_SEND_SECRETS": SECRET, "CHALLENGE_EASIEST": 1000}
        self.server = self.serve(**{**always, **settings})
        return self.server

    def begin(self, number=NUMBER, **more):
        begun = self.server.client.begin(number, more=more)
        return begun.status, begun.json.get("code", begun.json.get("status"))

    def test_it_gets_what_is_known_and_no_whole_number_unless_that_is_set(self):
        self.asked(says("allow"), HOOKS_BEFORE_SEND_NUMBER="masked")
        self.assertEqual(self.begin(client_address="203.0.113.7", reference="order-4711", tags={"a": "b"}), (201, "pending"))
        told, = self.hook.requests
        self.assertEqual((self.hook.wrong, told.type), ([], "send.requested"))
        self.assertEqual(
            told.json["data"],
            {
                "phone_number": "+82101234****", "prefix": "+82101234", "region": "KR", "kind": "mobile", "channel": "sms",
                "gateways": ["stub"], "price": None, "client_address": "203.0.113.7", "is_repeated": False, "is_vouched": False,
                "has_proof": False, "reference": "order-4711", "tags": {"a": "b"},
                "last_day": {
                    "prefix": {"sent": 0, "approved": 0}, "country": {"sent": 0, "approved": 0},
                    "network": {"sent": 0, "approved": 0},
                },
                "guard": {"verdict": "allow", "reasons": ["sample_small"]},
            },
        )
        self.assertNotIn("5678", told.body)
        self.asked(says("allow"), HOOKS_BEFORE_SEND_NUMBER="whole")
        self.assertEqual(self.begin(), (201, "pending"))
        self.assertEqual(self.hook.requests[0].json["data"]["phone_number"], NUMBER)

    def test_what_it_denies_is_not_sent(self):
        self.asked(says("deny", reason="on our list, 010-1234-5678"))
        self.assertEqual(self.begin(), (403, "send_denied"))
        self.assertEqual(self.server.sent(NUMBER), [])
        self.assertEqual(self.server.stop(), 0)
        self.assertIn("on our list, ###-####-####", self.server.log_text)
        code, out, _ = self.run_program("audit", "--number", NUMBER)
        self.assertEqual(code, 0)
        self.assertIn("hook_denied", out)

    def test_it_can_ask_for_a_challenge_and_vouch(self):
        self.asked(says("challenge"))
        refused = self.server.client.begin(NUMBER)
        self.assertEqual((refused.status, refused.json["code"]), (428, "challenge_required"))
        self.assertEqual(self.begin(proof=solve(refused.json["challenge"])), (201, "pending"))
        self.asked(says("vouch"), GUARD_PREFIX_SAMPLE=5)
        self.assertEqual([self.begin(f"0101234000{n}")[0] for n in range(7)], [201] * 7)
        self.assertEqual(self.hook.requests[-1].json["data"]["guard"]["verdict"], "challenge")

    def test_without_a_decision_the_setting_decides(self):
        answers = [500, (200, "no JSON"), (200, {"decision": "perhaps"}), (302, "", {"Location": "/"}), "cut", "hang"]
        for setting, expected in (("allow", (201, "pending")), ("deny", (403, "send_denied"))):
            pending = list(answers)
            self.asked(
                lambda _: pending.pop(0), HOOKS_BEFORE_SEND_ON_FAILURE=setting, HOOKS_BEFORE_SEND_TIMEOUT_MILLISECONDS=500
            )
            for n in range(len(answers)):
                self.assertEqual(self.begin(f"010{1234 + n}0000"), expected, answers[n])
            self.assertEqual(pending, [])

    def test_a_hook_that_hangs_holds_up_nobody_else(self):
        self.asked("hang", HOOKS_BEFORE_SEND_TIMEOUT_MILLISECONDS=10_000)
        self.hook.answer = lambda _: "hang"
        waiting = [threading.Thread(target=self.begin, args=(f"010{12340000 + 10000 * n}",)) for n in range(20)]
        for thread in waiting:
            thread.start()
        wait_for(lambda: len(self.hook.requests) == 20, "the last question")
        self.assertEqual(self.server.client.call("GET", "/health/ready").status, 200)
        # As many as wait are asked about at once, and others are served: a number is checked, a signup begins.
        self.assertTrue(all(thread.is_alive() for thread in waiting))
        self.assertEqual(self.server.client.call("POST", "/v1/signups", {}).status, 201)
        self.hook.over.set()
        for thread in waiting:
            thread.join()

    def test_it_needs_a_secret(self):
        text = self.refused(78, "serve", "--port", "0", HOOKS_BEFORE_SEND_URL="https://app.example.com/hook")
        self.assertIn("hooks.before_send", text)
