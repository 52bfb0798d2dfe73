"""People who have several tabs, go back, reload, or press a button twice, in a browser without JavaScript."""

import concurrent.futures
import copy
import urllib.parse

from browser import Browser
from relying_party import ISSUER, NUMBER, OpenIDTestCase, parameters
from support import other_than, sql, wait_for

E164 = "+821012345678"
OTHER, OTHER_E164 = "010-8765-4321", "+821087654321"
SIGN_IN, CODE, SIGNED_IN = "Sign in with your phone number", "Enter the code", "You're signed in"
SIGNED_OUT = "You're signed out"


class OpenIDTabsTests(OpenIDTestCase):
    def restart(self, **settings):
        self.server.close()
        self.server = self.serve(TOKENS_ISSUER=ISSUER, **settings)
        self.browser.port = self.server.port

    def code(self):
        return self.server.client.code(E164)

    def wrong_code(self):
        return other_than(self.code())

    def messages(self):
        return len(self.server.sent())

    def signups(self):
        return sql(self.folder, "SELECT count(*) FROM signup")

    def assert_signed_in(self, client, url, number=E164):
        self.assertIsInstance(url, str, getattr(url, "said", ""))
        answer = parameters(url)
        self.assertEqual(answer["state"], client["name"])
        self.assertEqual(self.user(self.exchange(client, answer["code"]).json).json["phone_number"], number)

    def follow(self, page, link=0):
        return self.browser.open(urllib.parse.urljoin(page.url, page.links[link]))

    def assert_asked(self, page, masked):
        """Gives the page on which nobody goes on as another person unknowingly."""
        self.assertNotIsInstance(page, str)
        self.assertEqual((page.status, page.heading), (409, SIGNED_IN))
        self.assertIn(f"Signed in as {masked} . Continue Use another number", page.said)
        return page

    def named(self, name):
        return {**self.client(name=name), "name": name}

    def tab(self, client, **changes):
        return self.ask(client, state=client["name"], **changes)

    # Two tabs

    def test_a_second_tab_goes_on_to_its_client_without_another_code(self):
        shop, wiki = self.named("Shop"), self.named("Wiki")
        tabs = {step: self.tab(wiki) for step in ("number", "reload", "code")}
        first = self.browser.submit(self.tab(shop), phone_text=NUMBER)
        tabs["code"] = self.browser.open(tabs["code"].url)
        self.assertEqual(tabs["code"].heading, CODE)
        code = self.code()
        self.assert_signed_in(shop, self.browser.submit(first, code_text=code))
        self.assert_signed_in(wiki, self.browser.submit(tabs["number"], phone_text=NUMBER))
        asked = self.assert_asked(self.browser.submit(tabs["number"], phone_text=OTHER), "010-****-5678")
        self.assert_signed_in(wiki, self.follow(asked))
        self.assert_signed_in(wiki, self.browser.open(tabs["reload"].url))
        self.assert_signed_in(wiki, self.browser.submit(tabs["code"], code_text=code))
        self.assert_signed_in(wiki, self.browser.submit(tabs["code"], 1))
        # Back to the first.
        self.assert_signed_in(shop, self.browser.submit(first, code_text=self.wrong_code()))
        self.assert_signed_in(shop, self.browser.open(first.url))
        self.assertEqual(self.messages(), 1)

    def test_who_has_signed_in_with_another_number_since_is_asked(self):
        self.restart(VERIFICATION_RESEND_COOLDOWNS_SECONDS=0)
        shop, wiki = self.named("Shop"), self.named("Wiki")
        number, code = self.tab(wiki), self.browser.submit(self.tab(shop), phone_text=NUMBER)
        other = self.browser.sign_in(self.follow(code), self.server.client, OTHER)
        self.assert_signed_in(shop, other, OTHER_E164)
        for client, page, form, fields in (
            (wiki, number, 0, {"phone_text": NUMBER}), (shop, code, 0, {"code_text": self.code()}), (shop, code, 1, {}),
        ):
            with self.subTest(fields):
                asked = self.assert_asked(self.browser.submit(page, form, **fields), "010-****-4321")
                self.assert_signed_in(client, self.follow(asked), OTHER_E164)
        self.assertEqual(self.messages(), 2)
        # Another number, of whose signup nothing is left.
        page = self.browser.submit(self.follow(asked, 1), phone_text=NUMBER)
        self.assertEqual(page.heading, CODE)
        sql(self.folder, "DELETE FROM signup")
        for form in (0, 1):
            asked = self.assert_asked(self.browser.submit(page, form, code_text=self.code()), "010-****-4321")
        page = self.follow(asked, 1)
        self.assertEqual(page.heading, SIGN_IN)
        self.assert_signed_in(shop, self.browser.sign_in(page, self.server.client, NUMBER))

    def test_a_decision_is_about_the_number_of_its_page(self):
        self.restart(ACCOUNTS_RECYCLING="ask")
        for number in (NUMBER, OTHER):
            browser = Browser(self.server, ISSUER)
            browser.sign_in(browser.open(ISSUER + "/signup"), self.server.client, number)
        sql(self.folder, "UPDATE account SET last_active_at = last_active_at - 8640000000")
        first = self.browser.sign_in(self.browser.open(ISSUER + "/signup"), self.server.client, NUMBER)
        second = self.browser.sign_in(self.follow(first), self.server.client, OTHER)
        code = {"code_text": self.server.client.code(OTHER_E164)}
        stale = self.browser.submit(first, **code)
        self.assert_refused(stale)
        self.assertEqual(sql(self.folder, "SELECT count(*) FROM account"), [("2",)])
        self.assertEqual(self.browser.submit(second, **code).heading, SIGNED_IN)

    def test_a_code_can_be_entered_in_either_tab(self):
        shop, wiki = self.named("Shop"), self.named("Wiki")
        first, second = self.tab(shop), self.tab(wiki)
        first = self.browser.submit(first, phone_text=NUMBER)
        second = self.browser.submit(second, phone_text=NUMBER)
        self.assertEqual((first.heading, second.status, second.heading), (CODE, 200, CODE))
        self.assert_signed_in(wiki, self.browser.submit(second, code_text=self.code()))
        self.assert_signed_in(shop, self.browser.submit(first, code_text=self.code()))
        self.assertEqual((self.messages(), self.signups()), (1, [("1",)]))

    def test_a_client_that_wants_a_new_proof_gets_one_in_a_second_tab_too(self):
        shop, wiki = self.named("Shop"), self.named("Wiki")
        second = self.tab(wiki, prompt="login")
        self.browser.sign_in(self.tab(shop), self.server.client, NUMBER)
        page = self.browser.submit(second, phone_text=NUMBER)
        self.assert_refused(page)
        self.assertIn("you signed in or out in another tab", page.said)
        page = self.follow(page)
        self.assertEqual((page.status, page.heading), (200, SIGN_IN))

    def test_two_tabs_without_a_client(self):
        first, second = self.browser.open(ISSUER + "/signup"), self.browser.open(ISSUER + "/signup")
        first = self.browser.submit(first, phone_text=NUMBER)
        third = self.browser.open(ISSUER + "/signup")
        code = self.code()
        self.assertEqual(self.browser.submit(first, code_text=code).heading, SIGNED_IN)
        typed = {"code_text": code}
        for page, fields in ((second, {"phone_text": NUMBER}), (third, typed), (first, typed)):
            page = self.browser.submit(page, **fields)
            self.assertEqual((page.status, page.heading), (200, SIGNED_IN))
        self.assertEqual(self.messages(), 1)

    def test_another_number_in_another_tab(self):
        page = self.browser.submit(self.browser.open(ISSUER + "/signup"), phone_text=NUMBER)
        change = self.follow(page)
        self.assertIn("010-8765-4321", self.browser.submit(change, phone_text=OTHER).said)
        # The first tab is of the same sign-in, and says so.
        again = self.browser.open(page.url)
        self.assertIn("010-8765-4321", again.said)
        self.assertEqual(self.signups(), [("1",)])

    def test_a_sign_in_keeps_its_signup_in_another_country(self):
        self.restart(VERIFICATION_ALLOWED_REGIONS="KR,FR")
        page = self.browser.submit(self.browser.open(ISSUER + "/signup"), phone_text=NUMBER, region="KR")
        cookies = dict(self.browser.cookies)
        change = self.follow(page)
        for _ in range(2):
            changed = self.browser.submit(change, phone_text="06 12 34 56 78", region="FR")
            self.assertEqual((changed.status, changed.heading), (200, CODE))
            self.assertIn("06 12 34 56 78", changed.said)
        self.assertEqual((self.browser.cookies, self.signups(), self.messages()), (cookies, [("1",)], 2))
        code = self.server.client.code("+33612345678")
        # The first page is about another number, for which this is no code.
        stale = self.browser.submit(page, code_text=code)
        self.assert_refused(stale)
        self.assertIn("You've continued in another tab or window.", stale.said)
        page = self.follow(stale)
        self.assertIn("06 12 34 56 78", page.said)
        self.assertEqual(self.browser.submit(page, code_text=code).heading, SIGNED_IN)

    # A form that is sent twice

    def test_a_number_that_is_submitted_twice_shows_the_code_page(self):
        client = self.client()
        page = self.ask(client)
        # Each with the cookies that the browser had when the page was shown.
        browsers = [copy.copy(self.browser) for _ in range(8)]
        for browser in browsers:
            browser.cookies = dict(self.browser.cookies)
        with concurrent.futures.ThreadPoolExecutor(len(browsers)) as pool:
            shown = list(pool.map(lambda browser: browser.submit(page, phone_text=NUMBER), browsers))
        self.assertEqual({(page.status, page.heading) for page in shown}, {(200, CODE)})
        self.assertTrue(all("Didn't get a code?" in page.said for page in shown))
        self.assertEqual((self.messages(), self.signups()), (1, [("1",)]))
        self.assertEqual({browser.cookies["__Host-phoneproof_signup"] for browser in browsers},
                         {self.browser.cookies["__Host-phoneproof_signup"]})
        again = self.browser.submit(page, phone_text=NUMBER)
        self.assertEqual((again.status, again.heading), (200, CODE))
        self.assertNotIn('aria-invalid="true"', again.text)
        self.assertIn("code", parameters(self.browser.submit(again, code_text=self.code())))

    def test_a_code_that_cannot_be_sent_again_can_be_entered(self):
        self.restart(VERIFICATION_RESEND_COOLDOWNS_SECONDS="2", LIMITS_ADDRESS_SENDS="1/1h")
        page = self.browser.submit(self.browser.open(ISSUER + "/signup"), phone_text=NUMBER)
        soon = self.browser.submit(page, 1)
        self.assertEqual((soon.status, soon.heading), (429, CODE))
        self.assertIn("We just sent you a code. You can request another one in", soon.said)
        self.assertNotIn('aria-invalid="true"', soon.text)

        def limited(submit):
            def probe():
                page = submit()
                return page if "Too many requests. Try again in" in page.said else None

            page = wait_for(probe, "the end of the cooldown")
            self.assertEqual((page.status, page.heading), (429, CODE))
            self.assertNotIn('aria-invalid="true"', page.text)
            return page

        limited(lambda: self.browser.submit(page, 1))
        change = self.follow(page)
        shown = limited(lambda: self.browser.submit(change, phone_text=NUMBER))
        # Another number has to wait.
        other = self.browser.submit(change, phone_text=OTHER)
        self.assertEqual((other.status, other.heading), (429, "Too many attempts"))
        self.browser.submit(change, phone_text=NUMBER)
        self.assertEqual(self.browser.submit(shown, code_text=self.code()).heading, SIGNED_IN)
        self.assertEqual(self.messages(), 1)

    # What ended meanwhile

    def test_a_page_says_that_the_person_has_signed_out_in_another_tab(self):
        page = self.browser.sign_in(self.browser.open(ISSUER + "/signup"), self.server.client, NUMBER)
        for _ in range(2):
            out = self.browser.submit(page)
            self.assertEqual((out.status, out.heading), (200, SIGNED_OUT))
        # Another sign-in since is asked about.
        self.browser.sign_in(self.browser.open(ISSUER + "/signup"), self.server.client, OTHER)
        asked = self.browser.submit(page)
        self.assertEqual((asked.status, asked.heading), (200, "Sign out?"))
        self.assertIn("010-****-4321", asked.said)
        self.assertEqual(self.browser.submit(asked).heading, SIGNED_OUT)

    def test_who_was_signed_out_elsewhere_signs_in_again(self):
        shop, wiki = self.named("Shop"), self.named("Wiki")
        second = self.tab(wiki)
        self.browser.sign_in(self.tab(shop), self.server.client, NUMBER)
        sql(self.folder, "DELETE FROM session")
        page = self.browser.submit(second, phone_text=NUMBER)
        self.assert_refused(page)
        self.assertIn("you signed in or out in another tab", page.said)
        self.assertEqual(self.browser.open(ISSUER + "/signup").heading, SIGN_IN)

    def test_a_page_says_why_it_is_of_no_use(self):
        page = self.browser.open(ISSUER + "/signup")
        reasons = {
            "or your browser blocks cookies": ({}, {}),
            "This form came from another website": (dict(self.browser.cookies), {"Sec-Fetch-Site": "cross-site"}),
        }
        other = Browser(self.server, ISSUER)
        other.open(ISSUER + "/signup")
        reasons["You've continued in another tab or window."] = (other.cookies, {})
        for reason, (cookies, headers) in reasons.items():
            with self.subTest(reason):
                self.browser.cookies, self.browser.headers = dict(cookies), headers
                refused = self.browser.submit(page, phone_text=NUMBER)
                self.assert_refused(refused)
                self.assertIn(reason, refused.said)
        self.assertEqual((self.messages(), self.signups()), (0, [("0",)]))

    def test_nobody_chooses_the_id_of_a_signup(self):
        page = self.browser.open(ISSUER + "/signup")
        name = "__Host-phoneproof_signup"
        id, token = self.browser.cookies[name].split(".")
        planted = f"{id[:-1]}{'0' if id[-1] != '0' else '1'}.{token}"
        self.browser.cookies[name] = planted
        page = self.browser.open(ISSUER + "/signup")
        self.assertNotEqual(self.browser.cookies[name], planted)
        self.assertEqual(self.browser.submit(page, phone_text=NUMBER).heading, CODE)
        self.assertEqual(sql(self.folder, "SELECT 'sgn_' || encode(id, 'hex') FROM signup"),
                         [(self.browser.cookies[name].split(".")[0],)])
