"""Pages beside the sign-in in a real browser: devices, the inbox, the front page, the docs; and that the checks find faults."""

import json
import os
import re
import subprocess

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from chromium import AXE, E164, MEASURES, NUMBER, PHONE, RUN_AXE, SCREENSHOTS, WIDTHS, PageTestCase


class OtherPageTests(PageTestCase):
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
