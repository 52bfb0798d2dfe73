"""A channel that no code knows, by its name in the settings: everywhere where one that the code knows is offered."""

import json
import time

from browser import Browser
from peer import Peer
from support import ServiceTestCase, code_in, sql, wait_for

KOREA, BRITAIN, TYPED = "+821012345678", "+447400123456", "010-1234-5678"
SECRET = "secret-of-the-vendor"
CONFIG = """
verification: {{allowed_regions: [KR, GB], resend_cooldowns_seconds: [0]}}
sms:
  gateways:
    vib:
      kind: http
      serves: [viber]
      url: "{url}/viber"
      body: {body}
      answer: {{refuse_statuses: [404]}}
      receipts: {{id_pointer: /id, status_pointer: /status, delivered_values: [seen], undelivered_values: [lost], secret_file: {secret}}}
    text: {{kind: http, url: "{url}/sms", body: {body}}}
  routes: {{KR: {{viber: [vib], all: [text]}}, "*": [text, vib]}}
  channels: {{KR: [viber, sms]}}
  prices: {{currency: EUR, vib: {{KR: {{viber: 0.01}}, "*": 0.12}}, text: {{"*": 0.04}}}}
  fallback: {fallback}
"""


class ChannelTests(ServiceTestCase):
    def setUp(self):
        super().setUp()
        # Nobody has Viber whose number ends in 9.
        self.vendor = self.enter(Peer(lambda request: 404 if request.path == "/viber" and request.json["to"].endswith("9") else 200))

    def config(self, fallback="offer", more=""):
        secret = self.write("secret", SECRET, mode=0o600)
        body = """'{"id": "{{id}}", "to": "{{to}}", "text": "{{body}}"}'"""
        return self.write("channels.yaml", CONFIG.format(url=self.vendor.url, body=body, secret=secret, fallback=fallback) + more)

    def serving(self, **config):
        return self.serve(command=("serve", "--config", self.config(**config)), LIMITS_ENABLED="false")

    def requests(self, count):
        return wait_for(lambda: len(self.vendor.requests) == count and self.vendor.requests, f"{count} messages")

    def test_the_api_has_it_by_its_name(self):
        server = self.serving()
        begun = server.client.begin(KOREA)
        self.assertEqual((begun.status, begun.json["channel"], begun.json["next_channels"]), (201, "viber", ["sms"]))
        [sent] = self.requests(1)
        self.assertEqual((sent.path, sent.json["to"]), ("/viber", KOREA))
        self.assertEqual([(row["channel"], row["gateway"]) for row in self.outbox()], [("viber", "vib")])
        report = f"/v1/receipts/vib?token={SECRET}"
        self.assertEqual(server.client.call("POST", report, {"id": sent.json["id"], "status": "seen"}).status, 204)
        wait_for(lambda: self.outbox()[0]["status"] == "delivered", "the report")
        approved = server.client.check(begun.json["id"], code_in(sent.json["text"]))
        self.assertEqual((approved.json["status"], approved.json["channel"]), ("approved", "viber"))
        # Where the order does not name it, it is for those who ask.
        other = server.client.begin(BRITAIN)
        self.requests(2)
        self.assertEqual((other.json["channel"], other.json["next_channels"]), ("sms", []))
        named = server.client.begin("+447400123457", more={"channel": "viber"})
        self.assertEqual((named.status, named.json["channel"]), (201, "viber"))
        self.assertEqual([request.path for request in self.requests(3)], ["/viber", "/sms", "/viber"])
        # What it costs more than an SMS, it counts more.
        limits = server.client.call("GET", "/v1/admin/limits", token=self.make_key("admin")).json
        self.assertEqual(limits["sent_last_day"], 1 + 1 + 3)
        rows = {row["name"]: row["spent"] for row in self.listed("costs", "--by", "channel")["items"]}
        self.assertEqual(rows, {"viber": 0.13, "sms": 0.04})
        # As if upkeep had counted yesterday.
        day = int(time.time() // 86_400) - 1
        for channel, sent in ("viber", 2), ("sms", 1):
            sql(self.folder, f"""INSERT INTO daily_figure VALUES ('{day} KR {channel} vib signup', {sent}, 0, {sent}, 0, 0, 0, 0,
                '{"0 " * 11}0', 7, {(day + 400) * 86_400_000})""")
        figures = server.client.call("GET", "/v1/admin/figures?by=channel", token=self.make_key("admin")).json
        self.assertEqual({row["name"]: row["sent"] for row in figures["items"]}, {"viber": 2, "sms": 1})
        listed = json.loads(self.done("gateways", "list", "--json", "--config", "channels.yaml"))
        [gateway] = [row for row in listed["items"] if row["name"] == "vib"]
        self.assertEqual(gateway["channels"], ["viber"])
        shown = json.loads(self.done("route", KOREA, "--json", "--config", "channels.yaml"))
        self.assertEqual(shown["channels"], ["viber", "sms"])
        [way] = [row for row in shown["routes"] if row["for"] == "viber"]
        self.assertEqual((way["gateways"], way["reason"]), (["vib"], "sms.routes.KR.viber"))

    def test_a_name_that_nothing_serves_is_refused_with_those_that_there_are(self):
        server = self.serving()
        path, token = server.client.begin_signup()
        for name in ["pigeon", "whatsapp", "telegram", "sim", "inbound", "Viber", "viber ", "notice", "v" * 21, "v" * 10_000, ""]:
            for answer in (
                server.client.begin(KOREA, more={"channel": name}),
                server.client.call("POST", path + "/send", {"phone_text": TYPED, "channel": name}, token),
            ):
                self.assertEqual((answer.status, answer.json["code"], answer.json["field"]), (422, "invalid_request", "channel"), name)
                self.assertEqual(answer.json["detail"], "channel must be one of: auto, sms, viber.")
        self.assertEqual(self.vendor.requests, [])

    def test_the_code_goes_on_by_sms_where_the_person_is_not_there(self):
        server = self.serving(fallback="take")
        begun = server.client.begin(KOREA[:-1] + "9").json
        viber, sms = self.requests(2)
        self.assertEqual((viber.path, sms.path), ("/viber", "/sms"))
        self.assertEqual(code_in(viber.json["text"]), code_in(sms.json["text"]))
        shown = server.client.call("GET", f"/v1/verifications/{begun['id']}").json
        self.assertEqual((shown["channel"], shown["next_channels"]), ("sms", []))

    def test_pages_offer_it_by_its_name(self):
        for more, name in [("", "Viber"), ("  channel_names: [viber=Vi & Ber]\n", "Vi & Ber")]:
            with self.subTest(name):
                self.vendor.requests.clear()
                server = self.serving(more=more)
                browser = Browser(server, server.url)
                page = browser.submit(browser.open(server.url + "/signup"), phone_text=TYPED)
                self.assertIn(f"We sent a code to {TYPED} on {name}.", page.said)
                self.assertIn("Text me instead", page.said)
                self.requests(1)
                page = browser.submit(page, 1, channel="sms")
                self.assertIn(f"Use {name}", page.said)
                self.requests(2)
                page = browser.submit(page, 1, channel="viber")
                self.assertIn(f"on {name}.", page.said)
                viber = self.requests(3)[2]
                self.assertEqual([request.path for request in self.vendor.requests], ["/viber", "/sms", "/viber"])
                self.assertEqual(browser.submit(page, code_text=code_in(viber.json["text"])).heading, "You're signed in")
                self.assertEqual(server.stop(), 0)
        # What another page posts is no name at all.
        server = self.serving()
        browser = Browser(server, server.url)
        page = browser.submit(browser.open(server.url + "/signup"), phone_text="010-1234-5677")
        page = browser.submit(page, 1, channel="pigeon")
        self.assertIn("We can't send a code that way. Choose another option.", page.said)

    def test_the_prompt_offers_it_by_its_name(self):
        server = self.serving()
        code, out, _ = self.run_program("signup", "--locale", "en", "--region", "KR", "--server", server.url, stdin=TYPED + "\nc\n")
        self.assertEqual(code, 1, out)
        self.assertIn("Code sent to +82 10-****-5678 on Viber.", out)
        self.assertEqual({request.path for request in self.requests(2)}, {"/viber", "/sms"})
        code, out, _ = self.run_program(
            "signup", "--locale", "en", "--channel", "pigeon", "--region", "KR", "--server", server.url, stdin=TYPED + "\n"
        )
        self.assertEqual(code, 1, out)

    def test_what_was_sent_by_it_is_there_when_nothing_serves_it_any_more(self):
        server = self.serving()
        begun = server.client.begin(KOREA).json
        [sent] = self.requests(1)
        server.stop()
        server = self.serve(LIMITS_ENABLED="false", VERIFICATION_RESEND_COOLDOWNS_SECONDS="0")
        path = f"/v1/verifications/{begun['id']}"
        self.assertEqual(server.client.call("GET", path).json["channel"], "viber")
        self.assertEqual([row["channel"] for row in self.outbox()], ["viber"])
        # It goes on by another.
        again = server.client.begin(KOREA)
        self.assertEqual((again.status, again.json["channel"]), (200, "sms"), again.text)
        self.assertEqual(server.client.check(begun["id"], code_in(sent.json["text"])).json["status"], "approved")
        rows = {row["name"]: row["messages"] for row in self.listed("costs", "--by", "channel")["items"]}
        self.assertEqual(rows, {"viber": 1, "sms": 1})
