"""What the tests in a real browser share: headless Chromium, pages of another site, and what is done with and asked of a page."""

import contextlib
import os
import pathlib
import sys
import urllib.parse

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

SHARED = pathlib.Path(__file__).resolve().parents[1] / "EndToEnd"
sys.path[:0] = [str(SHARED), str(SHARED / "Guard")]

from peer import Peer  # noqa: E402
from pypi import installed  # noqa: E402
from support import ServiceTestCase, other_than  # noqa: E402

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


def chromium(javascript=True, language="en", arguments=()):
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--lang={language}", *arguments):
        options.add_argument(argument)
    preferences = {"intl.accept_languages": language}
    if not javascript:
        preferences["profile.managed_default_content_settings.javascript"] = 2
    options.add_experimental_option("prefs", preferences)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    driver.has_scripts = javascript
    return driver


class Site(Peer):
    """Another site on a free port: each path has a page, or a function that gets the request and the query; or a status, header
    fields and a text."""

    def __init__(self):
        super().__init__(self.shown)
        self.pages, self.fields = {}, {}

    def shown(self, request):
        url = urllib.parse.urlsplit(request.path)
        page = self.pages.get(url.path)
        if callable(page):
            page = page(request, dict(urllib.parse.parse_qsl(url.query)))
        status, fields, text = page if isinstance(page, tuple) else (404 if page is None else 200, {}, page or "")
        return status, text, {"Content-Type": "text/html; charset=utf-8", **self.fields, **fields}


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

    def authorization(self, callback, *theme):
        client = self.create_client("--name", "Pretty Shop", "--redirect-uri", callback, *theme)
        return f"{self.base}/oauth2/authorize?" + urllib.parse.urlencode({
            "response_type": "code", "client_id": client["client_id"], "redirect_uri": callback, "scope": "openid phone",
            "state": "s", "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
        })

    def device_code(self, client):
        """The code that a device shows."""
        form, agent = {"client_id": client, "scope": "openid"}, {"User-Agent": "Terminal/1.0 (" + "x" * 100 + ")"}
        return self.server.client.post_form("/oauth2/device_authorization", form, **agent).json["user_code"]
