"""Many at once on one thing: the limits hold to the unit."""

import collections
import concurrent.futures

from support import ServiceTestCase, at_once, other_than


class RaceTests(ServiceTestCase):
    def setUp(self):
        super().setUp()
        self.client = self.serve().client

    def many(self, count, call):
        with concurrent.futures.ThreadPoolExecutor(max_workers=32) as pool:
            answers = list(pool.map(lambda _: call(), range(count)))
        return collections.Counter("ok" if a.status < 300 else a.json["code"] for a in answers), answers

    def begin(self):
        begun = self.client.begin("01012345678")
        return f"/v1/verifications/{begun.json['id']}/checks", self.client.code("+821012345678")

    def test_of_1000_wrong_codes_five_are_compared(self):
        path, code = self.begin()
        wrong = other_than(code)
        outcomes, _ = self.many(1000, lambda: self.client.call("POST", path, {"code": wrong}))
        self.assertEqual(outcomes, {"code_incorrect": 5, "max_checks_reached": 995})

    def test_of_100_right_codes_one_approves_and_its_caller_hears_it_again(self):
        path, code = self.begin()
        outcomes, answers = self.many(100, lambda: self.client.call("POST", path, {"code": code}))
        self.assertEqual(outcomes, {"ok": 100})
        self.assertEqual({answer.json["checks_left"] for answer in answers}, {4})

    def test_of_100_right_codes_from_100_people_one_approves(self):
        path, code = self.begin()
        numbers = iter(range(100))
        outcomes, _ = self.many(
            100, lambda: self.client.call("POST", path, {"code": code, "client_address": f"192.0.2.{next(numbers)}"})
        )
        self.assertEqual(outcomes, {"ok": 1, "verification_closed": 99})

    def test_of_100_sign_ups_one_makes_the_account(self):
        path, token = self.client.begin_signup("01012345678")
        body = {"code_text": self.client.code("+821012345678")}
        outcomes, answers = self.many(100, lambda: self.client.call("POST", f"{path}/sign-up", body, token))
        self.assertEqual(outcomes, {"ok": 100})
        account = self.client.call("GET", path, token=token).json["account"]
        self.assertEqual({a.json["account"]["id"] for a in answers}, {account["id"]})

    def test_the_token_of_a_signup_without_the_code_never_gets_its_account(self):
        for number in range(20):
            path, token = self.client.begin_signup(f"010123456{number:02}")
            right = {"code_text": self.client.code(f"+8210123456{number:02}")}
            wrong = {"code_text": other_than(right["code_text"])}
            # A wrong code stays in the field, where a call without one finds it: five such checks would be the last ones.
            bodies = [None] * 2 + [right, wrong, None]
            answers = at_once(lambda body: self.client.call("POST", f"{path}/sign-up", body, token), bodies)
            self.assertEqual([answer.status < 300 for answer in answers], [body == right for body in bodies])

    def test_a_number_is_changed_for_the_one_who_has_the_code_alone(self):
        access = self.client.sign_up("01012345678").json["tokens"]["access_token"]
        for number in range(20):
            number = f"+8210876543{number:02}"
            begun = self.client.call("POST", "/v1/accounts/me/number-changes", {"phone_number": number}, access)
            path = begun.headers["Location"] + "/checks"
            right = {"code": self.client.code(number)}
            wrong = {"code": other_than(right["code"])}
            bodies = [None] * 6 + [right, wrong] + [None] * 6
            answers = at_once(lambda body: self.client.call("POST", path, body, access), bodies)
            self.assertEqual([answer.status < 300 for answer in answers], [body == right for body in bodies])
