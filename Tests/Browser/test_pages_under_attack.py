"""The pages in a real browser while a prefix is under attack: work and captchas."""

import json
import ssl

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from chromium import E164, NUMBER, PHONE, PageTestCase
from certificates import make_authority, make_certificate
from peer import Peer
from test_captcha import SECRET, SITE, TOKEN, Provider

# Plays a provider's script: it finds the widget's element, opens a frame in it, and gives the token that the frame tells it to
# the script that waits for it.
WIDGET = """
const told = token => {
  if (KIND === "friendly_captcha") widget.dispatchEvent(new CustomEvent("frc:widget.complete", { detail: { response: token } }))
  else window[widget.dataset.callback](token)
}
const show = place => new Promise(resolve => {
  const frame = document.createElement("iframe")
  addEventListener("message", ({ source, data }) => { if (source === frame.contentWindow) resolve(data) })
  frame.src = FRAME
  place.append(frame)
})
const widget = document.querySelector(SELECTOR)
if (KIND === "recaptcha_v3") globalThis.grecaptcha = { ready: begin => begin(), execute: () => show(document.body) }
else show(widget).then(told)
"""
# The element, the script's path, and the host of the frame.
WIDGETS = {
    "turnstile": (".cf-turnstile", "challenges.cloudflare.com/turnstile/v0/api.js", "challenges.cloudflare.com"),
    "hcaptcha": (".h-captcha", "js.hcaptcha.com/1/api.js", "newassets.hcaptcha.com"),
    "recaptcha_v2": (".g-recaptcha", "www.google.com/recaptcha/api.js", "www.google.com"),
    "recaptcha_v3": ("#captcha", f"www.google.com/recaptcha/api.js?render={SITE}", "www.google.com"),
    "friendly_captcha": (".frc-captcha", "cdn.jsdelivr.net/npm/@friendlycaptcha/sdk@1/site.min.js", "eu.frcapi.com"),
}


class AttackedPageTests(PageTestCase):
    def attacked(self, **settings):
        """A service with a prefix to which five messages went, and none of whose codes was typed."""
        self.start(**{"GUARD_PREFIX_SAMPLE": 5, "CHALLENGE_EASIEST": 1000, **settings})
        for number in range(5):
            self.assertEqual(self.server.client.begin(f"0101234000{number}").status, 201)

    def test_under_attack_the_browser_solves_a_challenge_while_the_person_types(self):
        self.attacked()
        driver = self.browser()
        driver.get(self.base + "/signup")
        self.field(driver, "phone").send_keys(NUMBER)
        self.wait(driver, lambda: driver.find_elements(By.NAME, "proof"))
        self.assertEqual(self.problems(driver), [])
        # The number that is sent is the one that it was solved for.
        self.field(driver, "phone").send_keys(Keys.ENTER)
        self.expect(driver, "Enter the code")
        self.assertEqual(len(self.server.sent(E164)), 1)

    def test_under_attack_a_page_solves_the_challenge_and_sends_the_form(self):
        self.attacked(CHALLENGE_EASIEST=10_000_000, CHALLENGE_HARDEST=10_000_000)
        driver = self.browser(size=PHONE)
        driver.get(self.base + "/signup")
        driver.execute_script("window.fetch = () => Promise.reject()")
        self.type(driver, "phone", NUMBER)
        # All in one look, since the page goes on by itself.
        self.wait(driver, lambda: driver.execute_script("""
            return document.querySelector("h1")?.textContent === "One moment"
              && document.querySelector("#progress")?.textContent === "Checking…"
              && !document.querySelector("button:not([hidden])")
        """))
        self.expect(driver, "Enter the code")

    def test_under_attack_each_captcha_is_solved_in_its_frame(self):
        """The policy of the page lets the provider's script and frame work, and nothing else: a frame of another host is none."""
        authority = make_authority(self.folder, "captchas")
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(*make_certificate(self.folder, "captchas.example", authority))
        for kind, (selector, script, host) in WIDGETS.items():
            for frame in (host, "evil.example"):
                with self.subTest(kind, frame=frame):
                    names = {"KIND": kind, "SELECTOR": selector, "FRAME": f"https://{frame}/frame"}
                    source = "".join(f"const {name} = {json.dumps(value)}\n" for name, value in names.items()) + WIDGET
                    told = f'<script>parent.postMessage("{TOKEN}", "*")</script>'
                    serve = lambda request: (  # noqa: E731
                        (200, told, {"Content-Type": "text/html"}) if request.path == "/frame"
                        else (200, source, {"Content-Type": "text/javascript", "Access-Control-Allow-Origin": "*"})
                    )
                    widgets, provider = self.enter(Peer(serve, tls=tls)), self.enter(Provider(kind))
                    self.attacked(
                        DATABASE_URL=f"sqlite:{self.folder}/{kind}-{frame}.sqlite", CHALLENGE_KIND=kind, CHALLENGE_SITE_KEY=SITE,
                        CHALLENGE_SECRET=SECRET, CHALLENGE_VERIFY_URL=provider.url + "/siteverify", CHALLENGE_ON_OUTAGE="closed",
                    )
                    driver = self.browser(arguments=(
                        f"--host-resolver-rules=MAP *:443 127.0.0.1:{widgets.port}", "--ignore-certificate-errors",
                    ))
                    driver.get(self.base + "/signup")
                    self.type(driver, "phone", NUMBER)
                    if frame == host:
                        self.expect(driver, "Enter the code")
                        self.assertEqual([request.form["response"] for request in provider.requests], [TOKEN])
                    else:
                        self.wait(driver, lambda: "frame-src" in str(driver.get_log("browser")))
                        self.assertEqual((self.heading(driver), provider.requests), ("One moment", []))
                    asked = {request.headers["Host"] + request.path for request in widgets.requests}
                    self.assertEqual((script in asked, "evil.example/frame" in asked), (True, False))

    def test_under_attack_a_person_without_javascript_waits(self):
        self.attacked(CHALLENGE_WAIT_SECONDS=2)
        driver = self.browser(javascript=False)
        driver.get(self.base + "/signup")
        self.type(driver, "phone", NUMBER)
        self.expect(driver, "One moment")
        self.assertRegex(driver.find_element(By.TAG_NAME, "main").text, "You can send the code in [123] s\\.")
        button = driver.find_element(By.TAG_NAME, "button")
        self.wait(driver, button.is_displayed)
        button.click()
        self.expect(driver, "Enter the code")
