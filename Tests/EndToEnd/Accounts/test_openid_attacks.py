"""More that an attacker tries on the sign-in for other programs; the first of it is in test_openid.py."""

import base64
import html
import json
import time
import urllib.parse

from browser import Browser
from relying_party import CALLBACK, ISSUER, NUMBER, OpenIDTestCase, parameters
from support import sql, wait_for

OTHER = "010-8765-4321"
BYE = "https://shop.example/bye"


class OpenIDAttackTests(OpenIDTestCase):
    settings = {"TOKENS_REFRESH_GRACE_SECONDS": 0}

    def session(self, browser=None):
        return (browser or self.browser).cookies.get("__Host-phoneproof_session")

    # Redirects

    def test_no_spelling_of_a_redirect_uri_passes_for_another(self):
        client = self.client(uri="https://shop.example/callback")
        for uri in (
            "https://shop.example./callback", "https://SHOP.example/callback", "https://shop.example:443/callback",
            "https://shop.example/%63allback", "https://shop.example/callback%2f..%2fadmin", "https://shop.example/x/../callback",
            "https://shop.example/callback\\@evil.example", "https://shop.example\\.evil.example/callback",
            "https://shop.example%2eevil.example/callback", "https://shop.example/callback\t", " https://shop.example/callback",
            "https://shop.example/callback\r\nLocation: https://evil.example/", "https://evil.example/?https://shop.example/callback",
            "https:/shop.example/callback", "HTTPS://shop.example/callback", "https://shop.example/callback\0",
        ):
            with self.subTest(uri):
                page = self.ask(client, redirect_uri=uri)
                self.assertEqual((page.status, page.headers["Location"]), (400, None))

    def test_no_character_passes_for_another(self):
        """Swift takes each of these for the same text."""
        uri, bye = "https://shop.example/Kiosk;a", BYE + ";K"
        client = self.client("--logout-uri", bye, uri=uri)
        app = self.client("--public", uri="http://127.0.0.1/K")
        self.verifier = "K" * 43
        code = self.sign_in(client, redirect_uri=uri)["code"]
        fields = {"client_id": client["client_id"], "post_logout_redirect_uri": bye}
        for letter, other in (("K", "\u212a"), (";", "\u037e")):
            with self.subTest(letter):
                forged = uri.replace(letter, other)
                for page in (
                    self.ask(client, redirect_uri=forged),
                    self.browser.open(f"{ISSUER}/signup?{self.query(client, redirect_uri=forged)}"),
                    self.ask(app, redirect_uri="http://127.0.0.1:5000/K".replace("K", other)),
                    self.browser.open(f"{ISSUER}/oauth2/logout?" + urllib.parse.urlencode(
                        {**fields, "post_logout_redirect_uri": bye.replace(letter, other)}
                    )),
                ):
                    self.assertEqual((page.status, page.heading), (400, "This link isn't valid"))
                self.assert_error(self.exchange(client, code, redirect_uri=forged), 400, "invalid_grant")
        wrong = {
            "code_verifier": "\u212a" + "K" * 42, "code": code.replace("K", "\u212a") + "\u0301",
            "client_secret": client["client_secret"].replace("K", "\u212a") + "\u0301",
        }
        for name, value in wrong.items():
            with self.subTest(name):
                answer = self.exchange(client, code, redirect_uri=uri, **{name: value})
                self.assertIn(answer.json["error"], ("invalid_grant", "invalid_client"))
        # Another host of the domain can set a cookie of another name, whose value must not pass for two.
        cookies = "; ".join(f"{name}={value}" for name, value in self.browser.cookies.items())
        for value, heading in (
            (cookies, "You're signed in"), ("a=b;" + cookies, "You're signed in"),
            ("a=b\u037e " + cookies, "Sign in with your phone number"),
            ("a=b\u037e" + cookies, "Sign in with your phone number"),
        ):
            with self.subTest(value[:5]):
                headers = {"Cookie": value.encode(), "Accept-Language": "en"}
                self.assertIn(f"<h1>{html.escape(heading)}</h1>".replace("&#x27;", "&#39;"), self.server.client.call("GET", "/signup", **headers).text)
        self.assertEqual(self.exchange(client, code, redirect_uri=uri).status, 200)
        asked = self.browser.open(f"{ISSUER}/oauth2/logout?{urllib.parse.urlencode(fields)}")
        self.assertEqual(asked.heading, "Sign out?")

    def test_no_request_gets_an_answer_that_is_too_long(self):
        client = self.client("--logout-uri", BYE)
        self.sign_in(client)
        # A byte becomes three where it is encoded.
        long, full = "\u00e9" * 8000, "\u00e9" * 1000
        fields = dict(urllib.parse.parse_qsl(self.query(client)))
        for path, form in (
            ("/oauth2/authorize", {**fields, "state": long}), ("/oauth2/authorize", {**fields, "other": long}),
            ("/oauth2/authorize", {**fields, long: "x"}),
            ("/oauth2/authorize", {**fields, **{f"x{n}": "y" * 10 for n in range(1000)}}),
            ("/oauth2/logout", {"client_id": client["client_id"], "post_logout_redirect_uri": BYE, "state": long}),
        ):
            status, headers, text = self.browser.request("POST", ISSUER + path, form)
            self.assertEqual((status, headers["Location"]), (400, None))
            self.assertRegex(text, "the request is longer than 8000 bytes|The form has more than 100 fields")
        for name in ("state", "other", "login_hint"):
            for path in ("/oauth2/authorize", "/oauth2/logout", "/oauth2/authorize/", "/signup/"):
                with self.subTest((name, path)):
                    status, headers, _ = self.browser.request(
                        "GET", f"{ISSUER}{path}?{self.query(client, **{name: 'x' * 15_000})}"
                    )
                    self.assertLessEqual(len(headers["Location"] or ""), 8000)
                    self.assertLess(status, 500)
        # Nobody is signed out without a page that says so.
        asked = self.browser.open(f"{ISSUER}/oauth2/logout?" + urllib.parse.urlencode(
            {"client_id": client["client_id"], "post_logout_redirect_uri": BYE, "state": "x" * 8000}
        ))
        self.assertEqual(self.browser.submit(asked).status, 400)
        # What a client may send comes back whole.
        self.assertEqual(parameters(self.ask(client, state=full))["state"], full)
        self.assertEqual(parameters(self.ask(client, state=full + "x"))["error"], "invalid_request")
        url = self.browser.open(ISSUER + "/oauth2/authorize", {**fields, "state": full})
        self.assertEqual(parameters(url)["state"], full)

    def test_nobody_is_sent_elsewhere_after_signing_out(self):
        client = self.client("--logout-uri", BYE)
        other = self.client("--logout-uri", "https://other.example/bye", name="Other")
        id = client["client_id"]
        for fields in (
            {"client_id": id, "post_logout_redirect_uri": BYE + "/x"}, {"client_id": id, "post_logout_redirect_uri": BYE + "?x"},
            {"client_id": id, "post_logout_redirect_uri": "https://shop.example.evil.example/bye"},
            {"client_id": id, "post_logout_redirect_uri": "https://shop.example@evil.example/bye"},
            {"client_id": id, "post_logout_redirect_uri": "//evil.example"}, {"post_logout_redirect_uri": BYE},
            {"client_id": id, "post_logout_redirect_uri": CALLBACK},
            {"client_id": other["client_id"], "post_logout_redirect_uri": BYE},
        ):
            with self.subTest(fields):
                page = self.browser.open(f"{ISSUER}/oauth2/logout?{urllib.parse.urlencode(fields)}")
                self.assertEqual((page.status, page.headers["Location"]), (400, None))
        fields = urllib.parse.urlencode({"client_id": id, "post_logout_redirect_uri": BYE, "state": "a\r\nb&c=d#e"})
        self.assertEqual(self.browser.open(f"{ISSUER}/oauth2/logout?{fields}"), BYE + "?state=a%0D%0Ab%26c%3Dd%23e")

    def test_a_token_that_somebody_made_up_or_of_another_person_signs_nobody_out(self):
        client = self.client()
        stranger = Browser(self.server, ISSUER)
        theirs = self.exchange(client, self.sign_in(client, stranger, OTHER)["code"]).json["id_token"]
        code = self.sign_in(client)["code"]
        own = self.exchange(client, code).json["id_token"]
        payload = own.split(".")[1]
        none = base64.urlsafe_b64encode(b'{"alg":"none"}').rstrip(b"=").decode()
        for hint in (theirs, f"{none}.{payload}.", own[:-4] + "AAAA", "x"):
            with self.subTest(hint[:20]):
                page = self.browser.open(f"{ISSUER}/oauth2/logout?id_token_hint={hint}")
                self.assertEqual(page.heading, "Sign out?")
                self.assertIn("code", parameters(self.ask(client, prompt="none")))

    def test_an_id_token_alone_ends_no_session(self):
        client = self.client("--logout-uri", BYE)
        tokens = self.exchange(client, self.sign_in(client)["code"]).json
        url = f"{ISSUER}/oauth2/logout?" + urllib.parse.urlencode(
            {"id_token_hint": tokens["id_token"], "post_logout_redirect_uri": BYE, "state": "s"}
        )
        # The sign-in of an ID token is known by its second.
        signed_in = int(time.time())
        wait_for(lambda: int(time.time()) > signed_in, "the next second")
        laptop = Browser(self.server, ISSUER)
        self.sign_in(client, laptop)
        finder = Browser(self.server, ISSUER)
        for name, browser in (("who finds it in a log", finder), ("the person's other browser", laptop)):
            with self.subTest(name):
                asked = browser.open(url)
                self.assertEqual((asked.status, asked.heading), (200, "Sign out?"))
                self.assertIn("Shop", asked.said)
                self.assertEqual(browser.open(asked.url, {"form_token": "forged"}).heading, "Sign out?")
                browser.headers = {"Sec-Fetch-Site": "cross-site"}
                self.assertEqual(browser.submit(asked).heading, "Sign out?")
                browser.headers = {}
                self.assertEqual(self.user(tokens).status, 200)
        # A browser that keeps no cookies gets a page that says so, and is not asked for ever.
        browser = Browser(self.server, ISSUER)
        asked = browser.open(url)
        browser.cookies = {}
        page = browser.submit(asked)
        self.assert_refused(page)
        self.assertIn("or your browser blocks cookies", page.said)
        self.assertEqual(browser.open(urllib.parse.urljoin(page.url, page.links[0])).heading, "Sign out?")
        self.assertEqual(self.user(tokens).status, 200)
        # The browser of that sign-in is not asked.
        self.assertEqual(self.browser.open(url), BYE + "?state=s")
        self.assertEqual(self.user(tokens).status, 401)
        self.assertEqual(parameters(self.ask(client, prompt="none"))["error"], "login_required")
        self.assertIn("code", parameters(self.ask(client, laptop, prompt="none")))
        # A person whose browser is no longer signed in is asked, and then the client's session ends.
        tokens = self.exchange(client, self.sign_in(client)["code"]).json
        self.browser.cookies = {}
        asked = self.browser.open(url.replace(parameters(url)["id_token_hint"], tokens["id_token"]))
        self.assertEqual(self.user(tokens).status, 200)
        self.assertEqual(self.browser.submit(asked), BYE + "?state=s")
        self.assertEqual(self.user(tokens).status, 401)

    def test_a_client_without_the_number_cannot_ask_for_it(self):
        client = self.client()
        self.sign_in(client)
        answers = {
            self.ask(client, scope=scope, prompt="none", login_hint=hint, **changes)
            for scope in ("openid", "openid offline_access")
            for hint in ("+821012345678", NUMBER, OTHER) for changes in ({}, {"max_age": "0"})
        }
        self.assertEqual([parameters(answer)["error"] for answer in answers], ["login_required"])
        # Nor from who is shown a page.
        for hint in ("+821012345678", NUMBER, OTHER):
            page = self.ask(client, scope="openid", login_hint=hint)
            self.assertEqual(getattr(page, "heading", page), "Sign in with your phone number")
        # Without a number to ask for, or with the right to know it, it learns what it may.
        self.assertIn("code", parameters(self.ask(client, scope="openid", login_hint="anna@shop.example")))
        self.assertIn("code", parameters(self.ask(client, login_hint=NUMBER)))
        self.assertIn("code", parameters(self.ask(client, scope="openid", prompt="none")))
        self.assertIn("code", parameters(self.ask(client, prompt="none", login_hint=NUMBER)))
        self.assertEqual(parameters(self.ask(client, prompt="none", login_hint=OTHER))["error"], "interaction_required")

    def test_no_text_of_a_request_becomes_a_header_a_parameter_or_markup(self):
        client = self.client()
        self.sign_in(client)
        for text in ("a\r\nSet-Cookie: x=1", "a&code=forged", "a#b", "%0d%0aX: y", "é\u2028", '"><script>alert(1)</script>'):
            with self.subTest(text):
                status, headers, _ = self.browser.request("GET", f"{ISSUER}/oauth2/authorize?{self.query(client, state=text)}")
                location = headers["Location"]
                self.assertEqual((status, headers.get_all("Set-Cookie"), headers["X"]), (303, None, None))
                self.assertRegex(location, r"^[!-~]+$")
                fields = urllib.parse.parse_qsl(urllib.parse.urlsplit(location).query)
                self.assertEqual([name for name, _ in fields], ["from", "code", "state", "iss"])
                self.assertEqual(dict(fields)["state"], text)
                page = self.ask(client, Browser(self.server, ISSUER), ui_locales=text, display=text, nonce=text, acr_values=text)
                self.assertEqual([tag for tag in page.tags if tag in ("b", "script")], ["script"])
                self.assertEqual(page.headers["Content-Language"], "en")
        # What the host calls itself leads nobody away.
        status, headers, _ = Browser(self.server, ISSUER).request(
            "GET", f"{ISSUER}/oauth2/authorize?{self.query(client)}", Host="evil.example"
        )
        self.assertNotIn("evil.example", headers["Location"] or "")
        for name in ("<b>Shop</b>", "Shop\r\nX: y", "https://evil.example"):
            done = self.run_program("clients", "create", "--name", name, "--redirect-uri", CALLBACK)
            self.assertEqual(done[0], 64, done)

    def test_a_parameter_that_is_there_twice_is_refused(self):
        client = self.client()
        for name, value in {
            "state": "2", "nonce": "2", "scope": "openid", "code_challenge": "A" * 43, "response_type": "code", "prompt": "none",
        }.items():
            with self.subTest(name):
                url = self.browser.open(
                    f"{ISSUER}/oauth2/authorize?{self.query(client, prompt='login')}&{urllib.parse.urlencode({name: value})}"
                )
                answer = parameters(url)
                self.assertEqual((answer["error"], answer.get("state")), ("invalid_request", None if name == "state" else "st&te"))
        twice = self.browser.open(f"{ISSUER}/oauth2/authorize?{self.query(client)}&client_id={client['client_id']}")
        self.assertEqual(twice.status, 400)
        code = self.sign_in(client)["code"]
        form = {
            "grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, "code_verifier": self.verifier,
            "client_id": client["client_id"], "client_secret": client["client_secret"],
        }
        for name in form:
            with self.subTest(name):
                self.assert_error(self.post("/oauth2/token", [*form.items(), (name, form[name])]), 400, "invalid_request")
        # Nor two ways to authenticate.
        basic = base64.b64encode(f"{client['client_id']}:{client['client_secret']}".encode()).decode()
        self.assert_error(self.post("/oauth2/token", form, Authorization=f"Basic {basic}"), 400, "invalid_request")
        self.assertEqual(self.post("/oauth2/token", form).status, 200)

    # Tokens and secrets

    def test_a_refresh_token_that_was_copied_ends_the_clients_session(self):
        client = self.client()
        first = self.exchange(client, self.sign_in(client)["code"]).json
        second = self.refresh(client, first).json
        self.assertEqual(self.user(second).status, 200)
        self.assert_error(self.refresh(client, first), 400, "invalid_grant")
        self.assert_error(self.refresh(client, second), 400, "invalid_grant")
        self.assertEqual(self.user(second).status, 401)
        # Only the client's: the person stays signed in in the browser.
        self.assertIn("code", parameters(self.ask(client, prompt="none")))

    def test_a_wrong_secret_a_wrong_client_and_none_get_one_answer(self):
        client = self.client()
        code = self.sign_in(client)["code"]
        answers = [
            self.exchange(client, code, **changes)
            for changes in (
                {"client_secret": client["client_secret"][:-1] + "_"}, {"client_secret": "x"}, {"client_secret": None},
                {"client_id": "cli_" + "0" * 32}, {"client_id": "cli_" + "0" * 32, "client_secret": None},
            )
        ]
        for answer in answers:
            self.assert_error(answer, 401, "invalid_client")
            self.assertEqual(answer.headers["WWW-Authenticate"], 'Basic realm="phoneproof"')
        self.assertEqual(len({answer.text for answer in answers}), 1)
        # A secret does for no public client, and the code is still there for its own.
        public = self.client("--public", name="Public")
        self.assert_error(self.exchange({**public, "client_secret": client["client_secret"]}, code), 401, "invalid_client")
        self.assertEqual(self.exchange(client, code).status, 200)

    def test_a_code_ends_with_the_sign_in_that_it_came_from(self):
        client = self.client()
        code = self.sign_in(client)["code"]
        page = self.browser.open(ISSUER + "/oauth2/logout")
        self.assertEqual(self.browser.submit(page).heading, "You're signed out")
        self.assert_error(self.exchange(client, code), 400, "invalid_grant")

    def test_no_token_is_taken_from_an_address(self):
        client = self.client()
        token = self.exchange(client, self.sign_in(client)["code"]).json["access_token"]
        self.assertEqual(self.server.client.call("GET", f"/oauth2/userinfo?access_token={token}").status, 401)
        self.assertEqual(self.server.client.call("GET", "/oauth2/token?grant_type=refresh_token").status, 405)

    # People and their browsers

    def test_no_form_of_another_site_sends_resends_or_checks(self):
        page = self.browser.open(ISSUER + "/signup")
        page = self.browser.submit(page, phone_text=NUMBER)
        code = self.server.client.code("+821012345678")
        for action, fields in (("send", {"phone_text": OTHER}), ("resend", {}), ("check", {"code_text": code}),
                               ("check", {"code_text": code, "decision": "new_account"})):
            for form_token in ({}, {"form_token": ""}, {"form_token": "x" * 43}):
                with self.subTest((action, form_token)):
                    refused = self.browser.open(page.url, {"action": action, **fields, **form_token})
                    self.assert_refused(refused)
        for site in ("cross-site", "same-site"):
            self.browser.headers = {"Sec-Fetch-Site": site}
            self.assertEqual(self.browser.submit(page, code_text=code).status, 403)
        self.browser.headers = {"Sec-Fetch-Site": "same-origin"}
        self.assertEqual(self.browser.submit(page, code_text=code).heading, "You're signed in")
        self.assertEqual(len(self.server.sent()), 1)

    def test_signing_in_makes_a_session_of_its_own_and_ends_the_one_before(self):
        client = self.client()
        self.sign_in(client, number=OTHER)
        before = self.session()
        planted = Browser(self.server, ISSUER)
        planted.cookies = dict(self.browser.cookies)
        self.sign_in(client, prompt="login")
        self.assertNotEqual(self.session(), before)
        self.assertNotIn("__Host-phoneproof_signup", self.browser.cookies)
        # Whose cookie it was is signed out.
        self.assertEqual(parameters(self.ask(client, planted, prompt="none"))["error"], "login_required")
        # A cookie that somebody made up signs nobody in, and is not kept.
        planted.cookies = {"__Host-phoneproof_session": "rt_" + "0" * 32 + "_" + "A" * 43, "__Host-phoneproof_signup": "x"}
        page = self.ask(client, planted)
        self.assertEqual(page.heading, "Sign in with your phone number")
        self.assertNotEqual(self.session(planted), self.session())

    def test_no_address_with_a_code_is_cached_or_passed_on(self):
        client = self.client()
        page = self.ask(client)
        page = self.browser.submit(page, phone_text=NUMBER)
        status, headers, text = self.browser.request(
            "POST", page.url, {**page.forms[0]["fields"], "code_text": self.server.client.code("+821012345678")}
        )
        self.assertEqual((status, text), (303, ""))
        self.assertIn("code=ac_", headers["Location"])
        again = self.browser.request("GET", f"{ISSUER}/oauth2/authorize?{self.query(client)}")
        for status, headers, text in ((status, headers, text), again):
            self.assertEqual((status, headers["Cache-Control"], headers["Referrer-Policy"]), (303, "no-store", "no-referrer"))
        self.assertNotIn(self.session(), self.server.log_text)
        self.assertNotIn("ac_", self.server.log_text)
        tokens = self.exchange(client, parameters(again[1]["Location"])["code"])
        self.assertEqual(tokens.headers["Cache-Control"], "no-store")
        self.assertEqual(json.loads(tokens.text)["token_type"], "Bearer")


class StoredTests(OpenIDTestCase):
    settings = {"LIMITS_SESSION_CHANGES": "60/1h"}

    def count(self, table):
        return int(sql(self.folder, f"SELECT count(*) FROM {table}")[0][0])

    def test_a_loop_of_sign_ins_stores_as_many_codes_as_the_limit_says(self):
        client = self.client()
        self.sign_in(client)
        answers = [parameters(self.ask(client)) for _ in range(80)]
        self.assertEqual(["code" in answer for answer in answers], [True] * 59 + [False] * 21)
        self.assertEqual(
            {answer.get("error"): answer["state"] for answer in answers},
            {None: "st&te", "temporarily_unavailable": "st&te"},
        )
        self.assertEqual(self.count("authorization_code"), 60)

    def test_the_hint_of_a_session_that_has_ended_changes_nothing(self):
        client = self.client()
        tokens = self.exchange(client, self.sign_in(client)["code"]).json
        self.assertEqual(self.post("/oauth2/revoke", {
            "token": tokens["refresh_token"], "client_id": client["client_id"], "client_secret": client["client_secret"],
        }).status, 200)
        before = [self.count(table) for table in ("session", "audit_entry", "rate_meter")]
        for _ in range(20):
            self.server.client.call("GET", f"/oauth2/logout?id_token_hint={tokens['id_token']}")
        self.assertEqual([self.count(table) for table in ("session", "audit_entry", "rate_meter")], before)
