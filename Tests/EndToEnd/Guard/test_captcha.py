"""Captchas: each provider is played by a program that answers as its documentation says."""

from browser import Browser
from peer import Peer
from support import ServiceTestCase, solve

NUMBER = "01012345678"
TOKEN, SITE, SECRET = "10000000-aaaa-bbbb-cccc-000000000001", "site-key-1", "secret-key-1"
HOST = "phone.example.com"


class Provider(Peer):
    """It knows one token, which it accepts once, of one secret and from one host."""

    def __init__(self, kind, **changed):
        self.kind_, self.changed, self.spent = kind, changed, set()
        super().__init__(self.verify)

    def verify(self, request):
        form, is_friendly = request.form, self.kind_ == "friendly_captcha"
        secret = request.headers["X-API-Key"] if is_friendly else form["secret"]
        assert request.headers["Content-Type"] == "application/x-www-form-urlencoded"
        assert (form.get("sitekey") == SITE) == (self.kind_ in ("hcaptcha", "friendly_captcha")), form
        fault = "invalid-input-response" if form["response"] != TOKEN else "timeout-or-duplicate" if TOKEN in self.spent else None
        if secret != SECRET:
            fault = "auth_invalid" if is_friendly else "invalid-input-secret"
        self.spent.add(form["response"])
        if is_friendly:
            if fault:
                return 401 if fault.startswith("auth") else 200, {"success": False, "error": {"error_code": fault, "detail": ""}}
            challenge = {"timestamp": "2026-11-26T09:00:00Z", "origin": f"https://{HOST}", **self.changed}
            return 200, {"success": True, "data": {"event_id": "ev_1", "challenge": challenge}}
        if fault:
            return 200, {"success": False, "error-codes": [fault]}
        answer = {"success": True, "challenge_ts": "2026-11-26T09:00:00Z", "hostname": HOST}
        if self.kind_ in ("turnstile", "recaptcha_v3"):
            answer["action"] = "send"
        if self.kind_ == "recaptcha_v3":
            answer["score"] = 0.7
        return 200, {**answer, **self.changed}


KINDS = ["turnstile", "hcaptcha", "recaptcha_v2", "recaptcha_v3", "friendly_captcha"]


class CaptchaTests(ServiceTestCase):
    services = 0

    def attacked(self, kind, provider, **settings):
        """A service with a prefix to which five messages went, and none of whose codes was typed."""
        self.services += 1
        always = {
            "DATABASE_URL": f"sqlite:{self.folder}/{self.services}.sqlite",
            "GUARD_PREFIX_SAMPLE": 5, "CHALLENGE_KIND": kind, "CHALLENGE_SITE_KEY": SITE, "CHALLENGE_SECRET": SECRET,
            "CHALLENGE_HOSTNAMES": HOST, "CHALLENGE_VERIFY_URL": provider.url + "/siteverify", "CHALLENGE_EASIEST": 1000,
        }
        self.server = self.serve(**{**always, **settings})
        for number in range(5):
            self.assertEqual(self.server.client.begin(f"0101234000{number}").status, 201)

    def send(self, proof=None, number=NUMBER, **more):
        begun = self.server.client.begin(number, more={**({"proof": proof} if proof else {}), **more})
        return begun.status, begun.json.get("reason") or begun.json.get("code") or begun.json["status"]

    def test_each_provider_verifies_its_tokens_once(self):
        for kind in KINDS:
            with self.subTest(kind):
                provider = self.enter(Provider(kind))
                self.attacked(kind, provider)
                asked = self.server.client.begin(NUMBER).json["challenge"]
                self.assertEqual((asked["kind"], asked["site_key"], asked["action"]), (kind, SITE, "send"))
                self.assertEqual(asked["proof_of_work"]["kind"], "proof_of_work")
                # Nobody is asked about what is not needed.
                self.assertEqual(self.send(TOKEN, "01099998888"), (201, "pending"))
                self.assertEqual(provider.requests, [])
                self.assertEqual(self.send("x" * 30), (422, "invalid"))
                self.assertEqual(self.send(TOKEN, client_address="203.0.113.7"), (201, "pending"))
                if kind != "friendly_captcha":
                    self.assertEqual(provider.requests[-1].form["remoteip"], "203.0.113.7")
                self.assertEqual(self.send(TOKEN, "01012340009"), (422, "invalid"))

    def test_a_token_of_another_host_or_action_or_with_a_low_score_is_refused(self):
        for kind, changes in {
            "turnstile": [{"hostname": "evil.example"}, {"action": "other"}],
            "hcaptcha": [{"hostname": "evil.example"}, {"hostname": None}],
            "recaptcha_v2": [{"hostname": "evil.example"}],
            "recaptcha_v3": [{"hostname": "evil.example"}, {"action": "other"}, {"score": 0.4}, {"score": None}],
            "friendly_captcha": [{"origin": "https://evil.example"}],
        }.items():
            provider = self.enter(Provider(kind))
            self.attacked(kind, provider)
            for changed in changes:
                with self.subTest(kind, changed=changed):
                    provider.changed, provider.spent = changed, set()
                    self.assertEqual(self.send(TOKEN), (422, "invalid"))

    def test_an_outage_of_the_provider_does_what_the_setting_says(self):
        answers = (500, (200, "no JSON"), "cut", (200, {"success": False, "error-codes": ["invalid-input-secret"]}))
        for setting, expected in [("open", (201, "pending")), ("closed", (422, "unavailable"))]:
            provider = self.enter(Peer())
            self.attacked("turnstile", provider, CHALLENGE_ON_OUTAGE=setting)
            for index, answer in enumerate(answers):
                with self.subTest(setting, answer=answer):
                    provider.answer = lambda _: answer
                    self.assertEqual(self.send(f"{TOKEN}-{index}", f"0101234567{index}"), expected)

    def test_what_a_token_causes_is_no_outage(self):
        provider = self.enter(Peer())
        self.attacked("hcaptcha", provider, CHALLENGE_ON_OUTAGE="open")
        for answer in (
            (200, {"success": False, "error-codes": ["sitekey-secret-mismatch"]}), (403, "<html>"), (404, ""), (400, {"success": False}),
            (302, "", {"Location": "/other"}), (200, {"success": "true"}), (200, {}), (200, []),
        ):
            with self.subTest(answer=answer):
                provider.answer = lambda _: answer
                self.assertEqual(self.send(TOKEN), (422, "invalid"))
        provider = self.enter(Peer(lambda _: 500))
        self.attacked("turnstile", provider, CHALLENGE_ON_OUTAGE="open")
        for token in ("<script>…../../etc/passwd".replace("…", "x" * 20), "x" * 2049):
            self.assertEqual(self.send(token), (422, "invalid"))
        self.assertEqual(provider.requests, [])

    def test_work_is_accepted_in_place_of_a_token_only_if_that_is_set(self):
        for setting in ("proof_of_work", "closed"):
            self.attacked("turnstile", self.enter(Peer(lambda _: 500)), CHALLENGE_ON_OUTAGE=setting)
            work = self.server.client.call("GET", f"/v1/challenges?phone_number={NUMBER}").json["proof_of_work"]
            if setting == "closed":
                self.assertIsNone(work)
                continue
            self.assertEqual(self.send(solve(work)), (201, "pending"))

    def test_only_the_page_with_the_captcha_allows_its_provider(self):
        self.attacked("turnstile", self.enter(Provider("turnstile")))
        browser = Browser(self.server, self.server.url)
        page = browser.open(self.server.url + "/signup")
        self.assertNotIn("cloudflare", page.headers["Content-Security-Policy"])
        form = {**page.forms[0]["fields"], "phone_text": NUMBER}
        asked = browser.open(self.server.url + "/signup", form)
        self.assertEqual((asked.status, asked.heading), (428, "One moment"))
        self.assertIn(f'class="cf-turnstile" data-sitekey="{SITE}" data-action="send"', asked.text)
        policy = {part.split()[0]: part.split()[1:] for part in asked.headers["Content-Security-Policy"].split("; ")}
        host = "https://challenges.cloudflare.com"
        self.assertEqual((policy["script-src"][1:], policy["frame-src"]), ([host], [host, host]))
        self.assertEqual((policy["connect-src"], policy["default-src"]), (["'self'"], ["'none'"]))
        self.assertEqual(browser.open(self.server.url + "/signup", {**asked.forms[0]["fields"], "proof": TOKEN}).heading, "Enter the code")

    def test_it_needs_a_site_key_and_a_secret(self):
        text = self.refused(78, "serve", "--port", "0", CHALLENGE_KIND="turnstile")
        self.assertIn("challenge.site_key and challenge.secret_file", text)
