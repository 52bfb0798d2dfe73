"""The pages in a real browser (headless Chromium), with and without JavaScript. Run by scripts/test browser; with
SCREENSHOTS=<folder> it leaves a picture of each page there."""

import contextlib
import itertools
import json
import os
import pathlib
import re
import ssl
import subprocess
import time
import urllib.parse

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from certificates import make_authority, make_certificate
from chromium import Site, chromium
from peer import Peer
from pypi import installed
from support import ServiceTestCase, other_than, sql
from test_captcha import SECRET, SITE, TOKEN, Provider

NUMBER, E164 = "010-1234-5678", "+821012345678"
PHONE, DESK = (360, 740), (1024, 768)
WIDTHS = PHONE, (768, 1024), (1280, 800)
SCREENSHOTS = os.environ.get("SCREENSHOTS")
PACKAGES = installed(pathlib.Path(__file__).with_name("axe-requirements.txt"), "axe-core-python")
AXE = (PACKAGES / "axe_core_python" / "axe.min.js").read_text()

# What axe has no rule for: the size of each thing to press, and what does not fit or moves. A box is pressed by its label; links in
# a sentence are as high as it (WCAG 2.2, 2.5.5).
MEASURES = """
const shown = [...document.querySelectorAll("button, a, input, select")].filter(e => e.offsetHeight > 1 && getComputedStyle(e).display !== "inline")
  .map(e => e.closest("label") ?? e)
return {
  small: shown.map(e => [e.textContent.trim().slice(0, 20) || e.id, e.getBoundingClientRect()])
    .filter(([, box]) => box.height < 44 || box.width < 44).map(([name]) => name),
  moving: [...document.querySelectorAll("*")].filter(e => { const style = getComputedStyle(e)
    return style.animationName !== "none" || parseFloat(style.transitionDuration) > 0 }).map(e => e.tagName),
  cut: [...document.querySelectorAll("button, a.button")].filter(e => e.offsetHeight > 1 && e.scrollWidth > e.clientWidth).map(e => e.textContent.trim()),
  // Phones lay out a page that is too wide in a window as wide as it, so innerWidth tells nothing.
  wider: document.documentElement.scrollWidth > document.documentElement.clientWidth,
}
"""
RUN_AXE = """
const done = arguments[0]
axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] })
  .then(({ violations }) => done(violations.map(({ id, nodes }) => id + ": " + nodes.map(node => node.html).join(", "))), done)
"""


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


class PageTestCase(ServiceTestCase):
    settings = {"VERIFICATION_RESEND_COOLDOWNS_SECONDS": "2,2,2"}

    def start(self, **settings):
        self.server = self.serve(**settings)
        self.base = self.server.url

    def browser(self, javascript=True, size=DESK, dark=False, language="en", arguments=()):
        driver = chromium(javascript, language, arguments)
        self.addCleanup(driver.quit)
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": size[0], "height": size[1], "deviceScaleFactor": 2, "mobile": size == PHONE,
        })
        self.dark(driver, dark)
        return driver

    def dark(self, driver, is_dark=True):
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"},
                         {"name": "prefers-reduced-motion", "value": "reduce"}],
        })

    def wait(self, driver, probe, seconds=20):
        # A page that is being replaced has elements which are gone a moment later.
        return WebDriverWait(driver, seconds, 0.05, [StaleElementReferenceException]).until(lambda _: probe())

    def heading(self, driver):
        with contextlib.suppress(Exception):
            return driver.find_element(By.TAG_NAME, "h1").text

    def expect(self, driver, heading, alert=None):
        """Waits for a page with this heading, and a message with this in it."""
        self.wait(driver, lambda: self.heading(driver) == heading)
        if alert:
            self.wait(driver, lambda: alert in driver.find_element(By.CSS_SELECTOR, "[role=alert]").text)

    def field(self, driver, id):
        return self.wait(driver, lambda: next(iter(driver.find_elements(By.ID, id)), None))

    def press(self, driver, text):
        driver.find_element(By.XPATH, f'//*[self::a or self::button][normalize-space()="{text}"]').click()

    def type(self, driver, id, text):
        """Replaces what is in a field, and sends the form."""
        field = self.field(driver, id)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(text, Keys.ENTER)

    def ask_for_code(self, driver, number=NUMBER):
        driver.get(self.base + "/signup")
        self.type(driver, "phone", number)
        self.wait(driver, lambda: driver.find_elements(By.ID, "code"))

    def code(self, number=E164, after=0):
        return self.server.client.code(number, after)

    def wrong_code(self):
        return other_than(self.code())

    def problems(self, driver):
        """What is wrong with the page, in this browser as it is."""
        found = driver.execute_script(MEASURES)
        problems = []
        # It waits for promises, which need scripts.
        if driver.has_scripts:
            driver.execute_script(AXE)
            problems += driver.execute_async_script(RUN_AXE)
        problems += [f"{name}: {what}" for name, what in found.items() if what]
        return problems + [entry["message"] for entry in driver.get_log("browser") if "status of 4" not in entry["message"] and "status of 5" not in entry["message"]]

    def check(self, driver, name=None):
        """In both schemes, and mirrored, as it would be for a language that is written from the right."""
        for scheme in ("light", "dark"):
            self.dark(driver, scheme == "dark")
            self.assertEqual(self.problems(driver), [], (name, scheme))
            if name and SCREENSHOTS:
                driver.save_screenshot(f"{SCREENSHOTS}/{name}-{scheme}.png")
        self.dark(driver, False)
        direction = driver.execute_script("return document.documentElement.dir")
        driver.execute_script("document.documentElement.dir = arguments[0]", "ltr" if direction == "rtl" else "rtl")
        self.assertIs(driver.execute_script(MEASURES)["wider"], False)
        driver.execute_script("document.documentElement.dir = arguments[0]", direction)

    def focus_order(self, driver):
        """What the tabulator key leads to, by ID or text."""
        driver.execute_script("""document.body.insertAdjacentHTML("afterbegin", "<p tabindex=-1 id=top></p>")
                              document.getElementById("top").focus()""")
        names = []
        while True:
            driver.switch_to.active_element.send_keys(Keys.TAB)
            element = driver.switch_to.active_element
            name = element.get_attribute("id") or element.text
            if element.tag_name == "body" or name in names:
                return names
            names.append(name)


class PageTests(PageTestCase):
    # The whole way

    def test_a_message_from_the_person(self):
        config = self.write("inbound.yaml", 'sms:\n  inbound: {KR: "+82215881234"}\n')
        self.start(command=("serve", "--config", config))
        driver = self.browser(size=PHONE)
        self.ask_for_code(driver)
        # At once, while the code cannot be sent again yet.
        self.press(driver, "I'll text you instead")
        self.expect(driver, "Send us a text")
        self.check(driver, "inbound")
        # The page asks whether it has arrived, and changes nothing until then.
        asked = "return performance.getEntriesByType('resource').filter(entry => entry.initiatorType === 'fetch').length"
        self.wait(driver, lambda: driver.execute_script(asked) > 0)
        self.assertEqual(driver.find_elements(By.CSS_SELECTOR, "[role=alert]"), [])
        text = driver.find_elements(By.TAG_NAME, "dd")[1].text
        sent = self.server.client.call("POST", "/stub/inbound", {"from": E164, "text": text})
        self.assertEqual(sent.status, 200, sent.text)
        self.expect(driver, "You're signed in")

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

    def test_by_keyboard_with_javascript(self):
        self.start(VERIFICATION_ALLOWED_REGIONS="KR")
        driver = self.browser()
        driver.get(self.base + "/signup")
        self.expect(driver, "Sign in with your phone number")
        self.check(driver, "phone")
        self.assertEqual(driver.find_elements(By.ID, "region"), [])
        # The field has the focus. Hyphens come by themselves, and the caret stays where one types.
        field = driver.switch_to.active_element
        self.assertEqual((field.get_attribute("id"), field.get_attribute("value")), ("phone", ""))
        self.assertEqual(field.get_attribute("placeholder"), NUMBER)
        for digit in "01012345678":
            field.send_keys(digit)
            time.sleep(0.02)
        self.wait(driver, lambda: field.get_attribute("value") == NUMBER)
        driver.execute_script("arguments[0].setSelectionRange(5, 5)", field)
        field.send_keys(Keys.BACKSPACE)
        self.wait(driver, lambda: field.get_attribute("value") == "010-2345-678")
        self.assertEqual(driver.execute_script("return arguments[0].selectionStart", field), 3)
        field.send_keys("1")
        self.wait(driver, lambda: field.get_attribute("value") == NUMBER)
        self.assertEqual(driver.execute_script("return arguments[0].selectionStart", field), 5)
        self.assertEqual(self.focus_order(driver), ["phone", "Send code"])
        field.send_keys(Keys.ENTER)

        self.expect(driver, "Enter the code")
        self.assertEqual(driver.switch_to.active_element.get_attribute("id"), "code")
        again = driver.find_element(By.CSS_SELECTOR, "#resend button")
        self.assertFalse(again.is_enabled())
        self.assertRegex(again.text, r"^Resend code in 0:0[12]$")
        self.check(driver, "code-waiting")
        self.wait(driver, again.is_enabled)
        self.check(driver, "code")
        self.assertEqual(self.focus_order(driver), ["Change number", "code", "Sign in", "Resend code"])
        announced = self.field(driver, "announcement").get_attribute("textContent")
        self.assertEqual(announced, "Resend code")
        again.send_keys(Keys.ENTER)
        self.wait(driver, lambda: len(self.server.client.messages(E164)) == 2)
        self.expect(driver, "Enter the code")
        self.wait(driver, lambda: self.field(driver, "wait").text == "Sent again.")
        self.wait(driver, lambda: self.field(driver, "announcement").get_attribute("textContent") == "Sent again.")
        # It is sent when it is complete.
        self.field(driver, "code").send_keys(self.wrong_code())
        self.expect(driver, "Enter the code", "Wrong code. 4 attempts left.")
        self.assertTrue(driver.title.startswith("Error: "))
        self.assertEqual(driver.switch_to.active_element.get_attribute("id"), "code")
        self.check(driver, "wrong-code")
        self.field(driver, "code").send_keys(self.code())
        self.expect(driver, "You're signed in")
        self.check(driver, "signed-in")
        driver.find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
        self.expect(driver, "You're signed out")
        self.check(driver, "signed-out")

    def test_without_javascript_for_a_client_of_another_site(self):
        self.start()
        # Another origin, which sends people on to a third.
        shop = self.enter(Site())
        callback, welcome = shop.url + "/callback", shop.url.replace("127.0.0.1", "localhost") + "/welcome?"
        shop.pages["/callback"] = lambda _, query: (303, {"Location": welcome + urllib.parse.urlencode(query)}, "")
        shop.pages["/welcome"] = "<!DOCTYPE html><h1>Welcome</h1>"
        driver = self.browser(javascript=False, size=PHONE)
        url = self.authorization(callback, "--accent", "#7b1fa2", "--radius", "24")
        driver.get(url)
        self.expect(driver, "Sign in with your phone number")
        self.check(driver, "client-phone")
        self.type(driver, "phone", "01012345678")
        self.expect(driver, "Enter the code")
        self.check(driver, "client-code")
        self.type(driver, "code", self.code())
        self.wait(driver, lambda: driver.current_url.startswith(welcome + "code=ac_"))
        # Its colors, in either scheme.
        scripted = self.browser()
        scripted.get(url)
        self.check(scripted, "client-desk")
        self.ask_for_code(scripted, "010-8765-4321")
        self.check(scripted)

    def test_a_client_hands_over_to_its_app(self):
        """As a site does that is the bridge to an app: signed in, and signed out."""
        self.start()
        shop, app, called = self.enter(Site()), "com.example.shop:/done", []
        for path in ("/callback", "/bye"):
            shop.pages[path] = lambda request, _: called.append(request.path) or (303, {"Location": app}, "")
        url = self.authorization(shop.url + "/callback", "--logout-uri", shop.url + "/bye")
        client = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)["client_id"][0]
        def hands_over(driver, path):
            self.wait(driver, lambda: any(one.startswith(path) for one in called))
            # No application is registered for the scheme, so that nothing else shows whether the browser has gone there.
            driver.get(self.base)
            self.assertEqual([line["message"] for line in driver.get_log("browser") if "form-action" in line["message"]], [])

        driver = self.browser()
        driver.get(url)
        self.type(driver, "phone", "01012345678")
        self.expect(driver, "Enter the code")
        self.type(driver, "code", self.code())
        hands_over(driver, "/callback?code=ac_")
        # Another one: the first asks about the scheme.
        driver = self.browser()
        self.ask_for_code(driver, "010-8765-4321")
        self.type(driver, "code", self.code("+821087654321"))
        self.expect(driver, "You're signed in")
        driver.get(f"{self.base}/oauth2/logout?" + urllib.parse.urlencode(
            {"client_id": client, "post_logout_redirect_uri": shop.url + "/bye"}
        ))
        self.expect(driver, "Sign out?")
        self.press(driver, "Sign out")
        hands_over(driver, "/bye")

    def authorization(self, callback, *theme):
        client = self.create_client("--name", "Pretty Shop", "--redirect-uri", callback, *theme)
        return f"{self.base}/oauth2/authorize?" + urllib.parse.urlencode({
            "response_type": "code", "client_id": client["client_id"], "redirect_uri": callback, "scope": "openid phone",
            "state": "s", "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
        })

    def test_in_korean_on_a_phone(self):
        self.start()
        driver = self.browser(size=PHONE, language="ko-KR")
        driver.get(self.base + "/signup")
        self.expect(driver, "휴대폰 번호로 로그인")
        self.check(driver, "korean-phone")
        self.type(driver, "phone", "010-12")
        self.expect(driver, "휴대폰 번호로 로그인", "번호가 너무 짧습니다")
        self.check(driver, "korean-wrong-number")
        self.type(driver, "phone", NUMBER)
        self.expect(driver, "인증번호 입력")
        self.field(driver, "code").send_keys("123")
        self.check(driver, "korean-code")
        self.type(driver, "code", self.wrong_code())
        self.expect(driver, "인증번호 입력", "4번 더 입력할 수 있습니다")
        self.check(driver, "korean-wrong-code")
        self.field(driver, "code").send_keys(self.code())
        self.expect(driver, "로그인되었습니다")

    def test_what_goes_wrong_without_javascript(self):
        self.start(VERIFICATION_RESEND_COOLDOWNS_SECONDS="1,60", VERIFICATION_MAX_CHECKS="2")
        driver = self.browser(javascript=False)
        driver.get(self.base + "/signup")
        self.type(driver, "phone", "010-12")
        self.expect(driver, "Sign in with your phone number", "This number is incomplete.")
        self.assertEqual(self.field(driver, "phone").get_attribute("value"), "010-12")
        self.type(driver, "phone", "010-1234-567 x8")
        self.expect(driver, "Sign in with your phone number", "That's not a phone number. Enter digits only")
        self.assertEqual(self.field(driver, "phone").get_attribute("value"), "010-1234-567 x8")
        self.type(driver, "phone", NUMBER)
        self.expect(driver, "Enter the code")
        self.wait(driver, lambda: self.press(driver, "Resend code") or len(self.server.client.messages(E164)) == 2)
        self.expect(driver, "Enter the code")
        self.press(driver, "Resend code")
        self.expect(driver, "Enter the code", "We just sent you a code. You can request another one in")
        self.type(driver, "code", "12a")
        self.expect(driver, "Enter the code", "Enter the 6-digit code.")
        self.type(driver, "code", self.wrong_code())
        self.expect(driver, "Enter the code", "Wrong code. 1 attempt left.")
        self.assertEqual(self.problems(driver), [])
        self.type(driver, "code", self.wrong_code())
        self.expect(driver, "Too many attempts")
        self.assertEqual(self.problems(driver), [])

    def paste(self, driver, name, text):
        driver.execute_script("""
            const copied = document.body.appendChild(document.createElement("input"))
            copied.value = arguments[0]
            copied.select()
        """, text)
        ActionChains(driver).key_down(Keys.CONTROL).send_keys("c").key_up(Keys.CONTROL).perform()
        driver.execute_script("document.body.lastChild.remove()")
        self.field(driver, name).send_keys(Keys.END, Keys.CONTROL + "v")

    def test_the_country_is_chosen(self):
        self.start(VERIFICATION_ALLOWED_REGIONS="KR,GB,FR,CI,CA,US")
        driver = self.browser(language="en-GB", size=PHONE)
        driver.get(self.base + "/signup")
        button = self.field(driver, "country")
        self.assertEqual((button.text, button.get_attribute("aria-label")), ("+44", "Country: United Kingdom +44"))
        self.check(driver, "country")
        self.assertEqual(self.focus_order(driver), ["country", "phone", "Send code"])

        def value():
            return self.field(driver, "phone").get_attribute("value")

        def choose(*keys):
            button.click()
            driver.switch_to.active_element.send_keys(*keys)

        # The likely one first, the others by name, whatever their letters have on top; a code is found as well.
        button.click()
        countries = [item.text.split("\n")[0] for item in driver.find_elements(By.CSS_SELECTOR, "#countries li")]
        self.assertEqual(countries, ["United Kingdom", "Canada", "Côte d'Ivoire", "France", "South Korea", "United States"])
        self.check(driver, "countries")
        search = driver.switch_to.active_element
        search.send_keys("cote")
        self.assertEqual(driver.find_element(By.ID, "countries").text.split("\n")[0], "Côte d'Ivoire")
        search.send_keys("x")
        self.assertEqual(driver.find_element(By.CSS_SELECTOR, ".countries [role=status]").text, "No country found")
        self.check(driver)
        search.send_keys(Keys.ESCAPE)
        self.assertEqual((driver.switch_to.active_element, button.text), (button, "+44"))
        choose("82", Keys.ENTER)
        self.wait(driver, lambda: self.field(driver, "phone").get_attribute("placeholder") == NUMBER)
        self.assertEqual(value(), "")
        self.assertEqual((driver.switch_to.active_element.get_attribute("id"), button.text), ("phone", "+82"))
        # A calling code that is typed moves the country, to the one that most numbers with it are of.
        driver.switch_to.active_element.send_keys(Keys.CONTROL, "a")
        driver.switch_to.active_element.send_keys("+1")
        self.wait(driver, lambda: button.get_attribute("aria-label") == "Country: United States +1")
        # The chosen one comes back with the first key that is of no other country.
        driver.switch_to.active_element.send_keys(Keys.CONTROL, "a")
        driver.switch_to.active_element.send_keys("0")
        self.wait(driver, lambda: button.text == "+82")
        driver.switch_to.active_element.send_keys(Keys.CONTROL, "a")
        driver.switch_to.active_element.send_keys("+44 7")
        self.wait(driver, lambda: button.text == "+44")
        choose("fr")
        driver.find_element(By.CSS_SELECTOR, "#countries li").click()
        # What is a number of another country goes.
        self.wait(driver, lambda: value() == "")
        self.paste(driver, "phone", "0612345678")
        self.wait(driver, lambda: value() == "06 12 34 56 78")
        self.type(driver, "phone", "06 12")
        self.wait(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "[role=alert]"))
        self.assertEqual(self.field(driver, "country").text, "+33")
        self.type(driver, "phone", "0612345678")
        self.expect(driver, "Enter the code")
        self.assertIn("06 12 34 56 78", driver.find_element(By.TAG_NAME, "main").text)
        self.press(driver, "Change number")
        self.assertEqual(self.field(driver, "country").text, "+33")

        plain = self.browser(javascript=False, language="en-GB")
        plain.get(self.base + "/signup")
        self.assertEqual([option.text for option in Select(self.field(plain, "region")).options],
                         ["Canada +1", "Côte d'Ivoire +225", "France +33", "South Korea +82", "United Kingdom +44", "United States +1"])
        Select(self.field(plain, "region")).select_by_value("KR")
        self.type(plain, "phone", "01012345678")
        self.expect(plain, "Enter the code")
        self.type(plain, "code", self.code())
        self.expect(plain, "You're signed in")

    def box(self, driver, selector):
        return driver.execute_script(
            "const { left, right, top } = document.querySelector(arguments[0]).getBoundingClientRect(); return [left, right, top]", selector)

    def cells(self, driver):
        return [(cell.text, cell.get_attribute("class")) for cell in driver.find_elements(By.CSS_SELECTOR, ".cells span")]

    def test_the_code_field(self):
        self.start()
        driver = self.browser(size=PHONE, language="ko")
        self.ask_for_code(driver)
        # Two groups of cells, as wide as the button.
        (left, _, _), (_, right, _) = self.box(driver, ".cells span:first-child"), self.box(driver, ".cells span:last-child")
        self.assertEqual([left, right], self.box(driver, "#check button")[:2])
        code = self.code()
        self.field(driver, "code").send_keys(code[:2], "x")
        self.assertEqual(self.cells(driver), [(code[0], ""), (code[1], ""), ("", "active"), ("", "middle"), ("", ""), ("", "")])
        # Our own message, in the page's language, under a form that stays where it is; nothing is sent.
        before = self.box(driver, "#check button")
        self.press(driver, "로그인")
        self.assertEqual(driver.find_element(By.CSS_SELECTOR, "[role=alert]").text, "인증번호 6자리를 입력해 주세요.")
        self.assertEqual((self.field(driver, "code").get_attribute("aria-invalid"), self.box(driver, "#check button")), ("true", before))
        self.check(driver, "korean-code-missing")
        # A message that is pasted whole.
        self.paste(driver, "code", f"[Ace 24] 인증번호 {code} (타인 노출 금지)")
        self.expect(driver, "로그인되었습니다")

    def test_a_button_says_at_once_what_it_does(self):
        self.start(SMS_STUB_SERVES="sms,call,whatsapp", VERIFICATION_MAX_SENDS="2", VERIFICATION_RESEND_COOLDOWNS_SECONDS="0")
        driver = self.browser()
        driver.get(self.base + "/signup")
        self.press(driver, "Send code")
        self.assertEqual(driver.find_element(By.CSS_SELECTOR, "[role=alert]").text, "Enter your phone number.")
        self.check(driver, "phone-missing")
        self.field(driver, "phone").send_keys(NUMBER)
        self.assertEqual(driver.find_element(By.ID, "alert").text, "")
        button = "document.querySelector('form button:not([type])')"
        self.assertEqual(driver.execute_script(f"{button}.click(); return [{button}.textContent, {button}.ariaBusy]"), ["Sending…", "true"])
        self.expect(driver, "Enter the code")
        # The one that is pressed, of several.
        self.check(driver, "channels")
        buttons = "[...document.querySelectorAll('#resend button')]"
        self.assertEqual(
            driver.execute_script(f"{buttons}.at(-1).click(); return {buttons}.map(button => button.textContent)"),
            ["Resend code", "Use WhatsApp", "Sending…"],
        )
        self.wait(driver, lambda: f"We're calling {NUMBER}" in driver.find_element(By.TAG_NAME, "main").text)
        # What would not succeed is not offered.
        self.assertEqual(self.focus_order(driver), ["Change number", "code", "Sign in"])
        self.assertEqual(self.field(driver, "wait").text, "We can't resend the code right now.")
        self.check(driver, "no-sends-left")

    def test_whose_page_it_is(self):
        self.start(
            PAGES_NAME="Ace & Co", PAGES_ACCENT="#7b1fa2", PAGES_TERMS_URL="https://ace.example/terms",
            PAGES_PRIVACY_URL="https://ace.example/privacy", MESSAGES_LOCAL_SERVICE_NAMES="ko=에이스",
        )
        driver = self.browser()
        driver.get(self.base + "/signup")
        self.assertEqual(driver.find_element(By.CLASS_NAME, "client").text, "Ace & Co")
        self.assertIn("By continuing, you agree to the Terms of Service and Privacy Policy.", driver.find_element(By.TAG_NAME, "main").text)
        self.assertEqual([link.get_attribute("href") for link in driver.find_elements(By.CSS_SELECTOR, ".rules a")],
                         ["https://ace.example/terms", "https://ace.example/privacy"])
        self.check(driver, "identity")
        self.ask_for_code(driver)
        self.field(driver, "code").send_keys(self.code())
        self.expect(driver, "You're signed in")
        self.assertIn("You can close this page.", driver.find_element(By.TAG_NAME, "main").text)
        self.check(driver, "identity-signed-in")
        # A client's name comes first.
        driver.get(self.authorization("https://shop.example/callback") + "&prompt=login")
        self.assertEqual(driver.find_element(By.CLASS_NAME, "client").text, "Pretty Shop")
        self.assertEqual(len(driver.find_elements(By.CSS_SELECTOR, ".rules a")), 2)

    def test_a_box_that_must_be_ticked(self):
        rules = {"PAGES_TERMS_URL": "https://ace.example/terms", "PAGES_PRIVACY_URL": "https://ace.example/privacy"}
        self.start(PAGES_CONSENT="required", PAGES_CONSENT_VERSION="2026-01-01", **rules)
        for javascript, size, language, number, send, missing, name in (
            (True, DESK, "en", NUMBER, "Send code", "Agree to the terms to continue.", "consent"),
            (False, PHONE, "ko", "010-8765-4321", "인증번호 받기", "계속하려면 약관에 동의해 주세요.", "korean-consent"),
        ):
            driver = self.browser(javascript, size, language=language)
            driver.get(self.base + "/signup")
            self.check(driver, name)
            self.type(driver, "phone", number)
            self.wait(driver, lambda: [alert.text for alert in driver.find_elements(By.CSS_SELECTOR, "[role=alert]")] == [missing])
            box = self.field(driver, "consent")
            self.assertEqual(box.get_attribute("aria-invalid"), "true")
            self.check(driver, name + "-missing")
            self.assertEqual(self.server.sent("+82" + number[1:].replace("-", "")), [])
            box.click()
            self.press(driver, send)
            self.wait(driver, lambda: driver.find_elements(By.ID, "code"))
            self.type(driver, "code", self.code("+82" + number[1:].replace("-", "")))
            self.wait(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "form[action='oauth2/logout']"))
        self.assertEqual(sql(self.folder, "SELECT consent_version, consented_at > 0 FROM account"), [("2026-01-01", "1")] * 2)

    def test_each_screen_at_each_width(self):
        """In English and Korean at each width, with and without a script, in the other languages on the narrowest phone; all in both
        schemes. The other tests have the screens of what goes wrong."""
        rules = {"PAGES_TERMS_URL": "https://ace.example/terms", "PAGES_PRIVACY_URL": "https://ace.example/privacy"}
        self.start(PAGES_NAME="Ace & Co", MESSAGES_LOCAL_SERVICE_NAMES="ko=에이스", VERIFICATION_ALLOWED_REGIONS="KR,US,GB",
                   PAGES_CONSENT="required", VERIFICATION_RESEND_COOLDOWNS_SECONDS="0", LIMITS_ENABLED="false", **rules)
        line = 10_000_000
        terminal = self.create_client("--name", "Terminal", "--public", "--device-sign-in")["client_id"]
        languages = self.server.client.call("GET", "/.well-known/openid-configuration").json["ui_locales_supported"]
        runs = [*itertools.product(("en", "ko"), (True, False)), *((language, True) for language in languages if language not in ("en", "ko"))]
        for language, javascript in runs:
            driver = self.browser(javascript, language=language)

            def check(name):
                for width, height in WIDTHS if language in ("en", "ko") else WIDTHS[:1]:
                    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                        "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width == PHONE[0],
                    })
                    self.check(driver, f"matrix-{name}-{width}-{language}-{'script' if javascript else 'plain'}")

            def screen(path, name):
                driver.get(self.base + path)
                self.wait(driver, lambda: self.heading(driver))
                check(name)

            line += 1
            screen("/", "start")
            screen("/inbox", "inbox")
            screen("/undo/x", "undo-gone")
            screen("/oauth2/authorize?client_id=x", "untrusted")
            screen("/device?user_code=x", "device")
            screen("/signup", "phone")
            root = driver.find_element(By.TAG_NAME, "html")
            self.assertEqual((root.get_attribute("lang"), root.get_attribute("dir")), (language, "rtl" if language == "ar" else "ltr"))
            self.field(driver, "consent").click()
            self.type(driver, "phone", "010-12")
            self.wait(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "[role=alert]"))
            check("phone-wrong")
            if not self.field(driver, "consent").is_selected():
                self.field(driver, "consent").click()
            self.type(driver, "phone", f"+8210{line}")
            self.wait(driver, lambda: driver.find_elements(By.ID, "code"))
            check("code")
            code = self.code(f"+8210{line}")
            self.type(driver, "code", other_than(code))
            self.wait(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "[role=alert]"))
            check("code-wrong")
            self.type(driver, "code", code)
            self.wait(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "form[action='oauth2/logout']"))
            check("signed-in")
            for decision in ("approve", "refuse"):
                screen("/device?user_code=" + self.device_code(terminal), f"device-question-{decision}")
                driver.find_element(By.CSS_SELECTOR, f"button[value={decision}]").click()
                self.wait(driver, lambda: not driver.find_elements(By.TAG_NAME, "form"))
                check(f"device-{decision}")
            driver.get(self.base + "/signup")
            driver.find_element(By.TAG_NAME, "button").click()
            self.wait(driver, lambda: not driver.find_elements(By.TAG_NAME, "form"))
            check("signed-out")

    # What can go wrong

    def test_a_wrong_number_and_an_unticked_box_are_said_at_once(self):
        self.start(PAGES_CONSENT="required", PAGES_TERMS_URL="https://ace.example/terms")
        both = ["This number is incomplete.", "Agree to the terms to continue."]
        for javascript in (True, False):
            driver = self.browser(javascript, PHONE)
            driver.get(self.base + "/signup")
            field = self.field(driver, "phone")
            field.send_keys("0101234")
            if javascript:
                self.wait(driver, lambda: field.get_attribute("data-problem"))
            field.send_keys(Keys.ENTER)
            self.wait(driver, lambda: [alert.text for alert in driver.find_elements(By.CSS_SELECTOR, "[role=alert]")] == both)
            self.assertEqual(driver.switch_to.active_element.get_attribute("id"), "phone")
            self.check(driver, f"both-{javascript}")

    def test_offline_the_page_says_so_and_keeps_what_was_typed(self):
        self.start()
        driver = self.browser(size=PHONE)
        self.ask_for_code(driver)
        driver.set_network_conditions(offline=True, latency=0, throughput=0)
        self.field(driver, "code").send_keys(self.code())
        self.wait(driver, lambda: self.field(driver, "alert").text == "You're offline. Check your connection and try again.")
        self.check(driver, "offline")
        driver.set_network_conditions(offline=False, latency=0, throughput=10_000_000)
        self.wait(driver, lambda: self.field(driver, "alert").text == "")
        self.press(driver, "Sign in")
        self.expect(driver, "You're signed in")

    def test_a_page_for_what_is_not_there(self):
        self.start(PAGES_NAME="Ace")
        for path in ("/nothing", "/a/b/"):
            driver = self.browser(javascript=False, size=PHONE)
            driver.get(self.base + path)
            self.expect(driver, "Page not found")
            self.assertIn("Ace", driver.find_element(By.TAG_NAME, "main").text)
            self.press(driver, "Go to the start page")
            self.expect(driver, "Sign in by phone")
        driver.get(self.base + "/nothing")
        self.check(driver, "not-found")

    def test_too_many_wrong_codes(self):
        self.start(VERIFICATION_MAX_CHECKS="2")
        driver = self.browser(size=PHONE)
        self.ask_for_code(driver)
        self.field(driver, "code").send_keys(self.wrong_code())
        self.expect(driver, "Enter the code", "1 attempt left")
        self.field(driver, "code").send_keys(self.wrong_code())
        self.expect(driver, "Too many attempts")
        # Said once.
        self.assertRegex(driver.find_element(By.TAG_NAME, "main").text, r"^\s*PhoneProof\s+Too many attempts\s+Try again in (10:00|9:5\d)\s+Use another number\s*$")
        self.check(driver, "too-many-wrong-codes")
        # What would not succeed is not offered before its time.
        self.assertEqual(self.focus_order(driver), ["Use another number"])
        driver.execute_script("Date.now = (now => () => now() + 600_000)(Date.now.bind(Date))")
        self.wait(driver, lambda: self.focus_order(driver) == ["Use another number", "Try again"])
        self.press(driver, "Use another number")
        self.type(driver, "phone", "010-8765-4321")
        self.expect(driver, "Enter the code")

    def test_too_many_messages(self):
        self.start(LIMITS_ADDRESS_SENDS="1/1h")
        driver = self.browser(language="ko")
        self.ask_for_code(driver)
        self.press(driver, "번호 변경")
        self.type(driver, "phone", "010-8765-4321")
        self.expect(driver, "시도 횟수를 초과했습니다")
        self.assertRegex(driver.find_element(By.TAG_NAME, "main").text, r"(1:00:00|59:5\d) 후에 다시 시도해 주세요")
        self.check(driver, "korean-limit")
        self.press(driver, "다른 번호 사용하기")
        self.assertEqual(self.field(driver, "phone").get_attribute("value"), "010-8765-4321")

    def test_an_expired_code(self):
        self.start(VERIFICATION_CODE_TTL_SECONDS="2", VERIFICATION_RESEND_COOLDOWNS_SECONDS="1")
        driver = self.browser()
        self.ask_for_code(driver)
        code = self.code()
        self.wait(driver, lambda: self.seconds_left() < 0)
        self.field(driver, "code").send_keys(code)
        self.expect(driver, "Your code has expired")
        self.check(driver, "expired-code")
        driver.refresh()
        self.press(driver, "Send new code")
        self.expect(driver, "Enter the code")
        self.wait(driver, lambda: self.seconds_left() < 0)
        driver.get(self.base + "/signup")
        self.expect(driver, "Your code has expired")
        self.press(driver, "Change number")
        self.assertEqual(self.field(driver, "phone").get_attribute("value"), NUMBER)

    def seconds_left(self):
        """Of the newest verification."""
        [(end,)] = sql(self.folder, "SELECT max(expires_at) FROM verification")
        return int(end) / 1000 - time.time()

    def test_no_gateway_takes_the_message(self):
        self.start()
        self.server.client.call("PUT", "/stub/behavior", {"mode": "reject", "error_code": 21614})
        driver = self.browser()
        driver.get(self.base + "/signup")
        self.type(driver, "phone", NUMBER)

        def failed():
            driver.get(self.base + "/signup")
            return self.heading(driver) == "We couldn't send the code"

        self.wait(driver, failed)
        self.check(driver, "no-gateway")
        self.server.client.call("PUT", "/stub/behavior", {"mode": "deliver"})
        # The answer to the first press may come after the look at the heading.
        self.wait(driver, lambda: self.heading(driver) == "Enter the code" or self.press(driver, "Send new code"))
        self.field(driver, "code").send_keys(self.code())
        self.expect(driver, "You're signed in")

    def test_a_dormant_account(self):
        self.start(ACCOUNTS_RECYCLING="ask")
        driver = self.browser()
        self.ask_for_code(driver)
        self.field(driver, "code").send_keys(self.code())
        self.expect(driver, "You're signed in")
        self.press(driver, "Sign out")
        self.expect(driver, "You're signed out")
        sql(self.folder, "UPDATE account SET last_active_at = last_active_at - 8640000000")
        self.ask_for_code(driver)
        self.field(driver, "code").send_keys(self.code(after=1))
        self.expect(driver, "This number is linked to an old account")
        self.check(driver, "dormant")
        self.field(driver, "code").send_keys(self.code(), Keys.ENTER)
        self.expect(driver, "You're signed in")

    def test_back_and_two_tabs(self):
        self.start()
        driver = self.browser()
        self.ask_for_code(driver)
        # The service knows how far the person is; nothing is sent again.
        driver.back()
        self.expect(driver, "Enter the code")
        driver.forward()
        self.expect(driver, "Enter the code")
        self.assertEqual(len(self.server.sent(E164)), 1)
        first = driver.current_window_handle
        driver.switch_to.new_window("tab")
        driver.get(self.base + "/signup")
        self.expect(driver, "Enter the code")
        code = self.code()
        self.field(driver, "code").send_keys(code)
        self.expect(driver, "You're signed in")
        # Back leads to no form that is sent again.
        driver.back()
        self.expect(driver, "You're signed in")
        driver.switch_to.window(first)
        self.field(driver, "code").send_keys(code)
        self.expect(driver, "You're signed in")
        self.assertEqual(len(self.server.sent(E164)), 1)

    def test_a_second_tab_goes_on_to_its_client(self):
        self.start()
        shops = [self.enter(Site()), self.enter(Site())]
        for shop in shops:
            shop.pages["/callback"] = "<!DOCTYPE html><h1>Welcome</h1>"
        for javascript in (True, False):
            driver = self.browser(javascript)
            tabs = []
            for shop in shops:
                driver.switch_to.new_window("tab")
                driver.get(self.authorization(shop.url + "/callback"))
                self.expect(driver, "Sign in with your phone number")
                tabs.append(driver.current_window_handle)
            number, e164 = (NUMBER, E164) if javascript else ("010-8765-4321", "+821087654321")
            driver.switch_to.window(tabs[0])
            self.type(driver, "phone", number)
            self.expect(driver, "Enter the code")
            self.type(driver, "code", self.code(e164))
            self.wait(driver, lambda: driver.current_url.startswith(shops[0].url + "/callback?code=ac_"))
            driver.switch_to.window(tabs[1])
            self.type(driver, "phone", number)
            self.wait(driver, lambda: driver.current_url.startswith(shops[1].url + "/callback?code=ac_"))
            # Back leads to no page that asks once more.
            driver.back()
            self.wait(driver, lambda: driver.current_url.startswith(shops[1].url + "/callback?code=ac_")
                      or self.heading(driver) == "Sign in with your phone number")
            driver.refresh()
            self.wait(driver, lambda: driver.current_url.startswith(shops[1].url + "/callback?code=ac_"))
            self.assertEqual(len(self.server.sent(e164)), 1)

    def test_signing_out_leads_back_to_the_client(self):
        self.start()
        shop = self.enter(Site())
        # Another origin, which sends people on to a third.
        callback, welcome = shop.url + "/callback", shop.url.replace("127.0.0.1", "localhost") + "/welcome"
        shop.pages["/bye"] = lambda _, query: (303, {"Location": welcome}, "")
        shop.pages["/welcome"] = "<!DOCTYPE html><h1>Welcome</h1>"
        request = urllib.parse.urlsplit(self.authorization(callback, "--logout-uri", shop.url + "/bye"))
        client = urllib.parse.parse_qs(request.query)["client_id"]
        for javascript in (True, False):
            driver = self.browser(javascript)
            self.ask_for_code(driver, NUMBER if javascript else "010-8765-4321")
            self.type(driver, "code", self.code(E164 if javascript else "+821087654321"))
            self.expect(driver, "You're signed in")
            driver.get(f"{self.base}/oauth2/logout?" + urllib.parse.urlencode(
                {"client_id": client[0], "post_logout_redirect_uri": shop.url + "/bye"}
            ))
            self.expect(driver, "Sign out?")
            self.check(driver, "sign-out")
            self.press(driver, "Sign out")
            self.wait(driver, lambda: driver.current_url == welcome)

    def test_a_number_that_is_sent_twice_without_javascript(self):
        self.start(VERIFICATION_RESEND_COOLDOWNS_SECONDS="60")
        driver = self.browser(javascript=False)
        driver.get(self.base + "/signup")
        self.field(driver, "phone").send_keys(NUMBER)
        ActionChains(driver).double_click(driver.find_element(By.TAG_NAME, "button")).perform()
        self.expect(driver, "Enter the code")
        self.assertEqual(self.field(driver, "wait").text, "Didn't get a code?")
        self.assertEqual(driver.find_elements(By.CSS_SELECTOR, "[role=alert]"), [])
        # A reload sends nothing.
        driver.refresh()
        self.expect(driver, "Enter the code")
        self.press(driver, "Change number")
        self.type(driver, "phone", NUMBER)
        self.expect(driver, "Enter the code")
        self.check(driver, "code-sent-twice")
        self.press(driver, "Resend code")
        self.expect(driver, "Enter the code", "We just sent you a code. You can request another one in")
        self.check(driver, "code-sent-too-soon")
        self.assertEqual(len(self.server.sent(E164)), 1)
        self.type(driver, "code", self.code())
        self.expect(driver, "You're signed in")

    def test_a_page_of_no_use_says_why(self):
        self.start()
        for language, cases in (
            ("en", [("cookies", "This page has expired", "Start again", "It was open for too long"),
                    ("tab", "This page is out of date", "Continue", "You've continued in another tab")]),
            ("ko", [("cookies", "만료된 페이지입니다", "처음부터 다시 시작", "너무 오래 열어"),
                    ("tab", "이전 페이지입니다", "계속하기", "다른 탭이나 창에서")]),
        ):
            driver = self.browser(language=language, size=PHONE)
            for name, heading, button, reason in cases:
                driver.get(self.base + "/signup")
                driver.delete_all_cookies()
                if name == "tab":
                    tab = driver.current_window_handle
                    driver.switch_to.new_window("tab")
                    driver.get(self.base + "/signup")
                    driver.switch_to.window(tab)
                self.type(driver, "phone", NUMBER)
                self.expect(driver, heading)
                self.assertIn(reason, driver.find_element(By.TAG_NAME, "main").text)
                self.check(driver, f"expired-{language}-{name}")
                self.press(driver, button)
                self.field(driver, "phone")
        self.assertEqual(self.server.sent(E164), [])

    def test_a_second_tap_sends_nothing(self):
        self.start()
        driver = self.browser()
        driver.get(self.base + "/signup")
        self.field(driver, "phone").send_keys(NUMBER)
        prevented = driver.execute_script(
            """
            const prevented = []
            addEventListener("submit", event => prevented.push(event.defaultPrevented))
            for (let tap = 0; tap < 2; tap++) document.querySelector("form button:not([type])").click()
            return prevented
            """
        )
        self.assertEqual(prevented, [False, True])
        self.expect(driver, "Enter the code")
        self.assertEqual(sql(self.folder, "SELECT count(*) FROM signup"), [("1",)])

    def test_links_that_are_not_valid(self):
        self.start()
        driver = self.browser()
        driver.get(self.base + "/oauth2/authorize?client_id=x")
        self.expect(driver, "This link isn't valid")
        self.check(driver, "untrusted")
        driver.get(self.base + "/undo/x")
        self.expect(driver, "This link has expired")
        self.check(driver, "undo")

    # Other pages

    def device_code(self, client):
        """The code that a device shows."""
        form = urllib.parse.urlencode({"client_id": client, "scope": "openid"})
        agent = {"User-Agent": "Terminal/1.0 (" + "x" * 100 + ")", "Content-Type": "application/x-www-form-urlencoded"}
        return self.server.client.call("POST", "/oauth2/device_authorization", form, **agent).json["user_code"]

    def test_a_device_without_a_browser(self):
        """The whole way on a phone, with and without JavaScript."""
        self.start()
        client = self.create_client("--name", "Terminal", "--public", "--device-sign-in")["client_id"]
        for javascript in (True, False):
            code = self.device_code(client)
            driver = self.browser(javascript, size=PHONE)
            driver.get(self.base + "/device")
            self.expect(driver, "Sign in on a device")
            self.check(driver, "device-code")
            self.type(driver, "user_code", "BBBB-CCCC")
            self.expect(driver, "Sign in on a device", "No device is waiting")
            self.check(driver, "device-unknown")
            self.type(driver, "user_code", code.lower())
            self.expect(driver, "Sign in with your phone number")
            before = len(self.server.client.codes(E164))
            self.type(driver, "phone", NUMBER)
            self.wait(driver, lambda: driver.find_elements(By.ID, "code"))
            self.type(driver, "code", self.code(after=before))
            self.expect(driver, "Is this you?")
            self.assertIn(code, driver.find_element(By.TAG_NAME, "main").text)
            self.check(driver, "device-question")
            answer, done = ("Yes, sign in", "Your device is signed in") if javascript else ("No", "Refused")
            button = driver.find_element(By.XPATH, f'//button[normalize-space()="{answer}"]')
            ActionChains(driver).double_click(button).perform()
            self.expect(driver, done)
            self.check(driver, "device-done" if javascript else "device-refused")
            # Sends the form again.
            driver.refresh()
            self.expect(driver, done)

    def test_a_device_is_approved_by_keyboard_alone(self):
        self.start()
        client = self.create_client("--name", "Terminal", "--public", "--device-sign-in")["client_id"]
        driver = self.browser()
        driver.get(self.base + "/device")
        self.expect(driver, "Sign in on a device")
        self.assertEqual(driver.switch_to.active_element.get_attribute("id"), "user_code")
        driver.switch_to.active_element.send_keys("BBBB-CCCC", Keys.ENTER)
        self.expect(driver, "Sign in on a device", "No device is waiting")
        self.assertEqual(self.focus_order(driver), ["user_code", "Continue"])
        self.type(driver, "user_code", self.device_code(client))
        self.expect(driver, "Sign in with your phone number")
        self.type(driver, "phone", NUMBER)
        self.wait(driver, lambda: driver.find_elements(By.ID, "code"))
        self.type(driver, "code", self.code())
        self.expect(driver, "Is this you?")
        # "No" comes first.
        self.assertEqual(self.focus_order(driver), ["No", "Yes, sign in", "Use another number"])
        driver.find_element(By.ID, "top").send_keys(Keys.TAB, Keys.TAB)
        driver.switch_to.active_element.send_keys(Keys.ENTER)
        self.expect(driver, "Your device is signed in")

    def test_the_inbox(self):
        self.start()
        driver = self.browser(size=PHONE)
        driver.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        driver.get(self.base + "/inbox")
        self.assertIn("No messages yet.", driver.find_element(By.ID, "messages").text)
        self.check(driver, "inbox-empty")
        # A message appears in the page that is open.
        self.ask_for_code(self.browser())
        self.wait(driver, lambda: "To +82 10-1234-5678" in driver.find_element(By.ID, "messages").text)
        self.check(driver, "inbox")
        self.press(driver, "Copy")
        self.wait(driver, lambda: driver.find_element(By.CSS_SELECTOR, ".code button").text == "Copied")
        self.assertEqual(driver.execute_async_script("navigator.clipboard.readText().then(arguments[0], arguments[0])"), self.code())
        self.assertEqual(driver.find_element(By.ID, "announcement").get_attribute("textContent"), "Copied")
        # By a key as well. Other numbers can be hidden, and all be cleared.
        driver.execute_script("navigator.clipboard.writeText('x')")
        driver.find_element(By.TAG_NAME, "body").send_keys("c")
        self.wait(driver, lambda: driver.execute_async_script("navigator.clipboard.readText().then(arguments[0], arguments[0])") == self.code())
        search = self.field(driver, "filter")
        search.send_keys("010-9999")
        self.assertFalse(driver.find_element(By.CSS_SELECTOR, "#messages li").is_displayed())
        search.send_keys(Keys.CONTROL, "a")
        search.send_keys("1234-5678")
        self.assertTrue(driver.find_element(By.CSS_SELECTOR, "#messages li").is_displayed())
        self.assertNotIn("UTC", driver.find_element(By.TAG_NAME, "time").text)
        # Without a clipboard the code is selected.
        driver.execute_script("navigator.clipboard.writeText = () => Promise.reject(); getSelection().empty()")
        driver.find_element(By.CSS_SELECTOR, ".code button").click()
        self.assertEqual(driver.execute_script("return getSelection().toString()"), self.code())
        plain = self.browser(javascript=False)
        plain.get(self.base + "/inbox")
        self.assertIn(self.code(), plain.find_element(By.ID, "messages").text)
        self.assertIn("Reload the page", plain.find_element(By.TAG_NAME, "main").text)
        self.assertFalse(plain.find_element(By.CSS_SELECTOR, ".code button").is_displayed())
        self.assertFalse(plain.find_element(By.ID, "filter").is_displayed())
        self.press(driver, "Clear")
        self.wait(driver, lambda: "No messages yet." in driver.find_element(By.ID, "messages").text)

    def test_the_front_page(self):
        self.start()
        driver = self.browser(size=PHONE)
        driver.get(self.base)
        self.expect(driver, "Sign in by phone")
        self.check(driver, "start")
        self.assertEqual([link.get_attribute("href").removeprefix(self.base) for link in driver.find_elements(By.TAG_NAME, "a")],
                         ["/signup", "/docs", "/inbox"])
        # The call works as it is shown.
        called = subprocess.run(["sh", "-c", driver.find_element(By.TAG_NAME, "pre").text], capture_output=True, text=True)
        self.assertIn('"id":"sgn_', called.stdout.replace(" ", ""), called.stderr)
        self.press(driver, "Sign in")
        self.expect(driver, "Sign in with your phone number")

    def test_the_docs(self):
        self.start()
        plain = self.browser(javascript=False, size=PHONE)
        plain.get(self.base + "/docs")
        # The first screen is a call that works as it is pasted; on a phone the contents open at their link.
        command = plain.find_element(By.CSS_SELECTOR, ".call pre")
        self.assertLess(command.rect["y"] + command.rect["height"], PHONE[1])
        # Without a script its address is the issuer's, which knows no port that the system has chosen.
        pasted = command.text.replace("http://127.0.0.1/", self.base + "/")
        done = subprocess.run(["bash", "-c", pasted], capture_output=True, text=True, timeout=30)
        self.assertEqual(json.loads(done.stdout)["state"]["phone_text"], "", done.stderr)
        contents = plain.find_element(By.ID, "contents")
        self.assertFalse(contents.is_displayed())
        self.press(plain, "Contents")
        self.assertTrue(contents.is_displayed())
        for size in WIDTHS:
            driver = self.browser(size=size)
            driver.get(self.base + "/docs")
            for scheme in ("light", "dark"):
                self.dark(driver, scheme == "dark")
                driver.execute_script(AXE)
                # A part of each kind: all operations are alike, and many.
                parts = "{ include: [['header'], ['nav'], ['#overview'], ['#beginSignup'], ['#conventions'], ['#schema-Signup']] }, "
                run_axe = RUN_AXE.replace("axe.run(", "axe.run(" + parts)
                self.assertEqual(driver.execute_async_script(run_axe), [], (size, scheme))
                # Sentences are not alike.
                of_links = re.sub(r"runOnly: \[.*?\]", 'runOnly: ["link-in-text-block"]', RUN_AXE)
                self.assertEqual(driver.execute_async_script(of_links), [], (size, scheme))
                self.assertIs(driver.execute_script(MEASURES)["wider"], False)
                if SCREENSHOTS:
                    driver.save_screenshot(f"{SCREENSHOTS}/docs-{size[0]}-{scheme}.png")
        # The whole of it, one block after the other.
        blocks = [block.text for block in driver.find_elements(By.CSS_SELECTOR, ".call pre")]
        ran = subprocess.run(["bash", "-c", blocks[1]], capture_output=True, text=True, timeout=30)
        self.assertEqual(json.loads(ran.stdout)["verification"]["phone_number"], E164, ran.stderr)
        self.assertIn("sign-up", blocks[2])
        # Every call has a command, behind its body and before headers that it does without; the contents follow what is read.
        part = driver.find_element(By.ID, "beginVerification")
        titles = [title.text for title in part.find_elements(By.CSS_SELECTOR, "h4, summary")]
        self.assertEqual(titles, ["Body", "Example", "Call", "Optional headers", "Responses"])
        command = part.find_element(By.CSS_SELECTOR, ".call pre").text.replace("1234-5678", "8765-4321").replace("12345678", "87654321")
        begun = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=30, env={**os.environ, "PHONEPROOF_API_KEY": self.make_key()})
        self.assertEqual(json.loads(begun.stdout)["status"], "pending", begun.stderr)
        operations = driver.find_elements(By.CSS_SELECTOR, "section[data-item]:has(.method):not(:has(.event))")
        self.assertEqual([part.get_attribute("id") for part in operations if not part.find_elements(By.CSS_SELECTOR, ".call pre")], [])
        driver.execute_script("document.getElementById('checkCode').scrollIntoView()")
        mark = lambda: [link.get_attribute("hash") for link in driver.find_elements(By.CSS_SELECTOR, "nav [aria-current]")]  # noqa: E731
        self.wait(driver, lambda: mark() == ["#checkCode"])
        self.assertTrue(driver.find_element(By.CSS_SELECTOR, "nav [aria-current]").is_displayed())
        driver.execute_script("scrollTo(0, 0)")
        ways = driver.find_element(By.CLASS_NAME, "ways").text
        for way in ("/oauth2", "/v2", "/v1/signups", "/v1/verifications"):
            self.assertIn(way, ways)
        driver.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        driver.find_element(By.CSS_SELECTOR, ".call button").click()
        self.wait(driver, lambda: driver.find_element(By.CSS_SELECTOR, ".call button").text == "Copied")
        self.assertEqual(driver.execute_async_script("navigator.clipboard.readText().then(arguments[0], arguments[0])"), blocks[0])
        # Search moves to what is called so, and back.
        driver.execute_script("scrollTo(0, 200)")
        # The keyboard alone: to send keys to an element moves the page to it.
        keys = lambda *keys: ActionChains(driver).send_keys(*keys).perform()  # noqa: E731
        keys("/", "revoke")
        top = "return document.getElementById(arguments[0]).getBoundingClientRect().top"
        self.wait(driver, lambda: 0 < driver.execute_script(top, "revokeToken") < 200)
        self.assertRegex(self.field(driver, "found").text, r"^\d+ found$")
        keys(Keys.ENTER)
        self.assertEqual(driver.switch_to.active_element.get_attribute("id"), "revokeToken")
        keys("/", "xyz")
        self.assertEqual(self.field(driver, "found").text, "Nothing found.")
        keys(Keys.ESCAPE)
        self.wait(driver, lambda: driver.execute_script("return scrollY") == 200, 5)

    def test_the_style_knows_no_left_and_right(self):
        self.start()
        for path in ("/signup", "/inbox", "/undo/x"):
            page = self.server.client.call("GET", path).text
            self.assertEqual(re.findall(r"(?:margin|padding|border|inset)-(?:left|right)|text-align: (?:left|right)|float:|[; {](?:left|right):", page), [])

    def test_the_checks_find_what_is_broken(self):
        self.start(VERIFICATION_ALLOWED_REGIONS="KR")
        driver = self.browser()
        for fault, found in {
            "document.querySelector('label').remove()": "label-title-only:",
            "document.querySelector('p').style.color = '#aaa'": "color-contrast:",
            "document.querySelector('button').textContent = ''": "button-name:",
            "document.documentElement.lang = ''": "html-has-lang:",
            "document.querySelector('h1').outerHTML = '<p>x</p>'": "page-has-heading-one:",
            "document.querySelector('main').insertAdjacentHTML('beforeend', '<input id=phone aria-label=x>')": "duplicate-id",
            "document.querySelector('button').style = 'min-height: 0; height: 2rem'": "small:",
            "document.querySelector('button').style = 'transition: color 1s'": "moving:",
            "document.querySelector('main').style = 'min-width: 200vw'": "wider:",
            "document.querySelector('main').insertAdjacentHTML('beforeend', '<img src=/x.png alt=x>')": "Content Security Policy",
        }.items():
            with self.subTest(found):
                driver.get(self.base + "/signup")
                driver.execute_script(fault)
                problems = self.problems(driver)
                self.assertTrue(any(found in problem for problem in problems), problems)
