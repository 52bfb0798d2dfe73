"""The pages in a real browser (headless Chromium), with and without JavaScript. Run by scripts/test-browser; with
SCREENSHOTS=<folder> it leaves a picture of each page there."""

import contextlib
import http.server
import json
import os
import pathlib
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "EndToEnd"))

from support import Server, run  # noqa: E402

NUMBER = "010-1234-5678"
PHONE, DESK = (360, 740), (1024, 768)
SCREENSHOTS = os.environ.get("SCREENSHOTS")

# The contrast of each text with what is behind it, and the height of each thing to press.
MEASURES = """
const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(Number).map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
  return .2126 * r + .7152 * g + .0722 * b }
const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\\)$/.test(c)) return c } return "rgb(255, 255, 255)" }
const shown = [...document.querySelectorAll("h1, p, label, button, a, input")].filter(e => e.offsetHeight > 1)
return {
  contrasts: shown.filter(e => !e.disabled).map(e => { const [a, b] = [light(getComputedStyle(e).color), light(behind(e))].sort((x, y) => y - x)
    return [e.textContent.trim().slice(0, 20) || e.id, (a + .05) / (b + .05)] }),
  heights: shown.filter(e => /^(BUTTON|A|INPUT)$/.test(e.tagName)).map(e => [e.textContent.trim() || e.id, e.getBoundingClientRect().height]),
  unlabelled: [...document.querySelectorAll("input:not([type=hidden])")].filter(e => !e.labels.length).map(e => e.name),
  wider: document.documentElement.scrollWidth > innerWidth, language: document.documentElement.lang, title: document.title,
}
"""


class Shop(http.server.BaseHTTPRequestHandler):
    """Where a client has people come back to: another origin, which sends them on to a third."""

    def do_GET(self):
        if self.path.startswith("/callback"):
            self.send_response(303)
            self.send_header("Location", f"http://localhost:{self.server.server_port}/welcome?" + self.path.split("?")[1])
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!DOCTYPE html><h1>Welcome</h1>")

    def log_message(self, *_):
        pass


class PageTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.server = Server(self.folder, VERIFICATION_RESEND_COOLDOWNS_SECONDS="2,2,2")
        self.addCleanup(self.server.close)
        self.base = f"http://127.0.0.1:{self.server.port}"

    def browser(self, javascript=True, size=DESK, dark=False, language="en"):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--lang={language}"):
            options.add_argument(argument)
        preferences = {"intl.accept_languages": language}
        if not javascript:
            preferences["profile.managed_default_content_settings.javascript"] = 2
        options.add_experimental_option("prefs", preferences)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.addCleanup(driver.quit)
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": size[0], "height": size[1], "deviceScaleFactor": 2, "mobile": size == PHONE,
        })
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}],
        })
        return driver

    def picture(self, driver, name):
        if SCREENSHOTS:
            driver.save_screenshot(f"{SCREENSHOTS}/{name}.png")

    def wait(self, driver, probe, seconds=20):
        return WebDriverWait(driver, seconds, poll_frequency=0.05).until(lambda _: probe())

    def heading(self, driver):
        with contextlib.suppress(Exception):
            return driver.find_element(By.TAG_NAME, "h1").text

    def expect(self, driver, heading):
        self.wait(driver, lambda: self.heading(driver) == heading)

    def field(self, driver, id):
        return driver.find_element(By.ID, id)

    def code(self):
        return self.server.client.code("+821012345678")

    def check(self, driver):
        """What any page must be, in this browser as it is."""
        found = driver.execute_script(MEASURES)
        self.assertEqual(found["unlabelled"], [])
        self.assertFalse(found["wider"])
        for text, contrast in found["contrasts"]:
            self.assertGreaterEqual(contrast, 4.5, text)
        for text, height in found["heights"]:
            self.assertGreaterEqual(height, 44, text)
        problems = [entry["message"] for entry in driver.get_log("browser") if "favicon" not in entry["message"]
                    and "status of 4" not in entry["message"]]
        self.assertEqual(problems, [])

    def test_the_whole_way_by_keyboard_with_javascript(self):
        driver = self.browser()
        driver.get(self.base + "/signup")
        self.expect(driver, "Sign in with your phone number")
        self.check(driver)
        # The field has the focus. Hyphens come by themselves, and the caret stays where one types.
        field = driver.switch_to.active_element
        self.assertEqual((field.get_attribute("id"), field.get_attribute("value")), ("phone", "010-"))
        for digit in "12345678":
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
        field.send_keys(Keys.ENTER)

        self.expect(driver, "Enter the code")
        self.check(driver)
        self.assertEqual(driver.switch_to.active_element.get_attribute("id"), "code")
        again = driver.find_element(By.CSS_SELECTOR, "#resend button")
        self.assertFalse(again.is_enabled())
        self.wait(driver, again.is_enabled)
        announced = self.field(driver, "announcement").get_attribute("textContent")
        self.assertIn("sent again", announced)
        again.click()
        self.wait(driver, lambda: len(self.server.client.messages("+821012345678")) == 2)
        self.expect(driver, "Enter the code")
        code = self.code()
        # It is sent when it is complete.
        self.field(driver, "code").send_keys("111111" if code != "111111" else "222222")
        self.wait(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "[role=alert]"))
        self.check(driver)
        self.picture(driver, "wrong-code")
        self.field(driver, "code").send_keys(code)
        self.expect(driver, "You are signed in")
        self.check(driver)
        driver.find_element(By.TAG_NAME, "button").click()
        self.expect(driver, "You are signed out")

    def test_the_whole_way_without_javascript_for_a_client_of_another_site(self):
        shop = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Shop)
        threading.Thread(target=shop.serve_forever, daemon=True).start()
        self.addCleanup(shop.shutdown)
        callback = f"http://127.0.0.1:{shop.server_port}/callback"
        arguments = ("--name", "Pretty Shop", "--redirect-uri", callback, "--json")
        client = json.loads(run("clients", "create", *arguments, folder=self.folder)[1])
        query = urllib.parse.urlencode({
            "response_type": "code", "client_id": client["client_id"], "redirect_uri": callback, "scope": "openid phone",
            "state": "s", "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
        })
        driver = self.browser(javascript=False, size=PHONE)
        driver.get(f"{self.base}/oauth2/authorize?{query}")
        self.expect(driver, "Sign in with your phone number")
        self.picture(driver, "client-phone")
        field = self.field(driver, "phone")
        field.clear()
        field.send_keys("01012345678", Keys.ENTER)
        self.expect(driver, "Enter the code")
        self.picture(driver, "client-code")
        self.field(driver, "code").send_keys(self.code(), Keys.ENTER)
        self.wait(driver, lambda: "/callback?code=ac_" in driver.current_url or "/welcome?code=ac_" in driver.current_url)

    def test_pages_can_be_read_in_every_look(self):
        for name, settings in {
            "light": {}, "dark": {"dark": True}, "phone-korean": {"size": PHONE, "language": "ko"},
            "phone-korean-dark": {"size": PHONE, "language": "ko", "dark": True},
        }.items():
            with self.subTest(name):
                driver = self.browser(**settings)
                driver.get(self.base + "/signup")
                self.check(driver)
                self.picture(driver, f"{name}-1-phone")
                field = self.field(driver, "phone")
                field.clear()
                field.send_keys("010-12", Keys.ENTER)
                self.wait(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "[role=alert]"))
                self.check(driver)
                self.picture(driver, f"{name}-2-wrong-number")
                field = self.field(driver, "phone")
                field.clear()
                number = f"010-5555-{1000 + len(name):04}"
                field.send_keys(number, Keys.ENTER)
                self.wait(driver, lambda: driver.find_elements(By.ID, "code"))
                self.field(driver, "code").send_keys("123")
                self.check(driver)
                self.picture(driver, f"{name}-3-code")
                driver.find_element(By.CSS_SELECTOR, "a").click()
                self.wait(driver, lambda: driver.find_elements(By.ID, "phone"))
                self.assertEqual(self.field(driver, "phone").get_attribute("value"), number)
                driver.get(self.base + "/oauth2/authorize?client_id=x")
                self.check(driver)
                self.picture(driver, f"{name}-4-untrusted")


if __name__ == "__main__":
    unittest.main()
