"""The pages about passkeys in a real browser with a virtual authenticator: readable in every language, light and dark, and used by the
keyboard alone; and what the console has of them. With SCREENSHOTS=<folder> it leaves a picture of each there."""

import json
import os
import pathlib
import sys
import unittest
import urllib.parse

HERE = pathlib.Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[2] / folder) for folder in ("EndToEnd", "Browser")]

from selenium.common.exceptions import WebDriverException  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

from chromium import AXE, PHONE, RUN_AXE, SCREENSHOTS, PageTestCase, chromium  # noqa: E402
from support import free_port, sql  # noqa: E402
from test_passkeys import NUMBER, OTHER, PasskeyTestCase, decoded  # noqa: E402

CONSOLE = HERE.parents[3] / "Sources" / "Docks" / "Console"


class PasskeyScreenTests(PageTestCase, PasskeyTestCase):
    def start(self, **settings):
        PasskeyTestCase.start(self, VERIFICATION_RESEND_COOLDOWNS_SECONDS="0", LIMITS_ENABLED="false", **settings)
        self.base = self.origin

    def browser(self, has_device=True, **options):
        driver = super().browser(size=PHONE, **options)
        if has_device:
            driver.execute_cdp_cmd("WebAuthn.enable", {})
            driver.execute_cdp_cmd("WebAuthn.addVirtualAuthenticator", {"options": {
                "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
                "isUserVerified": True, "automaticPresenceSimulation": True,
            }})
        return driver

    def shown(self, driver, selector, by=By.CSS_SELECTOR):
        """Waits for a part that the script shows."""
        return self.wait(driver, lambda: next((each for each in driver.find_elements(by, selector) if each.is_displayed()), None))

    def press(self, driver, text):
        self.shown(driver, f'//*[self::a or self::button][normalize-space()="{text}"]', By.XPATH).click()

    def shows(self, driver, text):
        return text in driver.find_element(By.TAG_NAME, "body").text

    def prove(self, driver, number=NUMBER, url=None):
        """From the page with the phone field to what follows the code."""
        before = len(self.server.client.codes(number))
        driver.get(url or self.base + "/signup")
        self.type(driver, "phone", number)
        self.type(driver, "code", self.code(number, before))

    def create_passkey(self, driver, number=NUMBER):
        self.prove(driver, number)
        self.expect(driver, "Skip the code next time")
        self.press(driver, "Create a passkey")
        self.expect(driver, "You're signed in")

    def sign_out(self, driver):
        self.press(driver, "Sign out")
        self.expect(driver, "You're signed out")

    def test_each_screen_in_each_language(self):
        self.start(PASSKEYS_AFTER_NUMBER_CHANGE="ask")
        languages = self.server.client.call("GET", "/.well-known/openid-configuration").json["ui_locales_supported"]
        for line, language in enumerate(languages):
            driver = self.browser(language=language)

            def check(name):
                self.check(driver, f"passkey-{name}-{language}")

            driver.get(self.base + "/signup")
            self.shown(driver, "#key button")
            check("phone")
            self.prove(driver, f"+82102000{1000 + line}")
            self.shown(driver, "#new-key button")
            check("offer")
            driver.execute_script("navigator.credentials.create = () => Promise.reject()")
            self.shown(driver, "#new-key button").click()
            self.wait(driver, lambda: driver.find_element(By.ID, "key-alert").text)
            check("not-made")
            driver.execute_script("delete navigator.credentials.create")
            self.shown(driver, "#new-key button").click()
            self.wait(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "form[action='oauth2/logout']"))
            check("signed-in")
            driver.get(self.base + "/passkeys")
            self.shown(driver, "#new-key button")
            check("list")
            name = driver.find_element(By.NAME, "name")
            name.clear()
            # As long as a name may be, and without a place to break it.
            name.send_keys("W" * 40, Keys.ENTER)
            self.wait(driver, lambda: "W" * 40 in driver.find_element(By.TAG_NAME, "main").text)
            self.shown(driver, "#new-key button")
            check("long-name")
            sql(self.folder, "UPDATE passkey SET confirmed_at = 0, last_used_at = NULL")
            driver.refresh()
            self.shown(driver, "button[value=confirm_key]")
            check("asks")
            driver.find_element(By.CSS_SELECTOR, "button[value=remove_key]").click()
            self.wait(driver, lambda: not driver.find_elements(By.CSS_SELECTOR, ".key"))
            self.shown(driver, "#new-key button")
            check("none")
            # The device still has it.
            driver.delete_all_cookies()
            driver.get(self.base + "/signup")
            self.shown(driver, "#key button").click()
            self.shown(driver, "[role=alert]")
            check("refused")
            driver.quit()

    def test_by_keyboard_alone(self):
        self.start()
        driver = self.browser()
        self.prove(driver)
        self.expect(driver, "Skip the code next time")
        self.shown(driver, "#new-key button")
        self.assertEqual(self.focus_order(driver), ["Create a passkey", "Not now"])
        driver.find_element(By.ID, "top").send_keys(Keys.TAB)
        driver.switch_to.active_element.send_keys(Keys.ENTER)
        self.expect(driver, "You're signed in")
        self.assertEqual(self.focus_order(driver), ["Sign out", "Passkeys"])
        driver.find_element(By.ID, "top").send_keys(Keys.TAB, Keys.TAB)
        driver.switch_to.active_element.send_keys(Keys.ENTER)
        self.expect(driver, "Passkeys")
        self.shown(driver, "#new-key button")
        # The field for the name has no text and no ID.
        self.assertEqual(self.focus_order(driver), ["", "Rename", "Remove", "Create a passkey", "Continue"])
        driver.find_element(By.ID, "top").send_keys(Keys.TAB)
        driver.switch_to.active_element.send_keys(Keys.CONTROL, "a")
        driver.switch_to.active_element.send_keys("Anna's phone", Keys.ENTER)
        self.wait(driver, lambda: self.heading(driver) == "Passkeys" and "Anna's phone" in driver.find_element(By.TAG_NAME, "h2").text)
        driver.delete_all_cookies()
        driver.get(self.base + "/signup")
        self.shown(driver, "#key button")
        order = self.focus_order(driver)
        self.assertIn("Sign in with a passkey", order)
        driver.find_element(By.ID, "top").send_keys(*[Keys.TAB] * (order.index("Sign in with a passkey") + 1))
        driver.switch_to.active_element.send_keys(Keys.ENTER)
        self.expect(driver, "You're signed in")

    def test_a_person_makes_a_passkey_after_the_code_and_signs_in_by_it(self):
        self.start()
        driver = self.browser()
        self.create_passkey(driver)
        self.sign_out(driver)
        driver.get(self.base + "/signup")
        self.press(driver, "Sign in with a passkey")
        self.expect(driver, "You're signed in")
        self.assertEqual(len(self.server.sent(NUMBER)), 1)
        # What there is, by another name, and no more.
        self.press(driver, "Passkeys")
        self.expect(driver, "Passkeys")
        field = driver.find_element(By.NAME, "name")
        self.assertEqual(field.get_attribute("value"), "Linux")
        field.clear()
        field.send_keys("Anna's phone")
        self.press(driver, "Rename")
        self.wait(driver, lambda: self.shows(driver, "Anna's phone"))
        self.press(driver, "Remove")
        self.wait(driver, lambda: self.shows(driver, "You have no passkeys yet."))
        # The device still has it.
        driver.delete_all_cookies()
        driver.get(self.base + "/signup")
        self.press(driver, "Sign in with a passkey")
        self.expect(driver, "Sign in with your phone number", "That passkey doesn't work here. Sign in with your phone number.")
        errors = [entry["message"] for entry in driver.get_log("browser") if "favicon" not in entry["message"]]
        self.assertEqual(errors, [])

    def test_a_device_makes_another_passkey_after_a_change_of_number(self):
        self.start()
        driver = self.browser()
        self.create_passkey(driver)
        _, token = self.signed_up()
        changes, client = "/v1/accounts/me/number-changes", self.server.client
        change = client.call("POST", changes, {"phone_number": OTHER}, token).json["id"]
        self.assertEqual(client.call("POST", f"{changes}/{change}/checks", {"code": client.code(OTHER)}, token).status, 200)
        self.sign_out(driver)
        self.create_passkey(driver, OTHER)
        self.sign_out(driver)
        driver.get(self.base + "/signup")
        self.press(driver, "Sign in with a passkey")
        self.expect(driver, "You're signed in")

    def test_who_wants_none_is_not_asked_again(self):
        self.start()
        driver = self.browser()
        self.prove(driver)
        self.expect(driver, "Skip the code next time")
        self.press(driver, "Not now")
        self.expect(driver, "You're signed in")
        self.sign_out(driver)
        self.prove(driver)
        self.expect(driver, "You're signed in")

    def test_nothing_is_offered_where_nothing_could_be_made(self):
        self.start()
        for javascript in (False, True):
            driver = self.browser(has_device=False, javascript=javascript)
            driver.get(self.base + "/signup")
            self.assertTrue(javascript or not self.shows(driver, "passkey"))
            self.prove(driver)
            self.expect(driver, "You're signed in")

    def test_a_client_learns_that_it_was_a_passkey(self):
        self.start()
        client = self.create_client("--public", "--name", "Shop", "--redirect-uri", "http://127.0.0.1:9/callback")
        query = {
            "client_id": client["client_id"], "redirect_uri": "http://127.0.0.1:9/callback", "response_type": "code",
            "scope": "openid", "prompt": "login", "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
            "code_challenge_method": "S256",
        }
        url = f"{self.base}/oauth2/authorize?{urllib.parse.urlencode(query)}"
        driver = self.browser()

        def methods():
            self.wait(driver, lambda: "code=ac_" in driver.current_url)
            code = urllib.parse.parse_qs(urllib.parse.urlsplit(driver.current_url).query)["code"][0]
            form = {
                "grant_type": "authorization_code", "code": code, "redirect_uri": query["redirect_uri"],
                "client_id": client["client_id"], "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
            }
            answer = self.server.client.call(
                "POST", "/oauth2/token", urllib.parse.urlencode(form), **{"Content-Type": "application/x-www-form-urlencoded"},
            )
            self.assertEqual(answer.status, 200, answer.text)
            return json.loads(decoded(answer.json["id_token"].split(".")[1]))["amr"]

        # The offer stands between the code and the client, which gets its answer whatever the person says.
        self.prove(driver, url=url)
        self.expect(driver, "Skip the code next time")
        self.press(driver, "Create a passkey")
        self.assertEqual(methods(), ["otp", "sms"])
        driver.get(url)
        self.press(driver, "Sign in with a passkey")
        self.assertEqual(methods(), ["hwk", "user"])
        self.assertEqual(len(self.server.sent(NUMBER)), 1)


@unittest.skipUnless(CONSOLE.exists(), "there is no console")
class PasskeyConsoleTests(PasskeyTestCase):
    def test_an_operator_sees_a_persons_passkeys_and_removes_one(self):
        port = free_port()
        self.start(CONSOLE_PORT=port, PASSKEYS_AFTER_NUMBER_CHANGE="ask")
        account, token = self.signed_up()
        lost = self.registered(token, name="Anna's <b>phone</b>")
        self.registered(token, name="W" * 40)
        self.assertEqual(self.sign_in(lost).status, 200)
        sql(self.folder, "UPDATE passkey SET confirmed_at = 0 WHERE name LIKE 'W%'")
        driver = chromium()
        self.addCleanup(driver.quit)
        driver.get(f"http://127.0.0.1:{port}/console")
        driver.find_element(By.ID, "key").send_keys(self.make_key("admin"), Keys.ENTER)
        self.text(driver, "header nav")
        driver.get(f"http://127.0.0.1:{port}/console/person?q={account}")
        for (width, height), scheme in [(size, scheme) for size in ((390, 844), (1280, 800)) for scheme in ("light", "dark")]:
            driver.execute_cdp_cmd(
                "Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
            )
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
                {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"},
            ]})
            self.look(driver, f"person-{width}-{scheme}")
            driver.find_element(By.CSS_SELECTOR, "td > button.danger").click()
            dialog = driver.find_element(By.CSS_SELECTOR, ".dialog:popover-open")
            self.assertEqual(dialog.find_element(By.TAG_NAME, "h2").text, "Remove the passkey Anna's <b>phone</b> of +82 10-1234-5678")
            self.look(driver, f"remove-{width}-{scheme}")
            driver.find_element(By.CSS_SELECTOR, ".dialog:popover-open button.plain").click()
            driver.find_elements(By.CSS_SELECTOR, "td > button.danger")[1].click()
            cut = "return [...document.querySelectorAll('.dialog:popover-open, .dialog:popover-open *')].filter(e => e.scrollWidth > e.clientWidth + 1).length"
            self.assertEqual(driver.execute_script(cut), 0, (width, scheme))
            self.look(driver, f"remove-long-{width}-{scheme}")
            driver.find_element(By.CSS_SELECTOR, ".dialog:popover-open button.plain").click()
        rows = [row.text.replace("\n", " ") for row in driver.find_elements(By.CSS_SELECTOR, "[aria-label=Passkeys] tbody tr")]
        self.assertRegex(rows[0], r"^Anna's <b>phone</b> 20\S+ \S+ 20\S+ \S+ active Remove$")
        self.assertRegex(rows[1], r"^W{40} 20\S+ \S+ – asks Remove$")
        driver.find_element(By.CSS_SELECTOR, "td > button.danger").click()
        driver.find_element(By.CSS_SELECTOR, ".dialog:popover-open [name=reason]").send_keys("a lost phone")
        driver.find_element(By.CSS_SELECTOR, ".dialog:popover-open button.act").click()
        self.assertEqual(self.text(driver, ".done"), "Removed the passkey Anna's <b>phone</b>.")
        self.assertEqual(len(driver.find_elements(By.CSS_SELECTOR, "[aria-label=Passkeys] tbody tr")), 1)
        self.look(driver, "removed")
        self.assertEqual(self.sign_in(lost).status, 401)
        entry, = self.listed("audit", "--action", "remove_sign_in_key")["items"]
        self.assertEqual((entry["owner"], entry["reason"]), ("caller:admin", "a lost phone"))

    def text(self, driver, selector):
        """Waits for the page that has this part."""
        wait = WebDriverWait(driver, 25, ignored_exceptions=[WebDriverException])
        return wait.until(lambda _: driver.find_element(By.CSS_SELECTOR, selector).text)

    def look(self, driver, name):
        driver.execute_script(AXE)
        self.assertEqual(driver.execute_async_script(RUN_AXE), [], name)
        wider = "return document.documentElement.scrollWidth > document.documentElement.clientWidth"
        self.assertFalse(driver.execute_script(wider), name)
        if SCREENSHOTS:
            driver.save_screenshot(os.path.join(SCREENSHOTS, f"console-passkeys-{name}.png"))
