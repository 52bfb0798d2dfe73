"""The component <phone-signup> on pages of another site, in headless Chromium. Run by scripts/test browser."""

import base64
import hashlib
import secrets
import urllib.parse

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from chromium import Site, chromium
from documentation import all_blocks
from support import ServiceTestCase, free_port

PHONE = "+821012345678"
# The page's own script: the events, and all that it could find out.
LISTENER = """
window.events = []
const heard = new BroadcastChannel("phone-signup")
window.overheard = []
heard.onmessage = ({ data }) => overheard.push(data)
for (const type of ["sent", "failed", "signed-in"])
  document.querySelector("phone-signup").addEventListener(type, ({ detail }) => events.push([type, detail]))
"""


class EmbedTests(ServiceTestCase):
    @classmethod
    def setUpClass(cls):
        cls.driver = chromium()
        cls.addClassCleanup(cls.driver.quit)

    def setUp(self):
        # Of the test before.
        self.driver.get_log("browser")
        super().setUp()
        port = free_port()
        # Pages of 127.0.0.1 and localhost are different sites.
        self.issuer = f"http://localhost:{port}"
        self.server = self.serve(port=port, TOKENS_ISSUER=self.issuer)
        self.site = self.enter(Site())
        self.site.pages["/listener.js"] = lambda *_: (200, {"Content-Type": "text/javascript"}, LISTENER)

    def tearDown(self):
        first, *others = self.driver.window_handles
        for window in others:
            self.driver.switch_to.window(window)
            self.driver.close()
        self.driver.switch_to.window(first)
        self.driver.delete_all_cookies()
        self.driver.get(self.issuer + "/signup")
        self.driver.delete_all_cookies()

    # What everybody does

    def client(self, uri, *arguments):
        return self.create_client("--name", "Shop", "--redirect-uri", uri, *arguments)

    def page(self, attributes, lang="en"):
        return (
            f'<!DOCTYPE html><html lang="{lang}"><title>Shop</title><script type="module" src="{self.issuer}/embed.js"></script>'
            f'<phone-signup {attributes}></phone-signup><script type="module" src="/listener.js"></script>'
        )

    def single_page(self, attributes="", **options):
        """A public client of one page, which is also the redirect URI."""
        client = self.client(self.site.url + "/", "--public")
        self.site.pages["/"] = self.page(f'client="{client["client_id"]}" redirect-uri="/" {attributes}', **options)
        self.open("/")

    def server_side(self, attributes=""):
        """A client whose server begins the sign-in and ends it."""
        callback = self.site.url + "/callback"
        client = self.client(callback)
        verifier = secrets.token_urlsafe(48)
        digest = hashlib.sha256(verifier.encode()).digest()

        def login(_, query):
            fields = {
                "response_type": "code", "client_id": client["client_id"], "redirect_uri": callback, "scope": "openid phone",
                "state": "s", "display": "popup", "code_challenge_method": "S256",
                "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            }
            return 303, {"Location": f"{self.issuer}/oauth2/authorize?{urllib.parse.urlencode(fields)}"}, ""

        def finish(_, query):
            form = {
                "grant_type": "authorization_code", "code": query["code"], "redirect_uri": callback,
                "code_verifier": verifier, "client_id": client["client_id"], "client_secret": client["client_secret"],
            }
            self.tokens = self.server.client.post_form("/oauth2/token", form).json
            return 200, {"Set-Cookie": "session=1; HttpOnly"}, self.page('done href="/account"')

        self.site.pages.update({
            "/": self.page(f'href="/login" {attributes}'), "/login": login, "/callback": finish, "/account": "<h1>Account</h1>",
        })
        self.open("/")

    def open(self, path):
        self.driver.get(self.site.url + path)
        self.main = self.driver.current_window_handle

    def wait(self, probe, what, seconds=20):
        return WebDriverWait(self.driver, seconds, poll_frequency=0.05, ignored_exceptions=[WebDriverException]).until(
            lambda _: probe(), what
        )

    def button(self):
        return self.wait(
            lambda: self.driver.execute_script("return document.querySelector('phone-signup').shadowRoot.querySelector('button')"),
            "the button",
        )

    def events(self):
        # None while the page is being loaded.
        return self.driver.execute_script("return window.events") or []

    def popup(self):
        """Goes to the window that was opened."""
        window = self.wait(lambda: next((each for each in self.driver.window_handles if each != self.main), None), "a window")
        self.driver.switch_to.window(window)

    def type(self, field, text):
        element = self.wait(lambda: self.driver.find_element(By.ID, field), field)
        element.clear()
        element.send_keys(text, Keys.ENTER)

    def expect(self, heading):
        self.wait(lambda: self.driver.find_element(By.TAG_NAME, "h1").text == heading, heading)

    def sign_in(self):
        self.type("phone", "010-1234-5678")
        self.expect("Enter the code")
        self.type("code", self.server.client.code(PHONE))

    def back(self):
        self.wait(lambda: self.driver.window_handles == [self.main], "the window to close")
        self.driver.switch_to.window(self.main)

    def assert_signed_in(self):
        user = self.wait(lambda: next((detail for type, detail in self.events() if type == "signed-in"), None), "signed-in")
        self.assertEqual(set(user), {"sub", "phone_number", "phone_number_verified"})
        self.assertEqual((user["phone_number"], user["phone_number_verified"]), (PHONE, True))

    def problems(self):
        return [entry["message"] for entry in self.driver.get_log("browser") if "status of 4" not in entry["message"]]

    # A client without a server

    def test_the_window_offers_a_channel_of_the_operators_by_its_name(self):
        self.assertEqual(self.server.stop(), 0)
        order = self.write("order.yaml", 'sms: {channels: {"*": [viber, sms]}}\n')
        self.server = self.serve(
            command=("serve", "--config", order), port=self.server.port, TOKENS_ISSUER=self.issuer, SMS_STUB_SERVES="sms,viber",
            VERIFICATION_RESEND_COOLDOWNS_SECONDS="0",
        )
        self.single_page()
        self.button().click()
        self.popup()
        self.type("phone", "010-1234-5678")
        self.expect("Enter the code")
        self.assertIn("We sent a code to 010-1234-5678 on Viber.", self.driver.find_element(By.TAG_NAME, "main").text)
        other = self.driver.find_element(By.CSS_SELECTOR, ".others button")
        self.assertEqual(other.text, "Text me instead")
        other.click()
        code = self.server.client.code(PHONE)
        self.wait(lambda: self.driver.find_element(By.CSS_SELECTOR, ".others button").text == "Use Viber", "the other way")
        self.type("code", code)
        self.back()
        self.assert_signed_in()

    def test_a_page_without_a_server_signs_in_by_keyboard_in_a_window_under_a_strict_policy(self):
        self.site.fields = {
            "Content-Security-Policy":
                f"default-src 'none'; script-src 'self' {self.issuer}; connect-src {self.issuer}; base-uri 'none'; "
                "require-trusted-types-for 'script'; trusted-types 'none'",
        }
        self.single_page()
        self.assertEqual(self.button().text, "Sign in with your phone number")
        self.driver.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
        focused = "return document.activeElement.shadowRoot?.activeElement === document.querySelector('phone-signup').shadowRoot.querySelector('button')"
        self.assertTrue(self.driver.execute_script(focused))
        self.driver.switch_to.active_element.send_keys(Keys.ENTER)
        self.assertEqual(self.button().get_attribute("aria-busy"), "true")
        self.popup()
        self.type("phone", "010-1234-5678")
        self.expect("Enter the code")
        code = self.server.client.code(PHONE)
        self.type("code", "111111" if code != "111111" else "222222")
        self.wait(lambda: self.driver.find_elements(By.CSS_SELECTOR, "[role=alert]"), "an alert")
        self.type("code", code)
        self.back()
        self.assert_signed_in()
        self.assertIsNone(self.button().get_attribute("aria-busy"))
        types = [type for type, _ in self.events()]
        self.assertEqual(types, ["sent", "failed", "signed-in"])
        self.assertEqual(self.events()[1][1], {"error": "code_incorrect"})
        # All that other scripts of the origin can see is the code, which is useless without the verifier.
        overheard = self.driver.execute_script("return overheard")
        self.assertEqual([set(each) for each in overheard], [{"code", "state", "error"}])
        self.assertEqual(self.driver.execute_script("return [sessionStorage.length, localStorage.length, document.cookie]"), [0, 0, ""])
        self.assertEqual(self.problems(), [])

    def test_a_page_that_is_redirected_comes_back_without_a_code_in_its_address(self):
        self.single_page('mode="redirect"')
        self.driver.get(self.site.url + "/?page=2#top")
        self.button().click()
        self.sign_in()
        self.wait(lambda: self.driver.current_url == self.site.url + "/", "the page")
        self.assert_signed_in()
        self.assertEqual(self.driver.execute_script("return sessionStorage.length"), 0)
        # The same address again signs nobody in.
        spent = next(each.path for each in reversed(self.site.requests) if "code=" in each.path)
        self.open(spent)
        self.button()
        self.wait(lambda: self.driver.current_url == self.site.url + "/", "the page")
        self.assertEqual(self.events(), [])

    def test_where_windows_are_blocked_it_is_redirected(self):
        self.single_page()
        self.driver.execute_script("window.open = () => null")
        self.button().click()
        self.sign_in()
        self.assert_signed_in()
        self.assertEqual(len(self.driver.window_handles), 1)

    def test_responses_of_others_are_ignored(self):
        """A code that somebody else got signs nobody in (login CSRF), neither in the page nor in the one that waits."""
        self.single_page()
        issuer = urllib.parse.quote(self.issuer)
        self.button().click()
        self.popup()
        self.expect("Sign in with your phone number")
        for query in (f"code=ac_x&state=forged&iss={issuer}", f"code=ac_x&iss={issuer}", f"error=access_denied&state=&iss={issuer}"):
            self.driver.switch_to.new_window("tab")
            self.open_in_tab("/?" + query)
        self.driver.switch_to.window(self.main)
        self.wait(lambda: self.driver.execute_script("return overheard.length") == 1, "the forged response")
        self.assertEqual(self.events(), [])
        # And another provider's is left to the page.
        self.driver.get(self.site.url + "/?code=x&state=y&iss=https%3A%2F%2Fother.example")
        self.button()
        self.assertIn("code=x&state=y", self.driver.current_url)
        forged = "window.postMessage({ phoneSignup: 'sent' }, '*'); return new Promise(done => setTimeout(done))"
        self.driver.execute_script(forged)
        self.assertEqual(self.events(), [])

    def open_in_tab(self, path):
        self.driver.get(self.site.url + path)
        self.button()

    def test_it_speaks_the_pages_language_and_wears_its_colours(self):
        self.single_page('style="--phone-signup-background: rgb(0, 90, 0)"', lang="ko-KR")
        button = self.button()
        self.assertEqual(button.text, "휴대폰 번호로 로그인")
        self.assertEqual(button.value_of_css_property("background-color"), "rgba(0, 90, 0, 1)")
        self.assertGreaterEqual(button.size["height"], 44)
        button.click()
        self.popup()
        self.expect("휴대폰 번호로 로그인")
        self.driver.switch_to.window(self.main)
        self.driver.execute_script("document.querySelector('phone-signup').setAttribute('label', 'Los!')")
        self.assertEqual(self.button().text, "Los!")

    # A client with a server

    def test_a_server_signs_in_and_no_token_is_in_the_browser(self):
        self.server_side()
        self.button().click()
        self.popup()
        self.sign_in()
        self.back()
        self.wait(lambda: [type for type, _ in self.events()] == ["sent", "signed-in"], "the events")
        self.assertEqual(self.events()[1][1], None)
        self.assertEqual(self.driver.execute_script("return overheard"), [{"error": None}])
        self.assertIn("id_token", self.tokens)

    def test_a_page_that_isolates_itself_gets_the_result_too(self):
        self.site.fields = {"Cross-Origin-Opener-Policy": "same-origin"}
        self.server_side()
        self.button().click()
        self.popup()
        self.sign_in()
        self.back()
        self.wait(lambda: [type for type, _ in self.events()] == ["signed-in"], "the event")

    def test_a_redirected_browser_goes_on_where_the_page_says(self):
        self.server_side('mode="redirect"')
        self.button().click()
        self.sign_in()
        self.expect("Account")

    def test_the_articles_pages_sign_in(self):
        client = self.client(self.site.url + "/single", "--public")
        start, done, single = (
            block.text.replace("https://phone.example", self.issuer).replace("https://shop.example/", self.site.url + "/single")
            .replace("cli_…", client["client_id"])
            for block in all_blocks("html")
        )
        self.server_side()
        self.site.pages.update({"/": start, "/done": done, "/single": single})
        finish = self.site.pages["/callback"]

        def callback(request, query):
            finish(request, query)
            return 303, {"Location": "/done"}, ""

        self.site.pages["/callback"] = callback
        self.open("/")
        self.button().click()
        self.popup()
        self.sign_in()
        self.back()
        self.expect("Account")
        # The browser is signed in by now, so the window closes at once.
        self.open("/single")
        self.button().click()
        self.wait(lambda: self.driver.find_element(By.TAG_NAME, "output").text == PHONE, "the number")

    # The pages in the window

    def test_only_a_page_of_the_client_gets_reports_of_a_window(self):
        self.single_page()
        redirect = urllib.parse.quote(self.site.url + "/", safe="")
        for display, policy in (("popup", "unsafe-none"), ("page", "same-origin"), ("", "same-origin")):
            client = self.listed("clients", "list")["items"][0]["id"]
            query = (f"response_type=code&client_id={client}&redirect_uri={redirect}&scope=openid&display={display}"
                     "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256")
            answer = self.server.client.call("GET", "/signup?" + query)
            self.assertEqual((answer.status, answer.headers["Cross-Origin-Opener-Policy"]), (200, policy))
        # A page of a third site that opens the same window hears nothing.
        other = self.enter(Site())
        other.pages["/"] = (
            '<!DOCTYPE html><button></button><script>window.heard = []\n'
            'onmessage = ({ data }) => heard.push(data)\n'
            f'document.querySelector("button").onclick = () => open("{self.issuer}/signup?{query.replace("display=", "display=popup")}")</script>'
        )
        self.driver.get(other.url)
        self.driver.find_element(By.TAG_NAME, "button").click()
        self.popup()
        self.type("phone", "010-1234-5678")
        self.expect("Enter the code")
        # What is posted in the order of the pages' tasks: after this, what the page has posted has come.
        self.driver.execute_script("opener.postMessage('last', '*')")
        self.driver.switch_to.window(self.main)
        self.wait(lambda: self.driver.execute_script("return heard.includes('last')"), "a message")
        self.assertEqual(self.driver.execute_script("return heard"), ["last"])
