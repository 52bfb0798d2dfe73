"""Devices without a browser (RFC 8628): a program of Authlib's asks, and a person approves it in a browser without JavaScript."""

import re
import subprocess
import time

from browser import Browser
from relying_party import ALL, ISSUER, Adapter, OAuth2Session, OAuthError, OpenIDTestCase, parameters
from support import PROGRAM, at_once, environment, sql

GRANT = "urn:ietf:params:oauth:grant-type:device_code"
NUMBER = "010-1234-5678"


class DeviceTests(OpenIDTestCase):
    def setUp(self):
        super().setUp()
        self.allow_terminal()

    def allow_terminal(self):
        self.terminal = self.create_client("--name", "Terminal", "--public", "--device-sign-in")
        self.session = self.program(self.terminal)

    def program(self, credentials):
        session = OAuth2Session(
            credentials["client_id"], credentials.get("client_secret"), scope=ALL,
            token_endpoint_auth_method="client_secret_basic" if credentials.get("client_secret") else "none",
        )
        session.mount(ISSUER, Adapter(self.server.port))
        session.headers["User-Agent"] = "Terminal/1.0 <b>"
        self.metadata = session.get(ISSUER + "/.well-known/openid-configuration", withhold_token=True).json()
        return session

    def begin(self, session=None, **changes):
        session = session or self.session
        form = {"client_id": session.client_id, "scope": ALL, **changes}
        auth = (session.client_id, session.client_secret) if session.client_secret else None
        return session.request(
            "POST", self.metadata["device_authorization_endpoint"], withhold_token=True, data=form, auth=auth,
        )

    def ask(self, started, session=None):
        """The tokens, or OAuth's error."""
        session = session or self.session
        try:
            return session.fetch_token(
                self.metadata["token_endpoint"], grant_type=GRANT, device_code=started["device_code"],
            )
        except OAuthError as error:
            return error.error

    def at_question(self, started, number=NUMBER, browser=None):
        browser = browser or self.browser
        page = browser.open(started["verification_uri"])
        page = self.submit_code(page, started["user_code"], browser)
        return browser.sign_in(page, self.server.client, number) if page.heading != "Is this you?" else page

    def submit_code(self, page, code, browser=None):
        form = page.forms[0]["fields"]
        self.assertEqual(list(form), ["user_code"])
        return (browser or self.browser).open(page.url.partition("?")[0] + "?user_code=" + code.replace(" ", "+"))

    def decide(self, page, decision, browser=None):
        return (browser or self.browser).submit(page, decision=decision)

    def test_a_terminal_is_signed_in(self):
        self.assertEqual(self.metadata["grant_types_supported"][-1], GRANT)
        started = self.begin()
        self.assertEqual((started.status_code, started.headers["Cache-Control"]), (200, "no-store"), started.text)
        started = started.json()
        self.assertRegex(started["user_code"], "^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$")
        self.assertEqual((started["verification_uri"], started["interval"], started["expires_in"]), (ISSUER + "/device", 5, 600))
        self.assertEqual(started["verification_uri_complete"], f"{ISSUER}/device?user_code={started['user_code']}")
        self.assertEqual(self.ask(started), "authorization_pending")
        # Typed as people do.
        page = self.browser.open(started["verification_uri"])
        page = self.submit_code(page, " " + started["user_code"].lower().replace("-", " "))
        self.assertEqual(page.heading, "Sign in with your phone number")
        page = self.browser.sign_in(page, self.server.client, NUMBER)
        self.assertEqual(page.heading, "Is this you?")
        done = self.decide(page, "approve")
        self.assertEqual((done.status, done.heading), (200, "Your device is signed in"))
        tokens = self.ask(started)
        self.assertEqual(tokens["token_type"], "Bearer")
        self.assertLessEqual({"access_token", "refresh_token", "id_token", "expires_in"}, set(tokens))
        info = self.session.get(self.metadata["userinfo_endpoint"]).json()
        self.assertEqual(info["phone_number"], "+821012345678")
        fresh = self.session.refresh_token(self.metadata["token_endpoint"])
        self.assertNotEqual(fresh["refresh_token"], tokens["refresh_token"])
        # The next one needs no code of an SMS.
        page = self.browser.open(self.begin().json()["verification_uri_complete"])
        self.assertEqual(page.heading, "Is this you?")

    def test_the_program_itself_is_such_a_terminal(self):
        command = ["signup", "--server", self.server.url, "--web", "--client", self.terminal["client_id"]]
        for decision, code, out in [("approve", 0, "Signed in: +821012345678 acc_"), ("refuse", 1, "")]:
            running = subprocess.Popen(
                [PROGRAM, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(self.new_folder()),
            )
            self.addCleanup(running.kill)
            line = running.stderr.readline()
            user_code = re.fullmatch(r"Open https://phone\.example/device on your phone and enter the code (\S{9})\.\n", line).group(1)
            page = self.at_question({"verification_uri": ISSUER + "/device", "user_code": user_code})
            self.decide(page, decision)
            said, errors = running.communicate(timeout=60)
            self.assertEqual((running.returncode, said[: len(out)] if out else said), (code, out), errors)
        for wrong in (["--web"], ["--web", "--client", "cli_1"], ["--server", self.server.url, "--client", "cli_1"]):
            self.assertEqual(self.run_program("signup", *wrong)[0], 64)
        refused = self.run_program("signup", "--server", self.server.url, "--web", "--client", self.client()["client_id"])
        self.assertEqual((refused[0], len(refused[2].splitlines())), (1, 1), refused)

    def test_the_page_says_who_asks_and_when_to_refuse(self):
        page = self.at_question(started := self.begin().json())
        for words in ("Terminal on another device", "Terminal will receive your phone number.", started["user_code"], "127.0.0.1", "Terminal/1.0 <b>", "it is fraud: choose No"):
            self.assertIn(words, page.said)
        self.assertNotIn("Terminal/1.0 <b>", page.text)
        self.assertLess(page.text.index("value=\"refuse\""), page.text.index("value=\"approve\""))
        self.assertIn("frame-ancestors 'none'", page.headers["Content-Security-Policy"])
        self.assertNotIn("<script", page.text)
        refused = self.decide(page, "refuse")
        self.assertEqual((refused.status, refused.heading), (200, "Refused"))
        self.assertEqual([self.ask(started), self.ask(started)], ["access_denied", "access_denied"])
        # What was decided stays so.
        again = self.decide(page, "approve")
        self.assertEqual((again.status, again.heading), (200, "Refused"))
        self.assertEqual(self.ask(started), "access_denied")
        page = self.at_question(self.begin(scope="openid").json())
        self.assertIn("Terminal won't receive your phone number.", page.said)
        korean = Browser(self.server, ISSUER, "ko").open(started["verification_uri"])
        self.assertEqual(korean.heading, "다른 기기에서 로그인")

    def test_a_second_tap_is_answered_as_the_first(self):
        other = Browser(self.server, ISSUER)
        for first, second, heading in [("approve", "refuse", "Your device is signed in"), ("refuse", "approve", "Refused")]:
            started = self.begin().json()
            page, others = self.at_question(started), self.at_question(started, "010-8765-4321", other)
            self.assertEqual(others.heading, "Is this you?")
            taps = at_once(lambda _: self.decide(page, first), range(4)) + [self.decide(page, each) for each in (second, first)]
            self.assertEqual([(tap.status, tap.heading) for tap in taps], [(200, heading)] * 6)
            # Somebody else who has the code learns nothing of it.
            for decision in (first, second):
                refused = self.decide(others, decision, other)
                self.assertEqual((refused.status, refused.heading), (404, "Sign in on a device"))
            answer = self.ask(started)
            self.assertTrue("id_token" in answer if first == "approve" else answer == "access_denied", answer)
            # The device knows meanwhile.
            for decision in (first, second):
                again = self.decide(page, decision)
                self.assertEqual((again.status, again.heading), (200, heading))
        sql(self.folder, "DELETE FROM device_authorization")
        gone = self.decide(page, "refuse")
        self.assertEqual((gone.status, gone.heading), (404, "Sign in on a device"))

    def test_a_client_is_allowed_by_name(self):
        shop = self.client()
        refused = self.begin(self.program(shop))
        self.assertEqual((refused.status_code, refused.json()["error"]), (400, "unauthorized_client"))
        self.assertEqual(self.ask({"device_code": "dc_x"}, self.program(shop)), "unauthorized_client")
        for changes, error in [({"scope": ""}, "invalid_scope"), ({"scope": "phone"}, "invalid_scope"), ({"client_id": ""}, "invalid_client")]:
            refused = self.begin(**changes)
            self.assertEqual(refused.json()["error"], error)
        self.done("clients", "update", shop["client_id"], "--device-sign-in", "--reason", "a terminal")
        session = self.program(shop)
        started = self.begin(session).json()
        self.decide(self.at_question(started), "approve")
        # Another client's code is worth nothing, and stays valid.
        self.assertEqual(self.ask(started), "invalid_grant")
        self.assertIn("id_token", self.ask(started, session))
        self.done("clients", "update", shop["client_id"], "--no-device-sign-in", "--reason", "no terminal")
        self.assertEqual(self.begin(session).status_code, 400)
        wrong = self.server.client.call("POST", "/oauth2/device_authorization", {"client_id": self.terminal["client_id"]})
        self.assertEqual(wrong.json["error"], "invalid_request")

    def test_a_device_gets_its_tokens_once(self):
        started = self.begin().json()
        self.decide(self.at_question(started), "approve")
        self.assertIn("access_token", self.ask(started))
        self.assertEqual(self.session.get(self.metadata["userinfo_endpoint"]).status_code, 200)
        # Somebody has a copy of the code: the session ends.
        self.assertEqual(self.ask(started), "invalid_grant")
        self.assertEqual(self.session.get(self.metadata["userinfo_endpoint"]).status_code, 401)
        stored = str(sql(self.folder, "SELECT * FROM device_authorization"))
        self.assertNotIn(started["user_code"].replace("-", ""), stored)
        self.assertNotIn(started["device_code"][-43:], stored)
        for code in ("", "dc_", "dc_" + 300 * "x", started["device_code"][:-1] + "_", "ac_1"):
            self.assertIn(self.ask({"device_code": code}), ("invalid_grant", "invalid_request"))

    def test_who_asks_too_often_is_slowed_down(self):
        started = self.begin().json()
        self.assertEqual([self.ask(started) for _ in range(3)], ["authorization_pending", "slow_down", "slow_down"])
        self.assertEqual(sql(self.folder, "SELECT interval_seconds FROM device_authorization"), [("15",)])
        sql(self.folder, "UPDATE device_authorization SET asked_at = asked_at - 15001")
        self.assertEqual(self.ask(started), "authorization_pending")

    def test_codes_expire(self):
        started = self.begin().json()
        page = self.at_question(started)
        sql(self.folder, f"UPDATE device_authorization SET expires_at = {int(time.time() * 1000)}")
        self.assertEqual(self.decide(page, "approve").status, 404)
        self.assertEqual(self.ask(started), "expired_token")

    def test_who_has_signed_out_meanwhile_has_approved_nothing(self):
        started = self.begin().json()
        self.decide(self.at_question(started), "approve")
        sql(self.folder, "DELETE FROM session")
        self.assertEqual(self.ask(started), "access_denied")

    def test_codes_are_tried_as_often_as_a_limit_says(self):
        self.server = self.serve(self.new_folder(), TOKENS_ISSUER=ISSUER, LIMITS_ADDRESS_CHECKS="3/1h", LIMITS_ADDRESS_SIGNUPS="2/1h")
        browser = Browser(self.server, ISSUER)
        pages = [browser.open(f"{ISSUER}/device?user_code={code}") for code in ("BBBB-BBBB", "what", "BBBB-BBBC", "BBBB-BBBD")]
        self.assertEqual([page.status for page in pages], [404, 404, 404, 429])
        self.assertEqual(pages[0].heading, "Sign in on a device")
        self.assertIn("No device is waiting with this code", pages[1].said)
        self.assertIsNotNone(pages[3].headers["Retry-After"])

    def test_devices_begin_as_often_as_a_limit_says(self):
        folder = self.new_folder()
        self.server = self.serve(folder, TOKENS_ISSUER=ISSUER, LIMITS_ADDRESS_SIGNUPS="2/1h")
        self.folder = folder
        session = self.program(self.create_client("--name", "Terminal", "--public", "--device-sign-in"))
        self.assertEqual([self.begin(session).status_code for _ in range(3)], [200, 200, 429])

    def test_other_sites_use_up_nobodys_limits(self):
        self.server = self.serve(self.new_folder(), TOKENS_ISSUER=ISSUER, LIMITS_ADDRESS_CHECKS="2/1h", LIMITS_ADDRESS_SIGNUPS="2/1h")
        self.folder = self.server.folder
        self.allow_terminal()
        browser, other = Browser(self.server, ISSUER), {"Sec-Fetch-Site": "cross-site"}
        tried = ISSUER + "/device?user_code=BBBB-BBBB"
        for place in ("image", "iframe", "empty"):
            for site in ("cross-site", "same-site"):
                status, _, _ = browser.request("GET", tried, **{"Sec-Fetch-Site": site, "Sec-Fetch-Dest": place})
                self.assertEqual(status, 403)
        form = {"client_id": self.terminal["client_id"], "scope": "openid"}
        for headers in (other, {"Origin": "https://evil.example"}, {"Origin": "null"}):
            for _ in range(3):
                refused = self.post("/oauth2/device_authorization", form, **headers)
                self.assertEqual((refused.status, refused.json["error"]), (400, "invalid_request"), refused.text)
        # Whoever follows a link of another site uses up what devices have, and nothing else.
        followed = [browser.request("GET", tried, **other, **{"Sec-Fetch-Dest": "document"})[0] for _ in range(3)]
        self.assertEqual(followed, [404, 404, 429])
        self.assertEqual([self.begin().status_code for _ in range(3)], [200, 200, 429])
        page = browser.sign_in(browser.open(ISSUER + "/signup"), self.server.client, NUMBER)
        self.assertEqual(page.heading, "You're signed in")

    def test_a_browser_signs_in_again_after_its_hours(self):
        self.at_question(self.begin().json())
        sql(self.folder, "UPDATE session SET created_at = created_at - 13 * 3600000")
        started = self.begin().json()
        page = self.browser.open(started["verification_uri_complete"])
        self.assertEqual(page.heading, "Sign in with your phone number")
        page = self.browser.sign_in(page, self.server.client, "010-8765-4321")
        self.assertEqual(page.heading, "Is this you?")
        # The session of before has ended.
        self.assertEqual(sql(self.folder, "SELECT COUNT(*) FROM session"), [("1",)])
        sql(self.folder, "UPDATE session SET created_at = created_at - 13 * 3600000")
        self.assertEqual(self.decide(page, "approve").status, 403)
        self.assertEqual(self.ask(started), "authorization_pending")

    def test_a_form_of_another_site_decides_nothing(self):
        page = self.at_question(started := self.begin().json())
        fields = {**page.forms[0]["fields"], "decision": "approve"}
        url = ISSUER + "/device"
        for form, headers in [({**fields, "form_token": "x"}, {}), (fields, {"Sec-Fetch-Site": "cross-site"})]:
            status, _, _ = self.browser.request("POST", url, form, **headers)
            self.assertEqual(status, 403)
        self.assertEqual(Browser(self.server, ISSUER).request("POST", url, fields)[0], 403)
        self.assertEqual(self.ask(started), "authorization_pending")
        other = Browser(self.server, ISSUER).open(started["verification_uri_complete"])
        self.assertEqual(parameters(other.url), {"user_code": started["user_code"]})
        self.assertEqual(other.heading, "Sign in with your phone number")
