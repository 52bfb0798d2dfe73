"""Limits, test numbers and the production profile, over the running program."""

from support import ServiceTestCase


class LimitTests(ServiceTestCase):
    def begin(self, server, number, **more):
        return server.client.begin(f"010{number:08}", more=more)

    def test_a_limit_holds_over_a_restart(self):
        settings = {"LIMITS_PREFIX_SENDS": "2/1h"}
        server = self.serve(**settings)
        self.assertEqual([self.begin(server, 12340000 + n).status for n in range(3)], [201, 201, 429])
        server.close()
        server = self.serve(**settings)
        refused = self.begin(server, 12340003)
        self.assertEqual((refused.status, refused.json["violated_policies"]), (429, ["prefix-sends-1h"]))
        self.assertEqual(refused.headers["RateLimit-Policy"], '"prefix-sends-1h";q=2;w=3600')
        self.assertIn(int(refused.headers["Retry-After"]), range(1700, 1801))
        self.assertEqual(self.begin(server, 99990000).status, 201)

    def test_limits_count_the_person_behind_a_trusted_proxy(self):
        server = self.serve(LIMITS_ADDRESS_SIGNUPS="2/1h", SERVER_TRUSTED_PROXIES="127.0.0.1")
        begin = lambda person: server.client.call("POST", "/v1/signups", {}, **{"X-Forwarded-For": person}).status
        self.assertEqual([begin("203.0.113.7") for _ in range(3)], [201, 201, 429])
        self.assertEqual(begin("203.0.113.8"), 201)
        # What the client itself wrote stands to the left of what the proxy added.
        self.assertEqual(begin("203.0.113.9, 203.0.113.7"), 429)

    def test_a_device_and_a_fingerprint_have_limits_of_their_own(self):
        server = self.serve(LIMITS_DEVICE_SENDS="2/1d", LIMITS_FINGERPRINT_SENDS="3/1d")
        browser = {"platform": "web", "user_agent": "Mozilla/5.0 (X11; Linux x86_64)", "ja4": "t13d1516h2_8daaf6152771_02713d6af862"}
        ask = lambda n, **signals: self.begin(server, 10_000 * n, signals=signals)
        self.assertEqual([ask(n, device_id="a").status for n in range(1000, 1002)], [201, 201])
        refused = ask(1002, device_id="a")
        self.assertEqual((refused.status, refused.json["violated_policies"]), (429, ["device-sends-1d"]))
        self.assertEqual(ask(1002, device_id="b").status, 201)
        self.assertEqual([ask(n, **browser).status for n in range(1003, 1006)], [201] * 3)
        refused = ask(1006, device_id="c", **browser)
        self.assertEqual((refused.status, refused.json["violated_policies"]), (429, ["fingerprint-sends-1d"]))
        self.assertEqual(ask(1006, **{**browser, "ja4": "t13d1517h2_8daaf6152771_b0da82dd1658"}).status, 201)
        self.assertEqual(ask(1007).status, 201)
        for wrong in ("x" * 3000, 7):
            refused = ask(1008, device_id=wrong)
            self.assertEqual((refused.status, refused.json["field"]), (422, "signals.device_id"), refused.text)

    def test_a_pumped_prefix_is_suppressed_and_others_are_not(self):
        server = self.serve(GUARD_PREFIX_SAMPLE=5)
        self.assertEqual([self.begin(server, 12340000 + n).status for n in range(6)], [201] * 5 + [428])
        refused = self.begin(server, 12340009)
        self.assertEqual(refused.json["challenge"]["kind"], "proof_of_work")
        without = self.serve(GUARD_PREFIX_SAMPLE=5, CHALLENGE_KIND="off")
        self.assertEqual(self.begin(without, 12340009).json["violated_policies"], ["guard-challenge"])
        self.assertEqual(self.begin(server, 12340009, vouched=True).status, 201)
        self.assertEqual(self.begin(server, 12350000).status, 201)

    def test_a_load_test_can_do_without_limits_and_guard(self):
        server = self.serve(LIMITS_ENABLED="false", LIMITS_PREFIX_SENDS="1/1h", GUARD_PREFIX_SAMPLE=5)
        self.assertEqual({self.begin(server, 12340000 + n).status for n in range(40)}, {201})

    def test_test_numbers_that_have_ended_are_reported(self):
        ended = {"TEST_NUMBERS_NUMBERS": "+821000000001=123456", "TEST_NUMBERS_UNTIL": "2020-01-01T00:00:00Z"}
        said = "the test numbers expired at 2020-01-01T00:00:00.000Z"
        self.assertIn(said, self.serve(**ended).log_text)

    def test_a_test_number_that_cannot_be_read_is_not_quoted_with_its_code(self):
        err = self.refused(78, "serve", "--port", "0", TEST_NUMBERS_NUMBERS="+821000000009=98765")
        self.assertIn("test_numbers.numbers is invalid", err)
        self.assertNotIn("98765", err)
        self.assertNotIn("1000000009", err)

    def test_production_wants_real_messages_and_no_test_numbers_by_accident(self):
        self.assertIn("no message leaves the service", self.refused(78, "serve", "--port", "0", PROFILE="production"))
        numbers = {"TEST_NUMBERS_NUMBERS": "+821000000001=123456", "TEST_NUMBERS_UNTIL": "2100-01-01T00:00:00Z"}
        code, _, err = self.run_program("serve", "--port", "0", PROFILE="production", **numbers)
        self.assertEqual(code, 78)
        self.assertIn("test_numbers.allow_in_production", err)
