"""Many at once on one thing: the limits hold to the unit."""

import collections
import concurrent.futures
import tempfile
import unittest

from support import Server


class RaceTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.server = Server(folder.name)
        self.addCleanup(self.server.close)
        self.client = self.server.client

    def many(self, count, call):
        with concurrent.futures.ThreadPoolExecutor(max_workers=32) as pool:
            answers = list(pool.map(lambda _: call(), range(count)))
        return collections.Counter("ok" if a.status < 300 else a.json["code"] for a in answers), answers

    def begin(self):
        begun = self.client.call("POST", "/v1/verifications", {"phone_number": "01012345678"})
        return f"/v1/verifications/{begun.json['id']}/checks", self.client.code("+821012345678")

    def test_of_1000_wrong_codes_five_are_compared(self):
        path, code = self.begin()
        wrong = "000000" if code != "000000" else "000001"
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
        begun = self.client.call("POST", "/v1/signups", {"region": "KR"})
        path, token = begun.headers["Location"], begun.json["token"]
        self.client.call("POST", f"{path}/send", {"phone_text": "01012345678"}, token)
        body = {"code_text": self.client.code("+821012345678")}
        outcomes, answers = self.many(100, lambda: self.client.call("POST", f"{path}/sign-up", body, token))
        self.assertEqual(outcomes, {"ok": 100})
        account = self.client.call("GET", path, token=token).json["account"]
        self.assertEqual({a.json["account"]["id"] for a in answers}, {account["id"]})

    def test_the_token_of_a_signup_without_the_code_never_gets_its_account(self):
        for number in range(20):
            begun = self.client.call("POST", "/v1/signups", {"region": "KR"})
            path, token = begun.headers["Location"], begun.json["token"]
            self.client.call("POST", f"{path}/send", {"phone_text": f"010123456{number:02}"}, token)
            right = {"code_text": self.client.code(f"+8210123456{number:02}")}
            wrong = {"code_text": "000000" if right["code_text"] != "000000" else "000001"}
            # A wrong code stays in the field, where a call without one finds it: five such checks would be the last ones.
            bodies = [None] * 2 + [right, wrong, None]
            with concurrent.futures.ThreadPoolExecutor(max_workers=len(bodies)) as pool:
                answers = list(pool.map(lambda body: self.client.call("POST", f"{path}/sign-up", body, token), bodies))
            self.assertEqual([answer.status < 300 for answer in answers], [body == right for body in bodies])

    def test_a_number_is_changed_for_the_one_who_has_the_code_alone(self):
        begun = self.client.call("POST", "/v1/signups", {"region": "KR"})
        path, token = begun.headers["Location"], begun.json["token"]
        self.client.call("POST", f"{path}/send", {"phone_text": "01012345678"}, token)
        code = {"code_text": self.client.code("+821012345678")}
        access = self.client.call("POST", f"{path}/sign-up", code, token).json["tokens"]["access_token"]
        for number in range(20):
            number = f"+8210876543{number:02}"
            begun = self.client.call("POST", "/v1/accounts/me/number-changes", {"phone_number": number}, access)
            path = begun.headers["Location"] + "/checks"
            right = {"code": self.client.code(number)}
            wrong = {"code": "000000" if right["code"] != "000000" else "000001"}
            bodies = [None] * 6 + [right, wrong] + [None] * 6
            with concurrent.futures.ThreadPoolExecutor(max_workers=len(bodies)) as pool:
                answers = list(pool.map(lambda body: self.client.call("POST", path, body, access), bodies))
            self.assertEqual([answer.status < 300 for answer in answers], [body == right for body in bodies])


if __name__ == "__main__":
    unittest.main()
