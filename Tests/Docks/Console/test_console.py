"""The console in a real browser, on a day with a pumping attack among people. What it refuses, and to whom, is in Tests/Docks/Console/ConsoleTests.
With SCREENSHOTS=<folder> it leaves a picture of each page there."""

import http.client
import itertools
import json
import os
import pathlib
import re
import sys
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "EndToEnd"), str(ROOT / "Browser")]

from selenium.common.exceptions import WebDriverException  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

from chromium import AXE, RUN_AXE, SCREENSHOTS, chromium  # noqa: E402
from peer import Peer  # noqa: E402
from support import Client, ServiceTestCase, free_port, sql, wait_for  # noqa: E402

PLACES = ["", "deliveries", "guard", "person", "funnel", "programs", "audit", "health"]
SIZES = (390, 844), (1280, 800)
WIDER = "return document.documentElement.scrollWidth > document.documentElement.clientWidth"


class ConsoleTests(ServiceTestCase):
    settings = {"GUARD_PREFIX_SAMPLE": 10}

    def setUp(self):
        super().setUp()
        self.acts = set()

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
        today, hour = int(time.time() // 86_400), int(time.time() // 3600)
        hours = {"service": "", "KR": "", "+82107777": ""}
        for at in range(hour - 23, hour):
            # People sleep.
            sent = 6 + 9 * min((at + 9) % 24, 24 - (at + 9) % 24) + at * 7 % 11
            hours["service"] += f"{at} {sent} {sent * 7 // 10} 0 "
            hours["KR"] += f"{at} {sent} {sent * 7 // 10} 0 "
            if hour - 9 < at < hour - 2:
                hours["+82107777"] += f"{at} 4 0 {60 + at * 13 % 40} "
        for key, text in hours.items():
            sql(self.folder, f"UPDATE traffic SET hours = '{text}' || hours WHERE key = '{key}'")
        for day in range(today - 30, today + 1):
            sent = 300 + (day * 37) % 200
            approved, held = sent * 7 // 10, 400 if day == today - 6 else (day * 13) % 9
            bounds = " ".join(str(approved * share // 100) for share in (8, 14, 30, 22, 12, 6, 4, 2, 1, 1, 0, 0))
            for region, caller, part in (("KR", "caller:shop", 1), ("US", "signup", 4)):
                values = [sent // part, held, sent // part, sent * 9 // 10 // part, approved // part, approved // part, approved // part // 2]
                sql(self.folder, f"""INSERT INTO daily_figure VALUES ('{day} {region} sms twilio {caller}',
                    {', '.join(map(str, values))}, '{bounds}', {sent * 7000 // part}, {(day + 400) * 86_400_000})""")

    def browser(self, size=None, **options):
        driver = chromium(**options)
        self.addCleanup(driver.quit)
        if size:
            metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        return driver

    def color(self, driver, scheme):
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"},
        ]})

    def cookie(self):
        """Of a viewer who is signed in, without a browser."""
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        answer = Client(self.port).call("POST", "/console/sign-in", f"key={self.make_key('viewer')}", **form)
        return answer.headers["Set-Cookie"].split(";")[0]

    def sign_in(self, driver, scope):
        driver.get(self.base)
        driver.find_element(By.ID, "key").send_keys(self.make_key(scope))
        driver.find_element(By.CSS_SELECTOR, "main button").click()
        self.expect(driver, "Now")

    def expect(self, driver, text, place="main"):
        """Waits until the page, or a part of it, has this text."""
        # While another page comes, what was found before may be of neither.
        wait = WebDriverWait(driver, 25, ignored_exceptions=[WebDriverException])
        wait.until(lambda _: text in driver.find_element(By.CSS_SELECTOR, place).text, text)

    def test_every_page_is_readable_on_a_phone_and_on_a_desk_in_light_and_dark(self):
        self.start()
        self.a_day()
        paths = PLACES + [f"person?q={urllib.parse.quote('+821044440001')}", "guard?number=%2B82107777"]
        for size in SIZES:
            driver = self.browser(size)
            driver.get(self.base)
            self.check(driver, "sign-in", size)
            self.sign_in(driver, "admin")
            for path in paths:
                driver.get(f"{self.base}/{path}")
                self.check(driver, path, size)
            self.assertEqual([line for line in driver.get_log("browser") if "favicon" not in line["message"]], [])

    def check(self, driver, path, size):
        for scheme in ("light", "dark"):
            self.color(driver, scheme)
            driver.execute_script(AXE)
            self.assertEqual(driver.execute_async_script(RUN_AXE), [], (path, size, scheme))
            self.assertFalse(driver.execute_script(WIDER), (path, size, scheme))
            if SCREENSHOTS:
                name = "".join(c if c.isalnum() else "-" for c in path) or "now"
                driver.save_screenshot(os.path.join(SCREENSHOTS, f"console-{name}-{size[0]}-{scheme}.png"))

    def test_a_person_is_helped_without_javascript(self):
        self.start()
        self.server.client.sign_up("010-4444-0001")
        driver = self.browser(javascript=False)
        self.sign_in(driver, "support")
        driver.find_element(By.LINK_TEXT, "Person").click()
        self.expect(driver, "Person", "h1")
        driver.find_element(By.ID, "q").send_keys("010-4444-0001")
        driver.find_element(By.CSS_SELECTOR, "main form button").click()
        self.expect(driver, "+82 10-4444-0001")
        self.act(driver, "Suspend", "ticket 7", "Suspend the account of +82 10-4444-0001")
        self.expect(driver, "suspended", "h2")
        self.expect(driver, "Suspended the account, and signed it out everywhere.", ".done")
        self.assertEqual(sql(self.folder, "SELECT count(*) FROM account WHERE suspended_at IS NOT NULL"), [("1",)])
        self.act(driver, "Restore", "a mistake")
        self.expect(driver, "active", "h2")
        driver.find_element(By.LINK_TEXT, "Audit").click()
        self.expect(driver, "suspend account", "table")
        self.expect(driver, "a mistake", "table")
        driver.find_element(By.CSS_SELECTOR, "header button").click()
        self.expect(driver, "Sign in", "h1")

    def test_every_act_names_what_it_acts_on_and_says_what_it_did(self):
        self.downloads = f"{self.folder}/downloads"
        os.mkdir(self.downloads)
        receiver = self.enter(Peer(lambda request: 410))
        self.settings = {**self.settings, "WEBHOOKS_URL": receiver.url, "WEBHOOKS_SECRETS": "whsec_" + "A" * 43 + "="}
        self.start()
        self.a_day()
        for index, (size, scheme) in enumerate(itertools.product(SIZES, ("light", "dark"))):
            with self.subTest(size=size, scheme=scheme):
                driver = self.browser(size)
                self.color(driver, scheme)
                driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": self.downloads})
                self.sign_in(driver, "admin")
                self.act_on_messages(driver)
                self.act_on_the_guard(driver)
                self.act_on_a_person(driver, f"010-4444-{1001 + index}", f"010-4444-{2001 + index}")
                self.act_on_programs(driver)
                # The refused test message, and that a link to a part of a page sets no focus.
                known = ("favicon", "409", "Autofocus")
                self.assertEqual([line for line in driver.get_log("browser") if not any(word in line["message"] for word in known)], [])
                driver.quit()
        labels = set()
        for file in (ROOT.parent / "Sources/Docks/Console").glob("*.swift"):
            labels |= set(re.findall(r'visitor\.act\(\s*"([^"\\]+)', file.read_text()))
        # These two are one in the source, and passkeys are of another dock, whose tests have this one.
        labels = labels - {"Remove"} | {"Allow", "Block"}
        self.assertEqual({re.sub("^Switch to .*", "Switch to ", name) for name in self.acts}, labels)

    def act_on_messages(self, driver):
        self.server.client.call("PUT", "/stub/behavior", {"mode": "reject", "error_code": 30003})
        driver.get(f"{self.base}/deliveries")
        self.act(driver, "Pause", "ticket 1", "Pause stub")
        self.expect(driver, "Paused stub", ".done")
        # It is said once, and shown as wrong on Now, from where one click leads to the gateway.
        driver.get(self.base)
        self.expect(driver, "stub is paused by an operator", ".wrong")
        # At once: the list is made anew every five seconds.
        driver.execute_script("document.querySelector('.wrong a').click()")
        self.expect(driver, "paused", "table")
        self.assertEqual(driver.find_elements(By.CSS_SELECTOR, ".done"), [])
        self.act(driver, "Resume", "ticket 1", "Resume stub")
        self.expect(driver, "Resumed stub", ".done")
        self.act(driver, "Test", "ticket 2", "Send a test message by stub", number="010-4444-0001")
        # The stub rejects all since the day before.
        self.expect(driver, "The test message was not accepted by stub", "main")
        driver.get(f"{self.base}/deliveries?status=failed")
        self.act(driver, "Send again", "ticket 3", "Send the message to +82 10-5555-")
        self.expect(driver, "The message is queued again.", ".done")
        driver.get(f"{self.base}/deliveries")
        self.act(driver, "Send again", "ticket 3", " again")
        self.expect(driver, "Queued ", ".done")
        driver.find_element(By.LINK_TEXT, "Back to Deliveries").click()
        self.expect(driver, "Deliveries", "h1")

    def act_on_the_guard(self, driver):
        driver.get(f"{self.base}/guard")
        self.act(driver, "Switch to shadow", "ticket 4", "Switch the guard to shadow")
        self.expect(driver, "The guard is in mode shadow", ".done")
        # What is challenged, or only observed, has its own rules beside it.
        for name, done in (("Allow", "allow"), ("Block", "block")):
            self.act(driver, name, "ticket 5", f"{name} +8210")
            self.expect(driver, f"Added the rule to {done} +8210", ".done")
            self.act(driver, "Unblock", "ticket 5", "Unblock +8210")
            self.expect(driver, f"removed the rule to {done} +8210", ".done")
        self.act(driver, "Use the configured mode", "ticket 4", "Switch the guard to enforce, its configured mode")
        self.expect(driver, "The guard is in mode enforce, as set", ".done")
        self.act(driver, "Allow or block a prefix", "ticket 5", prefix="+82")
        self.expect(driver, "+82 is a whole country or more. It had ")
        driver.find_element(By.LINK_TEXT, "Cancel").click()
        self.expect(driver, "Guard", "h1")
        self.assertEqual(sql(self.folder, "SELECT count(*) FROM guard_rule"), [("0",)])
        self.act(driver, "Allow or block a prefix", "ticket 5", prefix="+82101234")
        self.expect(driver, "Added the rule to block +82101234 until it is removed.", ".done")
        self.act(driver, "Unblock", "ticket 5", "Unblock +82101234")
        self.expect(driver, "removed the rule to block +82101234", ".done")

    def act_on_a_person(self, driver, number, other):
        shown = f"+82 {number[1:]}"
        self.server.client.call("PUT", "/stub/behavior", {"mode": "deliver"})
        client = self.server.client
        access = client.sign_up(number).json["tokens"]["access_token"]
        # As somebody does who has the phone for a moment.
        begun = client.call("POST", "/v1/accounts/me/number-changes", {"phone_number": other}, access)
        self.assertEqual(client.call("POST", begun.headers["Location"] + "/checks", {"code": client.code(other)}, access).status, 200)
        driver.get(f"{self.base}/person?q={other}")
        self.act(driver, "Undo this change", "not theirs", f"Give the account {shown} back")
        self.expect(driver, "again, and is signed out everywhere.", ".done")
        driver.get(f"{self.base}/person?q={number}")
        self.act(driver, "Clear limits", "ticket 6", f"Clear the limits of {shown}")
        self.expect(driver, "Cleared the limits of +82 10-****-", ".done")
        self.act(driver, "Sign out everywhere", "a lost phone", f"Sign {shown} out everywhere")
        self.expect(driver, "Signed out everywhere.", ".done")
        self.act(driver, "Suspend", "ticket 7", f"Suspend the account of {shown}")
        self.expect(driver, "Suspended the account", ".done")
        self.act(driver, "Restore", "a mistake", f"Restore the account of {shown}")
        self.expect(driver, "Restored the account.", ".done")
        self.act(driver, "Change number", "a new SIM", f"Change the number of {shown}", new_number=other)
        self.expect(driver, "The account has +82 10-****-", ".done")
        shown = f"+82 {other[1:]}"
        self.act(driver, "Export all data", "asked for", f"Export all data of {shown}")
        wait_for(lambda: [path for path in os.listdir(self.downloads) if path.endswith(".json")], "a file")
        for path in os.listdir(self.downloads):
            os.remove(os.path.join(self.downloads, path))
        driver.refresh()
        self.act(driver, "Erase all data", "asked for", f"Erase all data of {shown}", confirmation="erase")
        self.expect(driver, "Erased all data of +82 10-****-", ".done")
        self.expect(driver, "1 account")

    def act_on_programs(self, driver):
        driver.get(f"{self.base}/programs")
        self.make_key("viewer")
        driver.refresh()
        self.act(driver, "Revoke", "left", "Revoke the key viewer")
        self.expect(driver, "Revoked the key viewer.", ".done")
        wait_for(lambda: driver.refresh() or "Deliver again" in driver.find_element(By.TAG_NAME, "main").text, "a failed event")
        self.act(driver, "Deliver again", "the receiver is back", "Deliver ")
        self.expect(driver, "is queued again.", ".done")

    def test_now_changes_while_somebody_looks_until_they_are_signed_out(self):
        self.start()
        driver = self.browser()
        self.sign_in(driver, "viewer")
        self.expect(driver, "Live", "#state")
        driver.execute_script("window.isTheSame = true")
        self.assertIn("Messages, 1 h\n0", driver.find_element(By.ID, "live").text)
        key = self.make_key()
        for index in range(2):
            self.server.client.begin(f"010-6666-100{index}", key)
        self.expect(driver, "Messages, 1 h\n2", "#live")
        self.assertTrue(driver.execute_script("return window.isTheSame"))
        self.assertEqual([line for line in driver.get_log("browser") if "favicon" not in line["message"]], [])
        # Somebody else withdraws the key.
        key = next(key for key in self.listed("keys", "list")["items"] if key["name"] == "viewer")
        self.done("keys", "revoke", key["id"])
        self.expect(driver, "Sign in", "h1")

    def test_now_connects_again_after_a_restart(self):
        self.start()
        driver = self.browser()
        self.sign_in(driver, "viewer")
        self.expect(driver, "Live", "#state")
        self.assertEqual(self.server.stop(), 0)
        self.expect(driver, "The service does not answer. What is below is of 20", "#state.alert")
        self.server = self.serve(CONSOLE_PORT=self.port)
        self.expect(driver, "Live", "#state")

    def test_a_visitor_has_ten_streams_at_most(self):
        self.start()
        cookie = self.cookie()

        def stream():
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
            self.addCleanup(connection.close)
            connection.request("GET", "/console/events", headers={"Cookie": cookie})
            return connection, connection.getresponse().status

        streams = [stream() for _ in range(11)]
        self.assertEqual([status for _, status in streams], [200] * 10 + [503])
        streams[0][0].close()
        wait_for(lambda: stream()[1] == 200, "another stream")

    def test_a_channel_of_the_operators_has_its_name(self):
        self.port = free_port()
        self.server = self.serve(CONSOLE_PORT=self.port, SMS_STUB_SERVES="sms,viber")
        self.assertEqual(self.server.client.begin("+821012345678", more={"channel": "viber"}).status, 201)
        wait_for(lambda: self.outbox()[0]["status"] == "delivered", "the message")
        page = Client(self.port).call("GET", "/console/deliveries", Cookie=self.cookie())
        self.assertIn("<small>sms, viber</small>", page.text)
        self.assertIn("<td data-label=\"Channel\">viber</td>", page.text)

    def test_an_operator_signs_in_with_the_number_and_is_out_with_the_account(self):
        self.start_for_operators()
        driver = self.browser(javascript=False)
        self.sign_in_by_number(driver, "010-4444-0001")
        self.expect(driver, "Now", "h1")
        self.expect(driver, "+82 10-****-0001, support", "header")
        driver.get(f"{self.base}/person?q=%2B821044440001")
        self.act(driver, "Clear limits", "ticket 7", "Clear the limits of +82 10-4444-0001")
        self.expect(driver, "What happened")
        last, = json.loads(self.done("audit", "--json", "--action", "clear_number"))["items"]
        self.assertEqual((last["owner"], last["reason"]), ("operator:+82 10-****-0001", "ticket 7"))
        self.done("accounts", "sign-out", "010-4444-0001")
        driver.get(self.base)
        self.expect(driver, "Sign in", "h1")
        self.sign_in_by_number(driver, "010-4444-0002")
        self.expect(driver, "This number is not an operator's.")
        log = self.server.log_text
        self.assertIn("number=+82 10-****-0001", log)
        self.assertNotIn("44440001", log)

    def start_for_operators(self):
        port, self.port = free_port(), free_port()
        self.server = self.serve()
        callback = f"http://127.0.0.1:{self.port}/console/signed-in"
        client = json.loads(self.done("clients", "create", "--public", "--name", "Console", "--redirect-uri", callback, "--json"))
        self.server.stop()
        self.server = self.serve(
            port=port, TOKENS_ISSUER=f"http://127.0.0.1:{port}", CONSOLE_PORT=self.port, CONSOLE_CLIENT=client["id"],
            CONSOLE_OPERATORS_SUPPORT="+821044440001",
        )
        self.base = f"http://127.0.0.1:{self.port}/console"

    def test_an_operator_signs_in_in_the_language_of_the_browser(self):
        self.start_for_operators()
        languages = self.server.client.call("GET", "/.well-known/openid-configuration").json["ui_locales_supported"]
        shown = {}
        for language in languages:
            driver = self.browser((360, 740), language=language)
            driver.get(self.base)
            driver.find_element(By.ID, "key").send_keys("pk_wrong", Keys.ENTER)
            self.expect(driver, "", "[role=alert]")
            root = driver.find_element(By.TAG_NAME, "html")
            self.assertEqual((root.get_attribute("lang"), root.get_attribute("dir")), (language, "rtl" if language == "ar" else "ltr"))
            parts = "title", "h1", "[role=alert]", "label", "p.small", "main button", "a.button"
            shown[language] = [driver.find_element(By.CSS_SELECTOR, part).get_attribute("textContent") for part in parts]
            self.check(driver, f"sign-in {language}", (360, 740))
            driver.quit()
        for ours in zip(*shown.values()):
            # Two languages may write `API key` alike, and no more.
            self.assertGreaterEqual(len(set(ours)), len(languages) - 1, ours)

    def sign_in_by_number(self, driver, number):
        before = len(self.server.client.codes(number))
        driver.get(self.base)
        driver.find_element(By.LINK_TEXT, "Sign in with your phone number").click()
        self.expect(driver, "Sign in with your phone number", "h1")
        field = driver.find_element(By.NAME, "phone_text")
        field.clear()
        field.send_keys(number)
        driver.find_element(By.CSS_SELECTOR, "main form button").click()
        self.expect(driver, "code", "h1")
        driver.find_element(By.NAME, "code_text").send_keys(self.server.client.code(number, before))
        driver.find_element(By.CSS_SELECTOR, "main form button").click()

    def act(self, driver, name, reason, title=None, **fields):
        """Opens the dialog of an act, which says what it acts on, fills it in, and sends it."""
        self.acts.add(name)
        for button in driver.find_elements(By.CSS_SELECTOR, "button[popovertarget]"):
            dialog = driver.find_element(By.ID, button.get_attribute("popovertarget"))
            if button.text == name and (title or name) in dialog.find_element(By.TAG_NAME, "h2").get_attribute("textContent"):
                break
        else:
            self.fail(f"there is no {name} of {title}")
        # Where one sees it: a table may be wider than the window only if it scrolls.
        driver.execute_script("arguments[0].scrollIntoView({block: 'center', inline: 'nearest'})", button)
        button.click()
        self.assertIn(title or name, dialog.find_element(By.TAG_NAME, "h2").text)
        for field, value in {**fields, "reason": reason}.items():
            dialog.find_element(By.NAME, field).send_keys(value)
        box = driver.execute_script("return arguments[0].getBoundingClientRect()", dialog)
        wide = driver.execute_script("return document.documentElement.clientWidth")
        self.assertTrue(box["left"] >= 0 and box["right"] <= wide, (name, box, wide))
        if driver.has_scripts:
            driver.execute_script(AXE)
            # The page around it is looked at elsewhere.
            run = RUN_AXE.replace("arguments[0]", "arguments[1]").replace("axe.run(", "axe.run(arguments[0], ")
            self.assertEqual(driver.execute_async_script(run, dialog), [], (name, title))
        dialog.find_element(By.CSS_SELECTOR, "button.act").click()

    def test_check_config_says_who_can_reach_it(self):
        out = self.run_program(
            "check-config", PROFILE="production", CONSOLE_PORT=8090, CONSOLE_HOST="0.0.0.0", CONSOLE_CLIENT="cli_" + "0" * 32,
            CONSOLE_OPERATORS_OPERATOR="+821012345678", CONSOLE_OPERATORS_VIEWER="+821022223333",
        )[1]
        self.assertIn("console   0.0.0.0:8090 (other machines too), http, by API keys and numbers: 1 viewer, 1 operator\n", out)
        for key in ("console.host", "console.operators.operator"):
            self.assertRegex(out, rf"(?m)^warning .*\({key}\)$")
        self.assertNotIn("12345678", out)
        out = self.run_program("check-config", CONSOLE_PORT=8090)[1]
        self.assertIn("console   127.0.0.1:8090 (this machine only), http, by API keys\n", out)
        self.assertNotRegex(out, "(?m)^warning .*console")

    def test_it_is_off_until_it_has_a_port_and_not_on_the_service_itself(self):
        server = self.serve()
        self.assertEqual(server.client.call("GET", "/console").status, 404)
        server.stop()
        self.start()
        self.assertEqual(self.server.client.call("GET", "/console").status, 404)
        wait_for(lambda: "the console is served at" in self.server.log_text, "its listener")
