"""The pages in a real browser when something goes wrong, and with several tabs."""

import time
import urllib.parse

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from chromium import E164, NUMBER, PHONE, PageTestCase, Site
from support import sql


class FaultPageTests(PageTestCase):
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
        # Without a script: test_openid_tabs.py.
        driver = self.browser()
        tabs = []
        for shop in shops:
            driver.switch_to.new_window("tab")
            driver.get(self.authorization(shop.url + "/callback"))
            self.expect(driver, "Sign in with your phone number")
            tabs.append(driver.current_window_handle)
        driver.switch_to.window(tabs[0])
        self.type(driver, "phone", NUMBER)
        self.expect(driver, "Enter the code")
        self.type(driver, "code", self.code())
        self.wait(driver, lambda: driver.current_url.startswith(shops[0].url + "/callback?code=ac_"))
        driver.switch_to.window(tabs[1])
        self.type(driver, "phone", NUMBER)
        self.wait(driver, lambda: driver.current_url.startswith(shops[1].url + "/callback?code=ac_"))
        # Back leads to no page that asks once more.
        driver.back()
        self.wait(driver, lambda: driver.current_url.startswith(shops[1].url + "/callback?code=ac_")
                  or self.heading(driver) == "Sign in with your phone number")
        driver.refresh()
        self.wait(driver, lambda: driver.current_url.startswith(shops[1].url + "/callback?code=ac_"))
        self.assertEqual(len(self.server.sent(E164)), 1)

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
