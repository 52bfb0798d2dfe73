"""Channels, routes and prices: what a command explains, what a mistake is called, and what a service does by them."""

import json
import re
import subprocess
import sys
import time

from peer import Peer
from support import ServiceTestCase, at_once, sql, wait_for

NUMBER = "+821012345678"
GATEWAYS = """
sms:
  twilio:
    account_sid: AC00000000000000000000000000000000
    auth_token_file: {secret}
  gateways:
    lgu: {{kind: http, url: "https://sms.example.com/v1", body: '{{"to": "{{{{to}}}}", "text": "{{{{body}}}}"}}'}}
    twilio-uk: {{kind: twilio, from: Acme}}
    twilio-us: {{kind: twilio, from: "+15005550006", serves: [sms, call]}}
"""
ROUTES = """
  routes:
    KR: [lgu, twilio-us]
    "+44": {sms: [twilio-uk], all: [twilio-us]}
    "+4477": {all: [twilio-us], notice: [twilio-uk]}
  channels: {GB: [call, sms]}
"""
# Notes the ID of each message, and then accepts it.
VENDOR = """
import http.server, json, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        print(json.loads(self.rfile.read(int(self.headers["Content-Length"])))["id"], flush=True)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()
    def log_message(self, *_): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"""
TWO_VENDORS = """
sms:
  gateway: [first, second]
  gateways:
    first: {{kind: http, url: "http://127.0.0.1:{first}/v1", body: {body}}}
    second: {{kind: http, url: "http://127.0.0.1:{second}/v1", body: {body}, idempotent: true}}
"""


class RouteTests(ServiceTestCase):
    def config(self, more=""):
        secret = self.write("secret", "secret-of-twilio", mode=0o600)
        return self.write("routes.yaml", GATEWAYS.format(secret=secret) + more)

    def route(self, number, config):
        code, out, err = self.run_program("route", number, "--json", "--config", config)
        self.assertEqual(err, "")
        routes = json.loads(out)
        return code, routes["channels"], {row["for"]: (row["gateways"], row["reason"]) for row in routes["routes"]}

    def test_the_narrowest_line_decides_and_is_named(self):
        config = self.config(ROUTES)
        code, channels, routes = self.route(NUMBER, config)
        self.assertEqual((code, channels), (0, ["sms", "call"]))
        self.assertEqual(routes["sms"], (["lgu", "twilio-us"], "sms.routes.KR"))
        self.assertEqual(routes["call"], (["twilio-us"], "sms.routes.KR"))
        self.assertEqual(list(routes), ["sms", "call", "notice"])
        _, channels, routes = self.route("+447400123456", config)
        self.assertEqual(channels, ["call", "sms"])
        self.assertEqual(routes["sms"], (["twilio-uk"], "sms.routes.+44.sms"))
        self.assertEqual(routes["call"], (["twilio-us"], "sms.routes.+44"))
        _, _, routes = self.route("+447712345678", config)
        self.assertEqual((routes["sms"][0], routes["notice"]), (["twilio-us"], (["twilio-uk"], "sms.routes.+4477.notice")))
        code, channels, routes = self.route("+14155550100", config)
        self.assertEqual((code, channels, routes["sms"]), (1, [], ([], "no route for it")))

    def test_without_routes_every_gateway_serves_what_it_can_in_order_of_its_name(self):
        _, channels, routes = self.route(NUMBER, self.config())
        self.assertEqual(channels, ["sms", "call"])
        self.assertEqual(routes["sms"], (["lgu", "twilio-uk", "twilio-us"], "sms.gateway"))

    def test_a_route_learns_by_what_people_enter_and_says_its_odds(self):
        config = self.config("  routing: learn\n")
        lines = self.done("route", NUMBER, "--config", config).splitlines()
        self.assertIn("sms       lgu or twilio-uk or twilio-us (sms.gateway)", lines)
        self.assertIn("          lgu 33 %: no messages yet (*)", lines)
        good, bad = self.enter(Peer()), self.enter(Peer())
        body = """'{"id": "{{id}}", "to": "{{to}}", "text": "{{body}}"}'"""
        config = self.write(
            "learn.yaml", TWO_VENDORS.format(first=bad.port, second=good.port, body=body) + "  routing: learn\n"
        )
        settings = {"command": ("serve", "--config", config), "LIMITS_ENABLED": "false", "GUARD_MODE": "off"}
        server = self.serve(**settings)

        def begin(beginning, count):
            begun = {number: server.client.begin(number).json["id"]
                     for number in (f"{beginning}{index:03}" for index in range(count))}
            return wait_for(
                lambda: len(good.requests) + len(bad.requests) == len(begun) and begun, "every message to be handed over"
            )

        begun = begin("+821012345", 60)
        for request in good.requests:
            code = re.search(r"\d{6}", request.json["text"]).group()
            self.assertEqual(server.client.check(begun[request.json["to"]], code).json["status"], "approved")
        approved, lost = len(good.requests), len(bad.requests)
        self.assertTrue(approved and lost)
        wait_for(lambda: {row["status"] for row in self.outbox("--limit", "500")} == {"sent"}, "their results")
        # They are counted when they are five minutes old.
        then = int(time.time() * 1000) - 600_000
        sql(self.folder, "UPDATE verification SET updated_at = updated_at - sent_at + "
            f"{then}, sent_at = {then}, created_at = {then}")
        sql(self.folder, f"UPDATE outbox_message SET created_at = {then}, "
            f"id = decode('{then:012x}' || substr(encode(id, 'hex'), 13), 'hex')")
        odds = {row["for"]: row["odds"] for row in self.listed("route", NUMBER, "--config", config)["routes"]}
        self.assertEqual(
            [(row["gateway"], row["messages"], row["approved"], row["place"]) for row in odds["sms"]],
            [("second", approved, approved, "+82101"), ("first", lost, 0, "+82101")],
        )
        self.assertEqual(sum(row["percent"] for row in odds["sms"]), 100)
        self.assertGreaterEqual(odds["sms"][0]["percent"], 94)
        self.assertEqual(odds["notice"], [])
        line = f"          first {odds['sms'][1]['percent']} %: 0 of {lost} approved (+82101)"
        self.assertIn(line, self.done("route", NUMBER, "--config", config).splitlines())
        # And a service goes by them from its start on.
        server.stop()
        good.requests.clear()
        bad.requests.clear()
        server = self.serve(**settings)
        begin("+821012346", 60)
        self.assertGreater(len(good.requests), 45)

    def test_a_database_that_cannot_be_read_is_no_empty_one(self):
        config = self.write("learn.yaml", "sms: {gateway: [stub, console], routing: learn}\n")
        self.assertIn("no messages yet", self.done("route", NUMBER, "--config", config))
        self.write("phoneproof.sqlite", "no database" * 400)
        code, out, err = self.run_program("route", NUMBER, "--config", config)
        self.assertNotEqual(code, 0, out)
        self.assertIn("database", out + err)

    def test_senders_have_their_rates_and_what_waits_for_its_turn_is_sent(self):
        vendor = self.enter(Peer())
        body = """'{"from": "{{from}}", "to": "{{to}}", "text": "{{body}}"}'"""
        config = self.write(
            "senders.yaml",
            "sms:\n  gateway: [http]\n  http:\n"
            f"    url: {vendor.url}/v1\n    body: {body}\n    senders: [Ace=1, \"+15005550006=1\"]\n",
        )
        server = self.serve(command=("serve", "--config", config))
        for index in range(3):
            self.assertEqual(server.client.begin(f"+82101234567{index}").status, 201)
        wait_for(lambda: len(self.outbox()) == 3 and {row["status"] for row in self.outbox()} == {"sent"}, "all messages")
        senders = [request.json["from"] for request in vendor.requests]
        self.assertEqual(set(senders), {"Ace", "+15005550006"})
        # The third waited for its turn, and for nothing that counts.
        self.assertEqual(sorted(row["attempts"] for row in self.outbox()), [1, 1, 2])

    def test_a_person_has_a_call_and_an_operator_what_it_cost(self):
        prices = self.write("prices.yaml", "sms:\n  prices: {currency: EUR, stub: {KR: {call: 0.02, all: 0.04}}}\n")
        server = self.serve(command=("serve", "--config", prices), SMS_STUB_SERVES="sms,call")
        refused = server.client.begin(NUMBER, more={"channel": "whatsapp"})
        self.assertEqual((refused.status, refused.json["detail"]), (422, "channel must be one of: auto, sms, call."))
        begun = server.client.begin(NUMBER, more={"channel": "call"})
        self.assertEqual((begun.status, begun.json["channel"], begun.json["next_channels"]), (201, "call", []))
        [call] = wait_for(lambda: server.client.call("GET", "/stub/messages").json["messages"], "the call")
        self.assertTrue(call["sid"].startswith("CA"), call)
        code = "".join(filter(str.isdigit, call["body"].splitlines()[1]))
        self.assertEqual(server.client.check(begun.json["id"], code).json["status"], "approved")
        self.assertEqual(server.client.begin("+821087654321").json["next_channels"], ["call"])
        wait_for(lambda: len(self.outbox()) == 2 and all(row["status"] == "delivered" for row in self.outbox()), "both messages")
        self.assertEqual({row["channel"] for row in self.outbox()}, {"sms", "call"})
        [row] = self.listed("costs")["items"]
        self.assertEqual(
            (row["name"], row["messages"], row["approved"], row["spent"], row["per_verified"], row["saved"]),
            ("KR", 2, 1, 0.06, 0.06, 0),
        )
        rows = {row["name"]: row["spent"] for row in self.listed("costs", "--by", "channel")["items"]}
        self.assertEqual(rows, {"sms": 0.04, "call": 0.02})

    def test_a_vendor_that_is_killed_in_the_middle_of_a_load(self):
        first = self.enter(subprocess.Popen([sys.executable, "-c", VENDOR], stdout=subprocess.PIPE, text=True))
        self.addCleanup(first.kill)
        port = int(first.stdout.readline())
        second = self.enter(Peer())
        body = """'{"id": "{{id}}", "to": "{{to}}", "text": "{{body}}"}'"""
        config = self.write("two.yaml", TWO_VENDORS.format(first=port, second=second.port, body=body))
        server = self.serve(command=("serve", "--config", config), LIMITS_ENABLED="false", GUARD_MODE="off")
        begun = []

        def begin(index):
            if index == 100:
                first.kill()
            begun.append(server.client.begin(f"+8210{index:08}").status)

        at_once(begin, range(200))
        self.assertEqual(begun, [201] * 200)
        taken = first.stdout.read().split()
        rows = wait_for(
            lambda: (rows := self.outbox("--limit", "500")) and all(row["status"] != "queued" for row in rows) and rows,
            "every message to be handed over",
        )
        sent = {gateway: {row["id"] for row in rows if row["gateway"] == gateway and row["status"] == "sent"}
                for gateway in ("first", "second")}
        unknown = {row["id"] for row in rows if row["status"] == "unknown"}
        self.assertEqual(len(sent["first"] | sent["second"] | unknown), 200)
        # Nothing that the first may have has gone to the second, nor twice to that.
        handed = [request.json["id"] for request in second.requests]
        self.assertEqual(sorted(handed), sorted(sent["second"]))
        self.assertEqual(set(taken) & set(handed), set())
        self.assertLessEqual(sent["first"], set(taken))
        self.assertLessEqual(set(taken) - sent["first"], unknown)
        # No more is in doubt than was on its way at that moment.
        self.assertLess(len(unknown), 64)
        self.assertGreater(len(sent["second"]), 50)
