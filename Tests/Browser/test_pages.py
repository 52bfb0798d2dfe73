"""The pages in a real browser (headless Chromium), with and without JavaScript: the whole way. Run by scripts/test browser; with
SCREENSHOTS=<folder> it leaves a picture of each page there."""

import time
import urllib.parse

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from chromium import DESK, E164, NUMBER, PHONE, WIDTHS, PageTestCase, Site
from support import other_than, sql


class PageTests(PageTestCase):
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
        """In English at each width, without a script and in the other languages on the narrowest phone, where least fits; all in
        both schemes. The other tests have the screens of what goes wrong."""
        rules = {"PAGES_TERMS_URL": "https://ace.example/terms", "PAGES_PRIVACY_URL": "https://ace.example/privacy"}
        self.start(PAGES_NAME="Ace & Co", MESSAGES_LOCAL_SERVICE_NAMES="ko=에이스", VERIFICATION_ALLOWED_REGIONS="KR,US,GB",
                   PAGES_CONSENT="required", VERIFICATION_RESEND_COOLDOWNS_SECONDS="0", LIMITS_ENABLED="false", **rules)
        line = 10_000_000
        terminal = self.create_client("--name", "Terminal", "--public", "--device-sign-in")["client_id"]
        languages = self.server.client.call("GET", "/.well-known/openid-configuration").json["ui_locales_supported"]
        for language, javascript in [("en", False), *((language, True) for language in languages)]:
            driver = self.browser(javascript, language=language)

            def check(name):
                for width, height in WIDTHS if (language, javascript) == ("en", True) else WIDTHS[:1]:
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
