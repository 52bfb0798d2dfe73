"""The operator's view of limits and guard, while the service runs."""

import json

from support import ServiceTestCase, other_than, run, wait_for

NUMBER = "+821012345678"


class GuardTests(ServiceTestCase):
    def start(self, **settings):
        """A service, whose settings the commands have as well."""
        self.settings = {"GUARD_PREFIX_SAMPLE": 5, **settings}
        return self.serve()

    def command(self, *arguments, code=0):
        actual, out, err = self.run_program(*arguments)
        self.assertEqual(actual, code, err)
        if code:
            self.assertEqual((out, len(err.splitlines())), ("", 1), err)
        return out or err

    def begin(self, server, number):
        return server.client.begin(f"010{number:08}")

    def pump(self, server, count=5):
        self.assertEqual([self.begin(server, 12340000 + n).status for n in range(count)], [201] * count)

    def test_the_prompt_solves_the_challenge_by_itself(self):
        server = self.start(CHALLENGE_EASIEST=1000)
        self.pump(server)
        self.assertEqual(self.begin(server, 12345678).status, 428)
        path, token = server.client.begin_signup()
        refused = server.client.call("POST", f"{path}/send", {"phone_text": NUMBER}, token)
        self.assertEqual(refused.json["code"], "challenge_required", refused.json)
        for place in [("--server", server.url), ()]:
            arguments = ("signup", "--locale", "en", *place)
            _, out, err = self.run_program(*arguments, stdin=f"{NUMBER}\n", VERIFICATION_RESEND_COOLDOWNS_SECONDS=0)
            self.assertIn("Code sent to", out + err)
        self.assertEqual(len(server.sent(NUMBER)), 1)

    def test_a_suppressed_send_is_listed_explained_and_overruled(self):
        server = self.start()
        self.pump(server)
        self.assertEqual(self.begin(server, 12345678).status, 428)

        shown = json.loads(self.command("guard", "list", "--json"))
        self.assertEqual(
            shown["items"][0],
            {"numbers": "+82101234", "state": "challenged", "until": None, "sent": 5, "approved": 0, "suppressed": 1},
        )
        self.assertEqual(
            self.command("guard", "list").splitlines(),
            [
                "Last 24 h: 5 messages, 0 approved (0%), 1 suppressed. Guard: enforce.",
                "",
                "PREFIX     STATE       UNTIL  SENT  APPROVED  SUPPRESSED",
                "+82101234  challenged  -      5     0 (0%)    1",
                "",
                "1 more with fewer than 5 messages (countries: 500); show them with --all.",
            ],
        )
        self.assertRegex(self.command("guard", "list", "--all"), r"\nKR +ok +- +5 +0 \(0%\) +1")
        for numbers in ["010-1234-5678", NUMBER, "+82101234"]:
            text = self.command("guard", "explain", numbers)
            self.assertIn("is sent only if the client vouches for the person or solves a challenge", text)
            self.assertIn("5 messages, 0 approved (0%) in 24 h", text)
            self.assertIn("hold_back", text)
            self.assertIn("challenge prefix_conversion_pending", text)
            self.assertNotIn("12345678", text.replace("-", ""))

        self.assertIn("Added rule: allow +82101234 until 20", self.command("guard", "allow", "+82101234", "--for", "2h"))
        self.assertEqual(self.begin(server, 12345678).status, 201)
        self.assertIn("safe_listed", self.command("audit", "--number", NUMBER))
        self.command("guard", "block", "+821012345")
        self.assertEqual(self.begin(server, 12345000).json["violated_policies"], ["guard-block"])
        self.assertEqual(len(json.loads(self.command("guard", "rules", "--json"))["items"]), 2)

        self.assertIn("Removed rule: block +821012345.", self.command("guard", "unblock", "+821012345"))
        self.assertIn("no rule for +821012345", self.command("guard", "unblock", "+821012345", code=1))
        self.command("guard", "unblock", "+82101234")
        self.assertEqual(self.begin(server, 12345001).status, 428)

    def test_the_mode_is_set_over_the_setting_and_levels_are_compared(self):
        self.settings = {"GUARD_PREFIX_SAMPLE": 5, "LIMITS_PREFIX_SENDS": "100000/1h"}
        self.command("migrate")
        self.assertEqual(self.command("guard", "mode"), "Guard: enforce.\n")
        self.assertEqual(self.command("guard", "mode", "shadow"), "Guard: shadow. guard.mode is enforce.\n")
        self.assertIn("is shadow already", self.command("guard", "mode", "shadow", code=1))
        server = self.serve()
        self.pump(server, 20)
        self.assertIn("Guard: shadow.", self.command("guard", "list"))
        levels = json.loads(self.command("guard", "what-if", "--json"))["what_if"]
        self.assertEqual(
            [(level["by"], level["level"], level["requested"], level["suppressed"]) for level in levels],
            [("prefix", None, 20, 15), ("prefix", "basic", 20, 0), ("prefix", "standard", 20, 0), ("prefix", "max", 20, 10),
             *(("country", level, 20, 0) for level in (None, "basic", "standard", "max"))],
        )
        self.assertEqual(self.command("guard", "mode", "settings"), "Guard: enforce.\n")
        numbers = iter(range(12345000, 12346000))
        wait_for(lambda: self.begin(server, next(numbers)).status == 428, "the mode of the settings")

    def test_a_network_that_types_no_code_is_listed_and_opened(self):
        server = self.start(LIMITS_ADDRESS_SENDS="100/1h")

        def ask(n, network=1):
            address = {"client_address": f"2001:db8:{network}:{n:x}00::1"}
            return server.client.begin(f"010{20000000 + 10000 * n}", more=address)

        self.assertEqual([ask(n).status for n in range(10)], [201] * 10)
        self.assertEqual(ask(20).json["code"], "challenge_required")
        self.assertEqual(ask(20, network=2).status, 201)
        self.assertEqual(
            json.loads(self.command("guard", "list", "--json"))["items"][0],
            {"numbers": "2001:db8:1::/48", "state": "challenged", "until": None, "sent": 10, "approved": 0, "suppressed": 1},
        )
        text = self.command("guard", "explain", NUMBER, "--from", "2001:db8:1:ff::7")
        self.assertIn("Network 2001:db8:1::/48: 10 messages, 0 approved (0%) in 24 h.", text)
        self.assertIn("  phoneproof guard unblock 2001:db8:1::/48", text)
        self.assertEqual(self.command("guard", "unblock", "2001:db8:1:ff::7"), "Unblocked 2001:db8:1::/48.\n")
        self.assertIn("nothing is known of 203.0.113.7", self.command("guard", "unblock", "203.0.113.7", code=1))
        self.assertEqual(ask(21).status, 201)

    def test_a_limit_in_use_is_shown_and_cleared(self):
        # Over a time so long that nothing comes back meanwhile.
        over_a_month = {"LIMITS_COUNTRY_SENDS": "5000/31d", "LIMITS_SERVICE_SENDS": "10000/31d"}
        server = self.start(LIMITS_PREFIX_SENDS="3/1h", LIMITS_DAILY_BUDGET=100, **over_a_month)
        self.pump(server, 3)
        self.assertEqual(self.begin(server, 12345678).json["violated_policies"], ["prefix-sends-1h"])
        shown = json.loads(self.command("limits", "list", "--json"))
        self.assertEqual((shown["sent_last_day"], shown["daily_budget"]), (3, 100))
        self.assertEqual(
            {(entry["limit"], entry["used"], entry["quota"]) for entry in shown["items"]},
            {("prefix-sends-1h +82101234", 3, 3), ("country-sends-31d KR", 3, 5000), ("service-sends-31d", 3, 10000)},
        )
        head, _, titles, row, _, note = self.command("limits", "list").splitlines()
        self.assertEqual(head, "Messages in the last 24 hours: 3/100")
        self.assertEqual(titles.split(), ["LIMIT", "USED", "RESET"])
        self.assertRegex(row, r"^prefix-sends-1h \+82101234 +3/3 +20")
        self.assertEqual(note, "2 less than half used; show them with --all.")
        self.assertEqual(len(self.command("limits", "list", "--all").splitlines()), 6)
        self.command("limits", "clear", "prefix-sends-1h", "+82101234")
        self.assertEqual(self.begin(server, 12345678).status, 201)
        self.assertIn("limits list", self.command("limits", "clear", "prefix-sends-1h +99", code=1))

    def test_a_closed_number_is_shown_masked_and_opened(self):
        server = self.start(VERIFICATION_MAX_CONSECUTIVE_FAILURES=2)
        begun = self.begin(server, 12345678).json["id"]
        code = server.client.code(NUMBER)
        wrong = other_than(code)
        check = lambda given: server.client.check(begun, given)
        self.assertEqual([check(wrong).status for _ in range(2)], [422, 422])
        self.assertEqual(check(code).json["violated_policies"], ["number-failures"])
        text = self.command("limits", "list")
        self.assertIn("+82 10-****-5678", text)
        self.assertIn("number-failures", text)
        self.assertNotIn("12345678", text.replace("-", ""))
        self.command("limits", "clear", "010-1234-5678")
        self.assertEqual(check(code).status, 200)
        self.assertIn("nothing to clear for +82 10-****-0000", self.command("limits", "clear", "010-9999-0000", code=1))

    def test_wrong_usage_is_said_in_one_line(self):
        self.start()
        for arguments in [("allow", "8210"), ("block", "+82x"), ("unblock", "+"), ("unblock", "10.0.0.0/8"), ("block", "+82", "--for", "soon")]:
            code, out, _ = self.run_program("guard", *arguments)
            self.assertEqual((code, out), (64, ""), arguments)
        self.assertIn("no phone number", self.command("guard", "explain", "hello", code=1))
        self.assertIn("no database", run("guard", "list", DATABASE_URL="sqlite:nowhere.sqlite")[2])
