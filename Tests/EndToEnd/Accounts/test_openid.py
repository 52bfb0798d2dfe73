"""Sign-in for other programs by OpenID Connect, as a relying party sees it that others wrote (Authlib), and as an
attacker does."""

import json
import os
import pathlib
import re
import sys
import tempfile
import urllib.parse
from unittest import mock

from browser import Browser
from documentation import all_blocks
from relying_party import CALLBACK, ISSUER, NUMBER, OAuthError, OpenIDTestCase, RelyingParty, parameters
from pypi import installed
from support import ROOT, Server, free_port, run, sql

sys.path.insert(0, str(installed(ROOT / "Tests/EndToEnd/Requirements/pyjwt-requirements.txt", "PyJWT")))

import jwt  # noqa: E402


class OpenIDTests(OpenIDTestCase):
    # The way it is meant

    def test_a_server_side_app_signs_a_person_in_by_authlib(self):
        for method in ("client_secret_basic", "client_secret_post"):
            with self.subTest(method):
                client = self.client("--logout-uri", "https://shop.example/bye")
                app = RelyingParty(self.server, client, token_endpoint_auth_method=method)
                app.load_server_metadata()
                begun = app.create_authorization_url(CALLBACK)
                browser = Browser(self.server, ISSUER)
                page = browser.open(begun["url"])
                self.assertEqual((page.status, page.heading), (200, "Sign in with your phone number"))
                self.assertIn("Shop", page.said)
                url = browser.sign_in(page, self.server.client, NUMBER)
                self.assertTrue(url.startswith(CALLBACK + "&code=ac_"), url)
                answer = parameters(url)
                self.assertEqual(set(answer), {"from", "code", "state", "iss"})
                self.assertEqual((answer["state"], answer["iss"]), (begun["state"], ISSUER))

                token = app.fetch_access_token(CALLBACK, code=answer["code"], code_verifier=begun["code_verifier"])
                self.assertEqual((token["token_type"], token["scope"]), ("Bearer", "offline_access openid phone"))
                claims = app.parse_id_token(token, nonce=begun["nonce"])
                self.assertEqual((claims["iss"], claims["aud"]), (ISSUER, client["client_id"]))
                self.assertLessEqual(claims["auth_time"], claims["iat"])
                user = app.userinfo(token=token)
                self.assertEqual(
                    user, {"sub": claims["sub"], "phone_number": "+821012345678", "phone_number_verified": True}
                )
                with app._get_oauth_client(**app.server_metadata) as session:
                    next = session.refresh_token(app.server_metadata["token_endpoint"], token["refresh_token"])
                    self.assertEqual(app.userinfo(token=next), user)
                    revoked = session.revoke_token(
                        app.server_metadata["revocation_endpoint"], next["refresh_token"], "refresh_token"
                    )
                    self.assertEqual(revoked.status_code, 200)
                    with self.assertRaises(OAuthError) as refused:
                        session.refresh_token(app.server_metadata["token_endpoint"], next["refresh_token"])
                    self.assertEqual(refused.exception.error, "invalid_grant")
                self.assertEqual(self.user(next).status, 401)

                out = app.create_logout_url("https://shop.example/bye", id_token_hint=token["id_token"])
                self.assertEqual(browser.open(out["url"]), f"https://shop.example/bye?state={out['state']}")
                self.assertEqual(browser.cookies, {})
                self.assertEqual(self.ask(client, browser).heading, "Sign in with your phone number")

    def test_the_articles_server_signs_a_person_in_and_out(self):
        port = free_port()
        issuer, folder = f"http://127.0.0.1:{port}", self.enter(tempfile.TemporaryDirectory())
        server = self.enter(Server(folder, port=port, TOKENS_ISSUER=issuer))
        client = json.loads(run(
            "clients", "create", "--name", "Shop", "--redirect-uri", "http://localhost/callback", "--logout-uri",
            "http://localhost/", "--json", folder=folder,
        )[1])
        variables = {"SECRET_KEY": "s", "CLIENT_ID": client["id"], "CLIENT_SECRET": client["client_secret"]}
        block, = [block for block in all_blocks("python") if block.page == "SignInWithYourPhone"]
        names = {"__name__": "shop"}
        with mock.patch.dict(os.environ, variables):
            exec(compile(block.text.replace(ISSUER, issuer), block.place, "exec"), names)
        page, = [block.text for block in all_blocks("html") if " done " in block.text]
        pathlib.Path(folder, "done.html").write_text(page)
        names["app"].static_folder = folder
        shop, browser = names["app"].test_client(), Browser(server, issuer)
        request = shop.get("/login").location
        self.assertEqual(parameters(request)["display"], "popup")
        back = browser.sign_in(browser.open(request), server.client, NUMBER)
        done = shop.get(back, follow_redirects=True)
        self.assertEqual((done.request.path, done.text), ("/done", page))
        self.assertEqual(shop.get("/account").text, "+821012345678")
        # What did not begin here signs nobody in.
        stranger = names["app"].test_client()
        self.assertEqual(stranger.get(back).location, "/done?error=mismatching_state")
        self.assertEqual(stranger.get("/account").location, "/")
        asked = browser.open(shop.post("/logout").location)
        self.assertEqual(asked.heading, "Sign out?")
        self.assertEqual(browser.submit(asked).split("?")[0], "http://localhost/")
        self.assertEqual(shop.get("/account").location, "/")

    def test_an_app_without_a_secret_chooses_its_port(self):
        client = self.client("--public", uri="http://127.0.0.1/done")
        self.assertIsNone(client["client_secret"])
        answer = self.sign_in(client, redirect_uri="http://127.0.0.1:51004/done")
        tokens = self.exchange(client, answer["code"], redirect_uri="http://127.0.0.1:51004/done").json
        self.assertEqual(self.user(tokens).json["phone_number"], "+821012345678")
        self.assertEqual(self.refresh(client, tokens).status, 200)

    def test_scopes_say_what_a_client_gets(self):
        client = self.client()
        tokens = self.exchange(client, self.sign_in(client, scope="openid other")["code"]).json
        self.assertEqual((tokens["scope"], "refresh_token" in tokens), ("openid", False))
        self.assertEqual(set(self.user(tokens).json), {"sub"})

    def test_a_signed_in_person_goes_on_without_a_code(self):
        shop, other = self.client(), self.client(name="Other")
        self.sign_in(shop)
        self.assertIn("code", parameters(self.ask(other)))
        self.assertIn("code", parameters(self.ask(other, prompt="none")))
        self.assertIn("code", parameters(self.ask(other, max_age="3600", login_hint="+821012345678")))
        # A form asks as well.
        url = self.browser.open(ISSUER + "/oauth2/authorize", dict(urllib.parse.parse_qsl(self.query(other))))
        self.assertIn("code", parameters(url))
        for changes in ({"prompt": "login"}, {"max_age": "0"}, {"login_hint": "010-9999-9999"}):
            with self.subTest(changes):
                self.assertEqual(self.ask(other, **changes).heading, "Sign in with your phone number")
        self.assertIn('value="010-9999-9999"', self.ask(other, login_hint="010-9999-9999").text)
        # What was typed at an identity server in front of this one.
        page = self.ask(other, prompt="login", login_hint="anna@shop.example")
        self.assertEqual(page.forms[0]["fields"]["phone_text"], "")
        refused = {
            "login_required": ({"max_age": "0"}, self.browser), "interaction_required": ({"login_hint": "01099999999"}, self.browser),
        }
        refused["login_required "] = ({}, Browser(self.server, ISSUER))
        for error, (changes, browser) in refused.items():
            with self.subTest(error):
                answer = parameters(self.ask(other, browser, prompt="none", **changes))
                self.assertEqual((answer["error"], answer["state"], answer["iss"]), (error.strip(), "st&te", ISSUER))

    # Attacks

    def test_a_code_is_valid_once_and_ends_its_session_the_second_time(self):
        client = self.client()
        code = self.sign_in(client)["code"]
        tokens = self.exchange(client, code).json
        self.assertEqual(self.user(tokens).status, 200)
        self.assert_error(self.exchange(client, code), 400, "invalid_grant")
        self.assertEqual(self.user(tokens).status, 401)
        self.assert_error(self.refresh(client, tokens), 400, "invalid_grant")
        # The person stays signed in in the browser.
        self.assertIn("code", parameters(self.ask(client)))

    def test_a_code_is_valid_for_its_client_and_verifier_alone(self):
        shop, other = self.client(), self.client(name="Other")
        code = self.sign_in(shop)["code"]
        wrong = {
            "another client": (other, {}), "another verifier": (shop, {"code_verifier": "a" * 43}),
            "another place": (shop, {"redirect_uri": "https://shop.example/other"}),
            "no such code": (shop, {"code": code[:-1] + ("A" if code[-1] != "A" else "B")}),
        }
        for name, (client, changes) in wrong.items():
            with self.subTest(name):
                self.assert_error(self.exchange(client, code, **changes), 400, "invalid_grant")
        self.assert_error(self.exchange(shop, code, code_verifier=None), 400, "invalid_request")
        self.assert_error(self.exchange(shop, code, client_secret="wrong"), 401, "invalid_client")
        self.assert_error(self.exchange(shop, code, client_secret=None), 401, "invalid_client")
        self.assert_error(self.exchange(shop, code, client_id=None, client_secret=None), 401, "invalid_client")
        self.assertEqual(self.exchange(shop, code).status, 200)

    def test_pkce_cannot_be_left_out_or_weakened(self):
        client = self.client()
        for changes in (
            {"code_challenge": None, "code_challenge_method": None}, {"code_challenge_method": None},
            {"code_challenge": self.verifier, "code_challenge_method": "plain"}, {"code_challenge": "short"},
        ):
            with self.subTest(changes):
                answer = parameters(self.ask(client, **changes))
                self.assertEqual((answer["error"], answer["iss"]), ("invalid_request", ISSUER))

    def test_a_client_with_a_secret_may_do_without_pkce_if_it_was_created_so(self):
        plain = {"code_challenge": None, "code_challenge_method": None}
        client = self.client("--no-pkce-required")
        tokens = self.exchange(client, self.sign_in(client, **plain)["code"], code_verifier=None).json
        self.assertEqual(self.user(tokens).status, 200)
        # Whoever takes the challenge out of a request does not get a code that a verifier fits, and the other way round.
        self.assert_error(self.exchange(client, parameters(self.ask(client, **plain))["code"]), 400, "invalid_grant")
        code = parameters(self.ask(client))["code"]
        self.assert_error(self.exchange(client, code, code_verifier=None), 400, "invalid_grant")
        self.assertEqual(self.exchange(client, code).status, 200)
        for changes in ({"code_challenge": None}, {"code_challenge_method": None}, {"code_challenge_method": "plain"}):
            with self.subTest(changes):
                self.assertEqual(parameters(self.ask(client, **changes))["error"], "invalid_request")
        public = ("clients", "create", "--name", "App", "--redirect-uri", CALLBACK, "--public", "--no-pkce-required")
        self.assertEqual(self.run_program(*public)[0], 64)

    def test_a_client_changes_while_people_sign_in(self):
        client = self.client("--logout-uri", "https://shop.example/bye", "--accent", "#0b57d0")
        name, moved = client["client_id"], "https://shop.example/moved"
        header = jwt.get_unverified_header(self.exchange(client, self.sign_in(client)["code"]).json["id_token"])
        self.assertEqual(header["alg"], "RS256")
        self.done("clients", "update", name, "--redirect-uri", moved, "--id-token-algorithm", "ES256", "--name", "Shop 2")
        self.assertEqual(self.ask(client).status, 400)
        code = parameters(self.ask(client, redirect_uri=moved))["code"]
        tokens = self.exchange(client, code, redirect_uri=moved).json
        self.assertEqual(jwt.get_unverified_header(tokens["id_token"])["alg"], "ES256")
        shown = json.loads(self.done("clients", "show", name))
        self.assertEqual(
            (shown["name"], shown["redirect_uris"], shown["logout_uris"], shown["accent"], shown["pkce_required"]),
            ("Shop 2", [moved], ["https://shop.example/bye"], "#0b57d0", True),
        )
        self.assertIn("as it was", self.done("clients", "update", name, "--name", "Shop 2"))
        self.assertEqual(self.run_program("clients", "update", "cli_" + "0" * 32, "--name", "X")[0], 1)
        self.assertEqual(self.run_program("clients", "show", "cli_" + "0" * 32)[0], 1)
        self.assertEqual(self.done("audit", "--json").count('"update_client"'), 1)

    def test_both_secrets_of_a_client_are_valid_while_its_servers_change_over(self):
        client = self.client()
        new = {**client, **self.listed("clients", "rotate-secret", client["client_id"])}
        self.assertEqual(new["id"], client["client_id"])
        self.sign_in(client)
        for each in (client, new):
            self.assertEqual(self.exchange(each, parameters(self.ask(client))["code"]).status, 200)
        newest = {**client, **self.listed("clients", "rotate-secret", client["client_id"], "--overlap", "0")}
        for each in (client, new):
            answer = self.exchange(each, parameters(self.ask(client))["code"])
            self.assert_error(answer, 401, "invalid_client")
        self.assertEqual(self.exchange(newest, parameters(self.ask(client))["code"]).status, 200)
        public = self.client("--public")
        self.assertEqual(self.run_program("clients", "rotate-secret", public["client_id"])[0], 1)

    def test_no_browser_is_sent_where_the_client_has_not_registered(self):
        client = self.client(uri="https://shop.example/callback")
        public = self.client("--public", uri="http://127.0.0.1/done")
        for uri in (
            "https://shop.example/callback/", "https://shop.example/callback?x=1", "https://shop.example/Callback",
            "https://shop.example.evil.example/callback", "https://shop.example@evil.example/callback",
            "https://evil.example/callback", "http://shop.example/callback", "https://shop.example/callback#x",
            "//shop.example/callback", "javascript:alert(1)", "https://shop.example:444/callback", None,
        ):
            with self.subTest(uri):
                page = self.ask(client, redirect_uri=uri)
                self.assertEqual((page.status, page.heading), (400, "This link isn't valid"))
                self.assertIsNone(page.headers["Location"])
                # By no way round.
                page = self.browser.open(f"{ISSUER}/signup?{self.query(client, redirect_uri=uri)}")
                self.assertEqual(page.status, 400)
        for uri in ("http://127.0.0.1:80@evil.example/done", "http://127.0.0.1:99999/done", "http://localhost:5000/done",
                    "http://127.0.0.1:5000/other", "http://127.0.0.2:5000/done"):
            with self.subTest(uri):
                self.assertEqual(self.ask(public, redirect_uri=uri).status, 400)
        self.assertEqual(self.ask(client, client_id="cli_" + "0" * 32).status, 400)
        twice = f"{self.query(client, redirect_uri='https://shop.example/callback')}&redirect_uri=https://evil.example/"
        self.assertEqual(self.browser.open(f"{ISSUER}/oauth2/authorize?{twice}").status, 400)

    def test_requests_that_are_wrong_go_back_with_the_reason(self):
        client = self.client()
        for error, changes in {
            "unsupported_response_type": {"response_type": "token"}, "invalid_scope": {"scope": "phone"},
            "invalid_request": {"prompt": "none login"}, "request_not_supported": {"request": "a.b.c"},
            "request_uri_not_supported": {"request_uri": "https://shop.example/request"},
            "invalid_request ": {"max_age": "soon"}, "invalid_request  ": {"response_mode": "fragment"},
            "invalid_request   ": {"nonce": "a\0b"},
        }.items():
            with self.subTest(error):
                url = self.ask(client, **changes)
                self.assertTrue(url.startswith(CALLBACK + "&error="), url)
                answer = parameters(url)
                self.assertEqual((answer["error"], answer["state"], answer["iss"]), (error.strip(), "st&te", ISSUER))

    def test_a_clients_tokens_are_not_valid_for_the_persons_own_calls(self):
        client, other = self.client(), self.client(name="Other")
        tokens = self.exchange(client, self.sign_in(client)["code"]).json
        call = self.server.client.call
        for name in ("access_token", "refresh_token", "id_token"):
            with self.subTest(name):
                self.assertEqual(call("GET", "/v1/accounts/me", token=tokens[name]).status, 401)
                self.assertEqual(call("DELETE", "/v1/accounts/me", token=tokens[name]).status, 401)
                self.assertEqual(call("DELETE", "/v1/tokens", token=tokens[name]).status, 401)
        self.assertEqual(call("POST", "/v1/tokens", {"refresh_token": tokens["refresh_token"]}).status, 401)
        # Nor for another client, nor for none.
        self.assert_error(self.refresh(other, tokens), 400, "invalid_grant")
        self.assert_error(self.refresh({"client_id": None, "client_secret": None}, tokens), 400, "invalid_grant")
        stranger = {"token": tokens["refresh_token"], **other}
        self.assertEqual(self.post("/oauth2/revoke", stranger).status, 200)
        self.assertEqual(self.user(tokens).status, 200)
        # And a person's own tokens are none of a client's.
        cookie = self.browser.cookies["__Host-phoneproof_session"]
        own = call("POST", "/v1/tokens", {"refresh_token": cookie}).json
        self.assertEqual(call("GET", "/v1/accounts/me", token=own["access_token"]).status, 200)
        self.assertEqual(self.user(own).status, 401)
        self.assert_error(self.refresh(client, own), 400, "invalid_grant")
        # A person who signs out everywhere has signed out of the client, too.
        self.assertEqual(call("DELETE", "/v1/tokens?all=true", token=own["access_token"]).status, 204)
        self.assertEqual(self.user(tokens).status, 401)

    def test_a_form_of_another_site_does_nothing(self):
        client = self.client()
        page = self.ask(client)
        victim = dict(self.browser.cookies)
        field = {"phone_text": NUMBER}
        attacker = Browser(self.server, ISSUER)
        theirs = self.ask(client, attacker).forms[0]["fields"]
        tries = {
            "no token": lambda: self.browser.open(page.url, {"action": "send", **field}),
            "the attacker's token": lambda: self.browser.open(page.url, {**theirs, **field}),
            "the person's token, without the cookie":
                lambda: Browser(self.server, ISSUER).open(page.url, {**page.forms[0]["fields"], **field}),
        }
        for name, attempt in tries.items():
            with self.subTest(name):
                refused = attempt()
                self.assert_refused(refused)
        self.browser.headers = {"Sec-Fetch-Site": "cross-site"}
        self.assertEqual(self.browser.submit(page, **field).status, 403)
        self.browser.headers = {}
        self.assertEqual(self.browser.cookies, victim)
        self.assertEqual(self.server.sent(), [])
        # A link that signs out asks first.
        self.browser.sign_in(page, self.server.client, NUMBER)
        asked = self.browser.open(ISSUER + "/oauth2/logout")
        self.assertEqual((asked.status, asked.heading), (200, "Sign out?"))
        self.assertEqual(self.browser.open(asked.url, {"form_token": "forged"}).heading, "Sign out?")
        self.assertIn("code", parameters(self.ask(client, prompt="none")))
        self.assertEqual(self.browser.submit(asked).heading, "You're signed out")
        self.assertEqual(parameters(self.ask(client, prompt="none"))["error"], "login_required")
        page = self.browser.open(
            f"{ISSUER}/oauth2/logout?client_id={client['client_id']}&post_logout_redirect_uri=https://evil.example/"
        )
        self.assertEqual(page.status, 400)

    def test_pages_let_no_script_in_and_nobody_frame_them(self):
        client = self.client(name="Salt & Pepper")
        framed = self.client("--frame-ancestor", "https://shop.example")
        for text in ('"><script>alert(1)</script>', '"\u0301><b>', "'\u0301 onfocus='alert(1)"):
            with self.subTest(text):
                page = self.ask(client, state=text, login_hint=text)
                self.assertIn("Salt &amp; Pepper", page.text)
                for page in (page, self.browser.submit(page, phone_text=text)):
                    self.assertEqual([tag for tag in page.tags if tag in ("b", "script")], ["script"])
                    self.assertEqual(set(page.forms[0]["fields"]), {"form_token", "action", "phone_text"})
                self.assertEqual(page.status, 422)
        policy = page.headers["Content-Security-Policy"]
        self.assertIn("default-src 'none'", policy)
        self.assertIn("frame-ancestors 'none'", policy)
        self.assertIn("base-uri 'none'", policy)
        # The browser would hold it against what the client's own site redirects to.
        self.assertNotIn("form-action", policy)
        self.assertNotIn("unsafe", policy)
        self.assertIn("frame-ancestors https://shop.example", self.ask(framed).headers["Content-Security-Policy"])
        self.assertEqual(page.headers["Cache-Control"], "no-store")
        self.assertEqual(page.headers["Referrer-Policy"], "no-referrer")
        for line in self.browser.set_cookies:
            self.assertRegex(
                line, r"^__Host-phoneproof_signup=[^;]+; Path=/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$"
            )

    def test_a_revoked_client_signs_nobody_in(self):
        client = self.client()
        tokens = self.exchange(client, self.sign_in(client)["code"]).json
        code = parameters(self.ask(client))["code"]
        done = self.run_program("clients", "revoke", client["client_id"])
        self.assertEqual(done, (0, "Shop is revoked.\n", ""))
        self.assertEqual(self.ask(client).status, 400)
        self.assert_error(self.exchange(client, code), 401, "invalid_client")
        self.assert_error(self.refresh(client, tokens), 401, "invalid_client")
        self.assertEqual(self.user(tokens).status, 401)

    # People

    def test_a_person_signs_in_alone_and_out(self):
        page = self.browser.open(ISSUER + "/signup")
        self.assertEqual((page.status, page.heading), (200, "Sign in with your phone number"))
        self.assertIn('value="" placeholder="010-1234-5678"', page.text)
        page = self.browser.sign_in(page, self.server.client, NUMBER)
        self.assertEqual((page.status, page.heading), (200, "You're signed in"))
        self.assertIn("010-****-5678", page.said)
        page = self.browser.submit(page)
        self.assertEqual((page.status, page.heading), (200, "You're signed out"))
        self.assertEqual(self.browser.open(ISSUER + "/signup").heading, "Sign in with your phone number")

    def test_what_goes_wrong_is_said_on_the_page(self):
        page = self.browser.open(ISSUER + "/signup")
        wrong = self.browser.submit(page, phone_text="010-12")
        self.assertEqual((wrong.status, wrong.heading), (422, "Sign in with your phone number"))
        self.assertIn('value="010-12"', wrong.text)
        self.assertIn('aria-invalid="true"', wrong.text)
        page = self.browser.submit(wrong, phone_text=NUMBER)
        code = self.server.client.code("+821012345678")
        self.assertEqual(page.heading, "Enter the code")
        self.assertIn("010-1234-5678", page.said)
        # Back and forth: the number is still there.
        self.assertIn('value="010-1234-5678"', self.browser.open(urllib.parse.urljoin(page.url, page.links[0])).text)
        again = self.browser.submit(page, 1)
        self.assertEqual((again.status, again.heading), (429, "Enter the code"))
        wrong = self.browser.submit(page, code_text="000000" if code != "000000" else "111111")
        self.assertEqual((wrong.status, wrong.heading), (422, "Enter the code"))
        # Another tab has the same page.
        self.assertEqual(self.browser.open(ISSUER + "/signup").heading, "Enter the code")
        self.assertEqual(self.browser.submit(wrong, code_text=code).heading, "You're signed in")
        # The first tab again: what was used is not used twice.
        again = self.browser.submit(wrong, code_text=code)
        self.assertEqual((again.status, again.heading), (200, "You're signed in"))
        self.assertEqual(sql(self.folder, "SELECT count(*) FROM session"), [("1",)])

    def test_a_second_tap_and_a_retry_end_as_the_first(self):
        client = self.client()
        page = self.browser.submit(self.ask(client), phone_text=NUMBER)
        code = self.server.client.code("+821012345678")
        cookies = dict(self.browser.cookies)
        first = self.browser.submit(page, code_text=code)
        session = self.browser.cookies["__Host-phoneproof_session"]
        # The response was lost, so the browser has what it had.
        self.browser.cookies = dict(cookies)
        second = self.browser.submit(page, code_text=code)
        self.assertEqual(self.browser.cookies["__Host-phoneproof_session"], session)
        for url in (first, second):
            self.assertEqual(self.exchange(client, parameters(url)["code"]).status, 200)
        # What is complete signs nobody in by another code, and sends none.
        self.browser.cookies = dict(cookies)
        wrong = self.browser.submit(page, code_text="000000" if code != "000000" else "111111")
        self.assert_refused(wrong)
        self.assertNotIn("__Host-phoneproof_session", self.browser.cookies)
        self.browser.cookies = dict(cookies)
        self.assertEqual(self.browser.submit(page, 1).heading, "Sign in with your phone number")
        self.assertEqual(len(self.server.sent()), 1)

    def test_who_changes_to_the_same_number_can_still_enter_the_code(self):
        page = self.browser.submit(self.browser.open(ISSUER + "/signup"), phone_text=NUMBER)
        code = self.server.client.code("+821012345678")
        change = self.browser.open(urllib.parse.urljoin(page.url, page.links[0]))
        self.assertEqual(change.heading, "Sign in with your phone number")
        again = self.browser.submit(change, phone_text=NUMBER)
        self.assertEqual((again.status, again.heading), (200, "Enter the code"))
        self.assertEqual(len(self.server.sent()), 1)
        self.assertEqual(self.browser.submit(again, code_text=code).heading, "You're signed in")

    def test_a_slash_at_the_end_leads_to_the_page(self):
        client = self.client()
        self.browser.open(ISSUER + "/signup")
        for path in ("/signup/", "/oauth2/authorize/", "/oauth2/logout/"):
            status, headers, _ = self.browser.request("GET", path + "?client_id=" + client["client_id"])
            name = path.split("/")[-2]
            self.assertEqual((status, headers["Location"]), (308, f"../{name}?client_id={client['client_id']}"))
        self.assertEqual(self.browser.request("POST", "/oauth2/authorize/", {"scope": "openid"})[0], 308)

    def test_the_pages_are_in_korean_too(self):
        client = self.client()
        browser = Browser(self.server, ISSUER, "ko-KR,ko;q=0.9,en;q=0.8")
        page = self.ask(client, browser)
        self.assertEqual(page.headers["Content-Language"], "ko")
        self.assertIn('lang="ko"', page.text)
        self.assertEqual(self.ask(client, browser, ui_locales="sv en").headers["Content-Language"], "en")

    def test_clients_are_listed_without_their_secrets(self):
        client = self.client("--logout-uri", "https://shop.example/bye")
        out = self.done("clients", "list")
        self.assertRegex(out, rf"(?m)^{client['client_id']} +Shop +confidential +https://shop\.example/callback\?from=phone ")
        self.assertNotIn(client["client_secret"][-43:], out)
        listed = self.listed("clients", "list")
        self.assertEqual(listed["items"][0]["logout_uris"], ["https://shop.example/bye"])
        # What no browser may be sent to: RedirectURITests.
        plain = ("clients", "create", "--name", "Shop", "--redirect-uri", "http://shop.example/")
        self.assertEqual(self.run_program(*plain)[0], 64)
        self.assertEqual(self.run_program("clients", "revoke", "cli_" + "0" * 32)[0], 1)

    def test_the_likeliest_country_is_chosen(self):
        self.server.close()
        self.server = self.serve(TOKENS_ISSUER=ISSUER, VERIFICATION_ALLOWED_REGIONS="FR,GB,KR,US")
        client = self.client()
        for region, language, changes in [
            ("KR", "en", {}), ("FR", "de-DE, fr-FR;q=0.5", {}), ("KR", "en-US", {}), ("KR", "de-DE", {}),
            ("US", "fr-FR", {"ui_locales": "xx en-US"}), ("GB", "fr-FR", {"ui_locales": "fr-FR", "login_hint": "+447400123456"}),
            ("FR", "fr-FR", {"login_hint": "+4915112345678"}),
        ]:
            with self.subTest(region=region, language=language, **changes):
                page = self.ask(client, Browser(self.server, ISSUER, language), **changes)
                self.assertEqual(re.findall(r'<option value="(..)" [^>]*selected>', page.text), [region])
        # None but these.
        browser = Browser(self.server, ISSUER)
        page = browser.submit(self.ask(client, browser), phone_text="030 1234567", region="DE")
        self.assertEqual(re.findall(r'<option value="(..)" [^>]*selected>', page.text), ["KR"])

    def test_a_client_has_the_pages_in_its_look(self):
        theme = {"logo": "https://cdn.shop.example/logo.svg?a=1&b", "accent": "#7b1fa2", "radius": 12}
        client = self.client(*(f"--{name}={value}" for name, value in theme.items()))
        listed = self.listed("clients", "list")["items"][0]
        self.assertEqual({name: listed[name] for name in theme}, theme)
        page = self.ask(client)
        self.assertIn("; img-src data: https://cdn.shop.example; ", page.headers["Content-Security-Policy"])
        self.assertIn('<img class="logo" src="https://cdn.shop.example/logo.svg?a=1&amp;b" alt="">', page.text)
        self.assertIn("--accent: #7b1fa2; --on: #ffffff", page.text)
        self.assertIn("--radius: 12px", page.text)
        plain = self.ask(self.client())
        self.assertIn("; img-src data:; ", plain.headers["Content-Security-Policy"])
        self.assertNotIn("<img", plain.text)
        code, out, err = self.run_program("clients", "create", "--name", "Shop", "--redirect-uri", CALLBACK, "--accent=#ffcc00")
        self.assertEqual((code, out), (64, ""), err)
        self.assertIn("the contrast of #ffcc00 with white is 1.5:1; text on it and links in it need 4.5:1", err)
