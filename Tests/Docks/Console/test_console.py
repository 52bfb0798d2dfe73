"""The console in a real browser, on a day with a pumping attack among people. What it refuses, and to whom, is in Tests/ConsoleTests.
With SCREENSHOTS=<folder> it leaves a picture of each page there."""

import os
import pathlib
import sys
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "EndToEnd"), str(ROOT / "Browser")]

from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

from chromium import chromium  # noqa: E402
from support import ServiceTestCase, free_port, sql  # noqa: E402
from test_pages import AXE, RUN_AXE, SCREENSHOTS  # noqa: E402

PLACES = ["", "deliveries", "guard", "person", "funnel", "programs", "audit", "health"]
SIZES = (360, 740), (1280, 800)
WIDER = "return document.documentElement.scrollWidth > document.documentElement.clientWidth"


class ConsoleTests(ServiceTestCase):
    settings = {"GUARD_PREFIX_SAMPLE": 10}

    def start(self):
        self.port = free_port()
        self.server = self.serve(CONSOLE_PORT=self.port)
        self.base = f"http://127.0.0.1:{self.port}/console"

    def a_day(self):
        """People, an attack on one prefix, and messages that failed; and, as if upkeep had counted them, the month before."""
        key = self.make_key()
        client = self.server.client
        for index in range(12):
            number = f"010-3{index:03}-{1000 + index}"
            begun = client.call("POST", "/v1/verifications", {"phone_number": number, "client_address": f"198.51.100.{index}"}, key)
            self.assertEqual(begun.status, 201, begun.text)
            if index % 4:
                code = client.code("+8210" + number[4:].replace("-", ""))
                client.call("POST", f"/v1/verifications/{begun.json['id']}/checks", {"code": code}, key)
        for index in range(25):
            client.call("POST", "/v1/verifications", {"phone_number": f"010-7777-{2000 + index}", "client_address": "203.0.113.9"}, key)
        client.sign_up("010-4444-0001")
        client.call("PUT", "/stub/behavior", {"mode": "reject", "error_code": 30003})
        for index in range(3):
            client.call("POST", "/v1/verifications", {"phone_number": f"010-5555-{3000 + index}"}, key)
        today = int(time.time() // 86_400)
        for day in range(today - 30, today):
            sent = 300 + (day * 37) % 200
            approved, held = sent * 7 // 10, 400 if day == today - 6 else (day * 13) % 9
            bounds = " ".join(str(approved * share // 100) for share in (8, 14, 30, 22, 12, 6, 4, 2, 1, 1, 0, 0))
            for region, caller, part in (("KR", "caller:shop", 1), ("US", "signup", 4)):
                values = [sent // part, held, sent // part, sent * 9 // 10 // part, approved // part, approved // part, approved // part // 2]
                sql(self.folder, f"""INSERT INTO daily_figure VALUES ('{day} {region} sms twilio {caller}',
                    {', '.join(map(str, values))}, '{bounds}', {sent * 7000 // part}, {(day + 400) * 86_400_000})""")

    def sign_in(self, driver, scope):
        driver.get(self.base)
        driver.find_element(By.ID, "key").send_keys(self.make_key(scope))
        driver.find_element(By.CSS_SELECTOR, "main button").click()
        self.expect(driver, "Now")

    def expect(self, driver, text, place="main"):
        """Waits until the page, or a part of it, has this text."""
        wait = WebDriverWait(driver, 10, ignored_exceptions=[StaleElementReferenceException, NoSuchElementException])
        wait.until(lambda _: text in driver.find_element(By.CSS_SELECTOR, place).text, text)

    def test_every_page_is_readable_on_a_phone_and_on_a_desk_in_light_and_dark(self):
        self.start()
        self.a_day()
        paths = PLACES + [f"person?q={urllib.parse.quote('+821044440001')}", "guard?number=%2B82107777"]
        for size in SIZES:
            driver = chromium()
            self.addCleanup(driver.quit)
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                   {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False})
            driver.get(self.base)
            self.check(driver, "sign-in", size)
            self.sign_in(driver, "admin")
            for path in paths:
                driver.get(f"{self.base}/{path}")
                self.check(driver, path, size)
            self.assertEqual([line for line in driver.get_log("browser") if "favicon" not in line["message"]], [])

    def check(self, driver, path, size):
        for scheme in ("light", "dark"):
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
                {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"},
            ]})
            driver.execute_script(AXE)
            self.assertEqual(driver.execute_async_script(RUN_AXE), [], (path, size, scheme))
            self.assertFalse(driver.execute_script(WIDER), (path, size, scheme))
            if SCREENSHOTS:
                name = "".join(c if c.isalnum() else "-" for c in path) or "now"
                driver.save_screenshot(os.path.join(SCREENSHOTS, f"console-{name}-{size[0]}-{scheme}.png"))

    def test_a_person_is_helped_without_javascript(self):
        self.start()
        self.server.client.sign_up("010-4444-0001")
        driver = chromium(javascript=False)
        self.addCleanup(driver.quit)
        self.sign_in(driver, "support")
        driver.find_element(By.LINK_TEXT, "Person").click()
        self.expect(driver, "Person", "h1")
        driver.find_element(By.ID, "q").send_keys("010-4444-0001")
        driver.find_element(By.CSS_SELECTOR, "main form button").click()
        self.expect(driver, "+82 10-4444-0001")
        self.act(driver, "Suspend", "ticket 7")
        self.expect(driver, "suspended", "table")
        self.assertEqual(sql(self.folder, "SELECT count(*) FROM account WHERE suspended_at IS NOT NULL"), [("1",)])
        self.act(driver, "Restore", "a mistake")
        self.expect(driver, "active\nNumber since", "table")
        driver.find_element(By.LINK_TEXT, "Audit").click()
        self.expect(driver, "suspend_account", "table")
        self.expect(driver, "a mistake", "table")
        driver.find_element(By.CSS_SELECTOR, "header button").click()
        self.expect(driver, "Sign in", "h1")

    def act(self, driver, name, reason):
        summary = next(each for each in driver.find_elements(By.TAG_NAME, "summary") if each.text == name)
        summary.click()
        form = summary.find_element(By.XPATH, "..").find_element(By.TAG_NAME, "form")
        form.find_element(By.NAME, "reason").send_keys(reason)
        form.find_element(By.TAG_NAME, "button").click()

    def test_it_is_off_until_it_has_a_port_and_not_on_the_service_itself(self):
        server = self.serve()
        self.assertEqual(server.client.call("GET", "/console").status, 404)
        server.stop()
        self.start()
        self.assertEqual(self.server.client.call("GET", "/console").status, 404)
        self.assertIn("the console is at", self.server.log_text)
