"""Every fault of a service is on every surface that shows what is wrong: the console's Now and Health, `doctor`, `gateways list`,
`GET /v1/admin/health`, and the metric that config/alerts.yaml goes by."""

import contextlib
import html
import json
import os
import re
import ssl
import subprocess

import yaml

from certificates import make_authority, make_certificate
from peer import Peer
from support import PROGRAM, ROOT, Client, ServiceTestCase, Server, environment, free_port, sql, wait_for

# Two gateways of one vendor, and a receiver of webhooks.
SETTINGS = """
sms:
  gateways:
    main: {{kind: http, url: "{vendor}/main", body: '{{"to": "{{{{to}}}}", "text": "{{{{body}}}}"}}', answer: {{code_pointer: /error, refuse_codes: [bad_number]}}}}
    spare: {{kind: http, url: "{vendor}/spare", body: '{{"to": "{{{{to}}}}", "text": "{{{{body}}}}"}}'}}
webhooks: {{url: "{receiver}"}}
guard: {{prefix_sample: 500}}
console: {{port: {console}}}
"""
ALERTS = [
    rule for group in yaml.safe_load((ROOT / "config" / "alerts.yaml").read_text())["groups"] for rule in group["rules"]
]


class Vendor(Peer):
    """Answers by the name of the gateway; the default is that it accepts."""

    def __init__(self):
        self.answers = {}
        super().__init__(lambda request: self.answers.get(request.path.strip("/"), 200))


class FindingsTests(ServiceTestCase):
    def setUp(self):
        super().setUp()
        self.vendor, self.receiver = self.enter(Vendor()), self.enter(Peer(lambda request: self.receipt))
        self.receipt, self.count, self.tls, self.inside = 204, 0, None, ()
        self.settings = {"WEBHOOKS_SECRETS": "whsec_" + "A" * 43 + "="}

    def begin_service(self, vendor=None, receiver=None, prefix=(), **settings):
        self.console = free_port()
        os.makedirs(f"{self.folder}/config", exist_ok=True)
        text = SETTINGS.format(vendor=vendor or self.vendor.url, receiver=receiver or self.receiver.url, console=self.console)
        self.write("config/phoneproof.yaml", text)
        self.settings = {**self.settings, **settings}
        self.server = self.enter(Server(self.folder, prefix=prefix, **self.settings))
        self.server.client.tls = self.tls
        if prefix:
            # Commands see the service's disk.
            user = () if os.geteuid() == 0 else ("--user", "--preserve-credentials")
            self.inside = ("nsenter", f"--target={self.server.process.pid}", "--mount", *user, f"--wd={self.folder}")
        self.key = self.command("keys", "create", "--name", "chief", "--scope", "admin").strip()

    def tick(self):
        self.count += 1
        return self.count

    def command(self, *words, codes=(0,)):
        done = subprocess.run(
            [*self.inside, PROGRAM, *words], capture_output=True, text=True, cwd=self.folder, env=environment(self.folder, **self.settings),
        )
        self.assertIn(done.returncode, codes, done.stderr)
        return done.stdout

    def send(self, count=1):
        for _ in range(count):
            self.count += 1
            answer = self.server.client.begin(f"010{20_000_000 + self.count * 10_007 % 70_000_000}")
            self.assertEqual(answer.status, 201, answer.text)

    @contextlib.contextmanager
    def signed_in(self):
        console = Client(self.console)
        answer = wait_for(lambda: console.post_form("/console/sign-in", {"key": self.key}), "the console")
        self.assertEqual(answer.status, 303, answer.text)
        cookie = answer.headers["Set-Cookie"].split(";")[0]
        yield lambda path: console.call("GET", f"/console{path}", Cookie=cookie).text

    def answers(self):
        """What the running service says is found."""
        if self.server.process.poll() is not None:
            return {}
        call = self.server.client.call
        return {
            "GET /v1/admin/health": call("GET", "/v1/admin/health", token=self.key).json["findings"],
            "/metrics": call("GET", "/metrics").text,
        }

    def surfaces(self):
        """What is found on each: of each finding its kind, or the line that has it."""
        def lines(page):
            shown = re.search('<ul class="wrong">(.*?)</ul>', page, re.S)
            return html.unescape(re.sub("<[^>]*>", "", "\n".join(re.findall("<li.*?</li>", shown[1], re.S)))) if shown else ""

        found = {"doctor": json.loads(self.command("doctor", "--json", codes=(0, 1)))["findings"]}
        found |= {"gateways list": self.command("gateways", "list"), **self.answers()}
        if len(found) > 2:
            with self.signed_in() as page:
                found |= {"Now": lines(page("")), "Health": lines(page("/health"))}
        return found

    def lacking(self, found, kind, words):
        """Those of these surfaces that have no finding of this kind with these words (a pattern)."""
        for name, shown in found.items():
            if isinstance(shown, str):
                # The list of the API has the moment for itself.
                shown = re.sub(", since [-0-9]* [0-9]*:[0-9]* UTC", "", shown)
            if name == "/metrics":
                value = int(re.search(rf'phoneproof_finding{{finding="{kind}"}} (\d)', shown)[1])
                expressions = [rule["expr"] for rule in ALERTS]
                is_there = any(f'max(phoneproof_finding{{finding="{kind}"}}) > {level}' in expressions for level in range(value))
            elif isinstance(shown, str):
                is_there = re.search(words, shown)
            else:
                is_there = any(each["kind"] == kind and re.search(words, f"{each['subject']} {each['text']}") for each in shown)
            if not is_there:
                yield name, shown

    def assert_everywhere(self, kind, words, surfaces=6):
        """A finding of this kind, with these words (a pattern), on all of them, once each has had the time to see it."""
        last = {}

        def is_on(found):
            last.update(found)
            return not list(self.lacking(found, kind, words))
        try:
            # A command is a process, so they wait until the service has it.
            wait_for(lambda: is_on(self.answers()), kind, seconds=20)
            wait_for(lambda: is_on(self.surfaces()), kind, seconds=20)
        except AssertionError:
            self.fail(f"{kind} is not on: {list(self.lacking(last, kind, words))}")
        self.assertEqual(len(last), surfaces)

    def test_a_service_without_a_fault_has_none(self):
        self.begin_service()
        self.send(3)
        found = self.surfaces()
        disk = re.compile("disk|clock")
        self.assertEqual([each for each in found["GET /v1/admin/health"] if not disk.match(each["subject"])], [])
        self.assertNotRegex(found["gateways list"], "(?m)^✗")
        self.assertRegex(found["gateways list"], r"main +sms +works +")

    def test_no_gateway_accepts(self):
        self.begin_service(vendor=f"http://127.0.0.1:{free_port()}")
        self.send(6)
        reason = r"the gateway cannot be reached \(connection refused, 127.0.0.1:\d+\)"
        self.assert_everywhere("no_gateway", rf"no gateway accepts messages: main is down, spare is down")
        self.assert_everywhere("gateway_down", rf"spare +is down: {reason}")
        # One cause is one box, which says whom to call.
        with self.signed_in() as page:
            shown = page("")
        self.assertEqual(shown.count('<li class="bad">'), 1)
        self.assertRegex(html.unescape(re.sub("<[^>]*>", "", shown)), r"see the status page of the vendor \(http://127.0.0.1:\d+\)")
        # A message that waits says why.
        waiting = wait_for(lambda: [each for each in self.outbox("--status", "queued") if each["failure"]], "a reason")
        self.assertRegex(waiting[0]["failure"], rf"^main: (not asked, since it is down, )?{reason}; spare: (not asked, since it is down, )?{reason}$")

    def test_one_gateway_is_down_and_the_other_takes_its_messages(self):
        self.begin_service()
        self.vendor.answers["main"] = 503
        self.send(6)
        self.assert_everywhere("gateway_down", r"main +is down: the gateway is down \(503\), \d of the last \d; its messages go by spare")
        # An operator who thinks that the vendor is back need not wait.
        self.vendor.answers["main"] = 200
        number = {"phone_number": "+821012345678", "reason": "is it back?"}
        tested = self.server.client.call("POST", "/v1/admin/gateways/main/test", number, token=self.key)
        self.assertEqual(tested.status, 200, tested.text)
        wait_for(lambda: re.search("main +sms +works", self.command("gateways", "list")), "a closed breaker", seconds=40)
        self.vendor.answers["main"] = 503
        self.send(6)
        wait_for(lambda: re.search("main +sms +down", self.command("gateways", "list")), "an open breaker", seconds=40)

        self.assertRegex(self.command("gateways", "list"), r"main +sms +down")

    def test_a_gateway_refuses_all(self):
        self.begin_service()
        self.vendor.answers["main"] = 401
        self.send(4)
        self.assert_everywhere("gateway_refuses", r"main +refuses: the account was refused \(401\), 4 of the last 4")
        table = self.command("gateways", "list")
        self.assertRegex(table, r"main +sms +refuses")
        self.assertRegex(self.command("doctor"), r"(?m)^! main .*; from here, http://127.0.0.1:\d+ answers")
        # What another gateway has sent says why it did not go by the first.
        sent = wait_for(lambda: self.outbox("--status", "sent"), "a sent message")
        self.assertEqual((sent[0]["gateway"], sent[0]["failure"]), ("spare", "main: the account was refused (401)"))
        with self.signed_in() as page:
            shown = page("/deliveries")
            self.assertIn("No receipts are set, so nobody knows what was delivered.", page("/funnel"))
        self.assertIn("failed over from main: the account was refused (401)", shown)
        self.assertIn("no receipts are set", shown)
        self.vendor.answers["main"] = 200
        self.send(1)
        wait_for(lambda: re.search("main +sms +works", self.command("gateways", "list")), "an accepted message")

    def test_a_gateway_is_paused(self):
        self.begin_service()
        self.command("gateways", "pause", "main")
        self.assert_everywhere("gateway_paused", "main +is paused by an operator")

    def test_messages_wait(self):
        self.begin_service()
        self.command("gateways", "pause", "main")
        self.command("gateways", "pause", "spare")
        # Instances obey within seconds.
        reason = "main: paused by an operator; spare: paused by an operator"
        wait_for(lambda: self.send() or self.outbox("--status", "queued"), "a message that waits")
        wait_for(lambda: self.outbox("--status", "queued")[0]["failure"] == reason, "a look at it")
        sql(self.folder, "UPDATE outbox_message SET created_at = created_at - 90000")
        self.assert_everywhere("messages_wait", r"queue +\d+ messages? waits?")

    def test_messages_fail(self):
        self.begin_service()
        self.vendor.answers["main"] = 400, '{"error": "bad_number"}'
        self.send(6)
        self.assert_everywhere(
            "messages_fail", r"6 messages failed, or may have failed, in the last hour, the last of [0-9:]+ UTC: 6 failed, main: the gateway refused the number \(400, bad_number\)",
        )

    def test_the_budget_is_nearly_used_up(self):
        self.begin_service(LIMITS_DAILY_BUDGET=5)
        self.send(4)
        self.assert_everywhere("budget", "budget +4 of the 5 messages allowed in 24 hours")
        self.send(1)
        self.assert_everywhere("budget", "budget +5 of the 5 messages allowed in 24 hours are used: no more codes go out")

    def test_an_operator_has_set_the_guards_mode(self):
        self.begin_service()
        self.command("guard", "mode", "shadow")
        self.assert_everywhere("guard_overridden", "guard +its mode is shadow, set by an operator; the configured mode is enforce")

    def test_an_attack(self):
        self.begin_service(GUARD_PREFIX_SAMPLE=10)
        for index in range(20):
            self.server.client.begin(f"010-7777-{2000 + index}")
        self.assert_everywhere("numbers_blocked", r"guard +1 prefix or network (blocked|challenged), and \d+ messages? suppressed in 24 hours; the worst had \d+ sent, 0 approved, \d+ suppressed")
        with self.signed_in() as page:
            self.assertRegex(page("/person?q=%2B821077772019"), r"Suppressed by the guard.*prefix_conversion")
        # Somebody switched off what stops it.
        self.command("guard", "mode", "shadow")
        wait_for(lambda: self.server.client.begin(f"010-8888-{2000 + self.tick()}") and "only observed" in self.command("doctor", codes=(0, 1)), "shadow")
        self.assert_everywhere("numbers_blocked", r"guard +.*1 prefix or network only observed")
        # What an operator has blocked is stopped, and not over.
        self.command("guard", "mode", "settings")
        self.command("guard", "block", "+82107777")
        self.assert_everywhere("numbers_blocked", r"guard +.*1 prefix or network blocked by rule")

    def test_the_receiver_of_webhooks_is_down(self):
        self.begin_service(receiver=f"http://127.0.0.1:{free_port()}")
        self.vendor.answers["main"] = 400, '{"error": "bad_number"}'
        self.send(6)
        self.assert_everywhere("webhooks_down", "webhooks +the receiver is down: .*refused|webhooks +the receiver is down")

    def test_the_receiver_of_webhooks_fails_for_every_event(self):
        self.begin_service()
        self.receipt, self.vendor.answers["main"] = 500, (400, '{"error": "bad_number"}')
        self.send(6)
        self.assert_everywhere("webhooks_down", r"webhooks +the receiver takes no event: the receiver failed \(500\), \d+ in a row")

    def test_events_reach_no_receiver(self):
        self.begin_service()
        self.receipt, self.vendor.answers["main"] = 410, (400, '{"error": "bad_number"}')
        self.send(2)
        self.assert_everywhere("events_failed", r"webhooks +4 events could not be delivered: the receiver unsubscribed \(410\)")

    def test_the_disk_is_nearly_full(self):
        disk, prefix = self.small_disk("60m")
        self.begin_service(prefix=prefix, DATABASE_URL=f"sqlite:{disk}/phoneproof.sqlite")
        self.assert_everywhere("disk", rf"disk +\d\d MB free in {disk}")
        # Full: nobody new can sign in, and is told why.
        subprocess.run([*self.inside, "dd", "if=/dev/zero", f"of={disk}/filler", "bs=64k"], capture_output=True)
        sign_in = lambda: Client(self.console).post_form("/console/sign-in", {"key": self.key})
        refused = wait_for(lambda: (answer := sign_in()).status != 303 and answer, "a full disk")
        self.assertEqual(refused.status, 503)
        self.assertIn("The disk of the database is full", refused.text)
        self.assertNotIn(disk, refused.text)

    def test_the_certificate_ends(self):
        authority = make_authority(self.folder, "authority")
        certificate, key = make_certificate(self.folder, "service", authority, days=5)
        self.tls = ssl._create_unverified_context()
        self.begin_service(SERVER_TLS_CERTIFICATE_FILE=certificate, SERVER_TLS_KEY_FILE=key)
        self.assert_everywhere("certificate", "certificate +.*service.* is valid until .*, for 4 days")

    def test_the_key_file_is_gone(self):
        self.begin_service()
        os.rename(f"{self.folder}/phoneproof.keys", f"{self.folder}/away")
        self.assert_everywhere("keys", "keys +.*phoneproof.keys is gone")

    def test_the_clock_was_set(self):
        self.begin_service()
        self.send(1)
        sql(self.folder, "DROP TRIGGER audit_entry_is_append_only")
        sql(self.folder, f"UPDATE audit_entry SET at = at + 7200000, id = id + 7200000 * {1 << 20}")
        self.assert_everywhere("clock", "clock +the audit log goes on to .*: the clock was ahead, or is behind now")

    def test_no_service_runs(self):
        """What only a service shows is gone with it; that it is has an alert of its own."""
        self.begin_service()
        self.assertEqual(self.server.stop(), 0)
        self.assert_everywhere("service_gone", "instances +no instance is running", surfaces=2)
        self.assertIn("absent(phoneproof_build_info)", [rule["expr"] for rule in ALERTS])

    def test_every_kind_has_an_alert_and_a_test_here(self):
        source = (ROOT / "Sources/Core/PhoneAdministration/Finding.swift").read_text()
        kinds = re.search(r"enum Kind.*?\n    }\n", source, re.S)[0]
        names = {named or case for case, named in re.findall(r'case (\w+)(?: = "(\w+)")?', kinds)}
        self.assertEqual(len(names), 16)
        alerted = {kind for rule in ALERTS for kind in re.findall(r'finding="(\w+)"', rule["expr"])}
        self.assertEqual(alerted, names)
        with open(__file__) as file:
            self.assertEqual(set(re.findall(r'assert_everywhere\(\s*"(\w+)"', file.read())), names)
