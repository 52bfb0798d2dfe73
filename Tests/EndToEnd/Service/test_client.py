"""The Swift client, in a program of its own, against running services: what it makes of each failure, and what it repeats."""

import http.client
import pathlib
import re
import sqlite3
import subprocess

from peer import Peer, Receiver
from support import PROGRAM, Server, ServiceTestCase, sql, wait_for

DRIVER = str(pathlib.Path(PROGRAM).parent / "ClientDriver")
NUMBER, OTHER = "010-1234-5678", "010-8765-4321"
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

# The codes that no test here shows, and why the client does not get them.
NOT_OF_THE_CLIENT = {
    "number_change_not_found": "of the link in a message, which a page opens",
    "signature_invalid": "a vendor's report",
    "method_not_allowed": "it has no such call",
    "unsupported_media_type": "its bodies are JSON",
    "header_too_large": "its longest header is a token",
    "internal_error": "a bug of the service",
}


class Driver:
    """A program that uses the client: a call gives a line that says what it returned or threw (Tools/ClientDriver)."""

    def __init__(self, command, url, key):
        self.process = subprocess.Popen(
            [*command, url, key], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def __call__(self, *words):
        print(*words, file=self.process.stdin)
        return self.process.stdout.readline().rstrip("\n")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(timeout=30)
        self.process.stdout.close()


def masked(outcome):
    """Without what depends on when it was called."""
    return re.sub(r"ver_\w+", "ver", re.sub(r"retry after [\d.]+ seconds", "retry after …", outcome))


class Gate(Peer):
    """Stands before a service, and passes everything on. `faults` are for the next requests, None for one that passes: what
    comes in place of the service's answer, or `lost`: the service handles the request and nobody gets its answer."""

    def __init__(self, server):
        self.service, self.faults = server, []
        super().__init__(self.pass_on)

    def pass_on(self, request):
        fault = self.faults.pop(0) if self.faults else None
        if isinstance(fault, tuple) or fault == "cut":
            return fault
        connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=30)
        headers = {name: value for name, value in request.headers.items() if name.lower() != "host"}
        connection.request(request.method, request.path, request.bytes, headers)
        answer = connection.getresponse()
        body = answer.read().decode()
        connection.close()
        kept = {name: answer.headers[name] for name in ("Content-Type", "Retry-After") if name in answer.headers}
        return "cut" if fault == "lost" else (answer.status, body, kept)

    def calls(self, path):
        """The methods and keys of what came for this path."""
        return [(each.method, each.headers["Idempotency-Key"]) for each in self.requests if each.path == path]


class ClientTests(ServiceTestCase):
    maxDiff = None
    command = [DRIVER]

    def driver(self, url, key):
        return Driver(self.command, url, key)

    def start(self, **settings):
        """A service with keys; gives what drives the client of it, by way of a gate."""
        self.server = self.serve(SERVER_INSECURE_NO_KEYS=None, **settings)
        self.gate = self.enter(Gate(self.server))
        self.key = self.make_key()
        return self.enter(self.driver(self.gate.url, self.key))

    def right_code(self, number=NUMBER, after=0):
        return self.server.client.code(number, after)

    def check_rows(self, rows, **settings):
        """Each row is of a number of its own, NUMBER: calls before, the call, and what it comes to. ID is of the verification
        that was begun last, CODE the code."""
        self.folder = self.new_folder()
        call = self.start(**settings)
        came = []
        for index, (before, last, _) in enumerate(rows):
            number, verification = f"010-2000-{index:04}", ""

            def words(text):
                text = text.replace("NUMBER", number).replace("ID", verification)
                return text.replace("CODE", self.right_code(number)).split() if "CODE" in text else text.split()

            for each in before:
                done = call(*words(each))
                verification = (re.search(r"ver_\w+", done) or [verification])[0]
            came.append((before, last, masked(call(*words(last)))))
        self.assertEqual(came, rows)

    def test_each_failure_of_a_verification(self):
        self.check_rows([
            ([], "begin NUMBER", "ver pending, 5 checks left"),
            ([], "begin 010-12", "422 invalid_phone_number"),
            ([], "begin +33612345678", "403 region_not_allowed"),
            ([], "begin NUMBER call", "422 invalid_request, channel"),
            ([], "check 123456 ver_00000000000000000000000000000000", "404 verification_not_found"),
            ([], "check 123456 ../admin", "404 verification_not_found"),
            (["begin NUMBER"], "begin NUMBER", "429 resend_too_soon, retry after …"),
            (["begin NUMBER"], "check 12 ID", "422 invalid_request"),
            (["begin NUMBER"], "check 000000 ID", "422 code_incorrect, 4 checks left"),
            (["begin NUMBER"], "check CODE ID", "ver approved, 4 checks left"),
            (["begin NUMBER", "check CODE ID"], "get ID", "ver approved, 4 checks left"),
            (["begin NUMBER", "cancel ID"], "check CODE ID", "409 verification_closed"),
            (["begin NUMBER sms order-1"], "begin 010-3000-0001 sms order-1", "422 idempotency_conflict"),
            (["begin NUMBER sms order-2"], "begin NUMBER sms order-2", "ver pending, 5 checks left"),
        ], VERIFICATION_ALLOWED_REGIONS="KR")
        self.check_rows(
            [([], "begin +12125550123 kakaotalk", "422 channel_unavailable")],
            VERIFICATION_ALLOWED_REGIONS="KR,US", SMS_STUB_SERVES="sms,kakaotalk",
        )
        self.check_rows(
            [
                (["begin NUMBER"], "begin NUMBER", "429 max_sends_reached, retry after …, 0 sends left"),
                (["begin NUMBER", "check 000000 ID"], "check 000000 ID", "429 max_checks_reached, retry after …, 0 checks left"),
                (["begin NUMBER", "cancel ID"], "begin NUMBER", "429 rate_limited, retry after …, number-day"),
            ],
            VERIFICATION_MAX_SENDS=1, VERIFICATION_MAX_CHECKS=1, VERIFICATION_RESEND_COOLDOWNS_SECONDS=0,
            VERIFICATION_MAX_SENDS_PER_NUMBER_PER_DAY=1,
        )

    def test_a_code_that_expires(self):
        call = self.start(VERIFICATION_CODE_TTL_SECONDS=1)
        verification = call("begin", NUMBER).split()[0]
        code = self.right_code()
        wait_for(lambda: "pending" not in call("get", verification), "the end")
        self.assertEqual(call("check", code, verification), "410 code_expired")

    def test_keys_that_may_not(self):
        self.start()
        for key, refusal in (("pk_1", "401 unauthorized"), (self.make_key("accounts"), "403 insufficient_scope")):
            with self.driver(self.server.url, key) as call:
                self.assertEqual(call("begin", NUMBER), refusal)

    def test_what_the_operators_program_wants(self):
        decisions = iter(["deny"])
        hook = self.enter(Receiver(SECRET, lambda _: (200, {"decision": next(decisions, "challenge")})))
        call = self.start(HOOKS_BEFORE_SEND_URL=hook.hooks, HOOKS_BEFORE_SEND_SECRETS=SECRET, CHALLENGE_EASIEST=1000)
        self.assertEqual(call("begin", NUMBER), "403 send_denied")
        self.assertEqual(call("begin", NUMBER), "428 challenge_required")
        call("signup")
        self.assertEqual(call("send", NUMBER), "428 challenge_required")
        call("signup", "guessing")
        self.assertEqual(call("send", NUMBER), "422 challenge_failed")
        self.assertEqual(self.server.sent(NUMBER), [])

    def test_what_the_person_must_accept(self):
        call = self.start(
            PAGES_CONSENT="required", PAGES_TERMS_URL="https://shop.example/terms", PAGES_CONSENT_VERSION="2026-01-01"
        )
        self.assertEqual(self.sign_up(call), "422 consent_required")
        self.assertEqual(call("accept-consent"), "accepted 2026-01-01")
        self.assertEqual(call("sign-up", self.right_code()), "new account")

    def test_an_account_that_nobody_has_used_for_long(self):
        call = self.start(ACCOUNTS_RECYCLING="ask")
        self.sign_up(call)
        sql(self.folder, "UPDATE account SET last_active_at = last_active_at - 8640000000")
        self.assertEqual(self.sign_up(call, after=1), "409 account_dormant")
        self.assertEqual(call("choose-new-account"), "chosen")
        self.assertEqual(call("sign-up", self.right_code(after=1)), "new account")

    def test_a_change_of_number_wants_a_sign_in_of_today(self):
        call = self.start(ACCOUNTS_FRESH_PROOF_MINUTES=60)
        self.sign_up(call)
        call("session")
        sql(self.folder, "UPDATE session SET created_at = created_at - 3600000")
        self.assertEqual(call("begin-change", OTHER), "403 reauthentication_required")
        self.sign_up(call, after=1)
        call("session")
        # What is repeated is one request, and one message.
        self.gate.faults = ["lost"]
        self.assertRegex(call("begin-change", OTHER), "^ver_\\w+ pending, 5 checks left, waited 0.2 seconds$")
        self.assertEqual(len(self.server.sent(OTHER)), 1)

    def test_what_is_not_there_or_too_long(self):
        call = self.start()
        self.assertEqual(call("continue", f"sgn_{0:032x}", "x"), "404 signup_not_found")
        self.sign_up(call)
        call("session")
        self.assertEqual(call("metadata", f'{{"a":"{"x" * 70_000}"}}'), "413 body_too_large")
        with self.driver(self.server.url + "/api", self.key) as call:
            self.assertEqual(call("begin", NUMBER), "404 not_found")

    def test_each_code_is_shown_or_there_is_a_reason(self):
        described = self.serve().client.call("GET", "/openapi.json").json["components"]["schemas"]
        codes = {
            schema["properties"]["code"]["const"] for name, schema in described.items() if name.endswith("Problem")
        }
        shown = set(re.findall(r"\b[45]\d\d ([a-z_]+)", pathlib.Path(__file__).read_text()))
        self.assertEqual(codes - shown, NOT_OF_THE_CLIENT.keys())
        self.assertLessEqual(shown, codes)

    def test_each_failure_of_a_signup(self):
        call = self.start(VERIFICATION_MAX_CHECKS=2, VERIFICATION_ALLOWED_REGIONS="KR")
        self.assertEqual(call("signup"), "")
        rows = [
            ("send 010-12", "422 invalid_phone_number"),
            ("send +33612345678", "403 region_not_allowed"),
            (f"send {NUMBER}", "sent to +821012345678 by sms, 2 checks left"),
            (f"send {NUMBER}", "429 resend_too_soon, retry after …"),
            ("sign-up 12", "422 invalid_request"),
            ("sign-up 000000", "422 code_incorrect, 1 checks left"),
            ("sign-up CODE", "new account"),
            # As often as the response may have been lost.
            ("sign-up CODE", "new account"),
            (f"send {OTHER}", "409 verification_closed"),
            ("signup", ""),
            (f"send {OTHER}", "sent to +821087654321 by sms, 2 checks left"),
            ("sign-up 000000", "422 code_incorrect, 1 checks left"),
            ("sign-up 000000", "422 code_incorrect, 0 checks left"),
            ("sign-up 000000", "429 max_checks_reached, retry after …, 0 checks left"),
        ]
        came = []
        for text, _ in rows:
            words = text.replace("CODE", self.right_code() if "CODE" in text else "").split()
            came.append((text, masked(call(*words))))
        self.assertEqual(came, rows)
        self.done("accounts", "suspend", self.listed("accounts", "list")["items"][0]["id"])
        call("signup")
        call("send", NUMBER)
        self.assertEqual(call("sign-up", self.right_code(after=1)), "403 account_suspended")

    def test_a_service_that_is_busy_or_wrong_or_gone(self):
        call = self.start(DATABASE_BUSY_TIMEOUT_SECONDS=1)
        verification = call("begin", NUMBER).split()[0]
        code = self.right_code()
        database = sqlite3.connect(f"{self.folder}/phoneproof.sqlite", isolation_level=None)
        self.addCleanup(database.close)
        database.execute("BEGIN IMMEDIATE")
        self.assertEqual(
            call("begin", OTHER), "503 unavailable, retry after 5.0 seconds, waited 5.0 seconds, waited 5.0 seconds"
        )
        database.execute("ROLLBACK")
        key, = {key for _, key in self.gate.calls("/v1/verifications")[1:]}
        self.assertEqual(len(self.gate.calls("/v1/verifications")), 4)

        # What is repeated is one request to the service, and one message.
        self.gate.faults = ["lost", (503, {"title": "Wait"}, {"Retry-After": "2"})]
        self.assertRegex(call("begin", OTHER), "^ver_\\w+ pending, 5 checks left, waited 0.2 seconds, waited 2.0 seconds$")
        self.assertEqual(len(self.server.sent(OTHER)), 1)
        self.gate.faults = [(502, "<html>")] * 3
        self.assertEqual(call("get", verification), "not understood: 502, waited 0.2 seconds, waited 0.4 seconds")
        self.gate.faults = [(503, {"title": "Wait", "code": "unavailable"}, {"Retry-After": "11"})]
        self.assertEqual(call("get", verification), "503 unavailable, retry after 11.0 seconds")

        port, folder = self.server.port, self.folder
        self.server.kill()
        self.gate.faults = ["cut"] * 3
        self.assertEqual(call("check", code, verification), "unreachable, waited 0.2 seconds, waited 0.4 seconds")
        self.server = self.enter(Server(folder, port=port, SERVER_INSECURE_NO_KEYS=None))
        self.assertEqual(call("check", code, verification), f"{verification} approved, 4 checks left")

    def test_tokens_are_refreshed_once_and_a_lost_refresh_is_repeated(self):
        call = self.start(TOKENS_REFRESH_GRACE_SECONDS=30)
        self.sign_up(call)
        call("session", "expired")
        self.assertEqual(call("account", "20"), "+821012345678 {}")
        self.assertEqual(self.gate.calls("/v1/tokens"), [("POST", None)])
        call("session", "expired")
        self.gate.faults = ["lost"]
        self.assertEqual(call("account"), "+821012345678 {}, waited 0.2 seconds")
        self.assertEqual(len(self.gate.calls("/v1/tokens")), 3)

    def test_a_session_that_ends(self):
        call = self.start(TOKENS_REFRESH_GRACE_SECONDS=0)
        self.sign_up(call)
        call("session", "expired")
        self.assertEqual(call("account"), "+821012345678 {}")
        # The same refresh token once more, too late: somebody has a copy.
        call("session", "expired")
        self.assertEqual((call("account"), call("is-signed-in")), ("401 unauthorized", "signed out"))
        self.sign_up(call, after=1)
        call("session")
        self.done("accounts", "sign-out", self.listed("accounts", "list")["items"][0]["id"])
        self.assertEqual((call("account"), call("is-signed-in")), ("401 unauthorized", "signed out"))

    def test_an_account_and_its_sessions(self):
        call = self.start(VERIFICATION_RESEND_COOLDOWNS_SECONDS=0)
        self.sign_up(call, OTHER)
        self.sign_up(call)
        call("session")
        self.assertEqual(call("metadata", '{"a":1,"b":{"c":2}}'), '+821012345678 {"a":1,"b":{"c":2}}')
        self.assertEqual(call("metadata", '{"a":null}'), '+821012345678 {"b":{"c":2}}')
        self.assertEqual(call("metadata", '{"a'), "422 invalid_request, metadata")
        self.sign_up(call, after=1)
        call("session")
        listed = call("sessions").split()
        self.assertEqual(len(listed), 2)
        other, = set(listed) - {"this"}
        self.assertEqual([call("end", other), call("end", other), call("sessions")], ["ended", "404 session_not_found", "this"])

        begun = call("begin-change", "010-5555-6666").split()[0]
        self.assertEqual(call("get-change", begun), f"{begun} pending, 5 checks left")
        self.assertEqual(call("change", "000000", begun), "422 code_incorrect, 4 checks left")
        changed = call("change", self.right_code("010-5555-6666"), begun)
        self.assertEqual(changed, '+821055556666 {"b":{"c":2}}')
        begun = call("begin-change", OTHER).split()[0]
        self.assertEqual(call("change", self.right_code(OTHER, 1), begun), "409 number_taken")
        begun = call("begin-change", "010-7777-8888").split()[0]
        self.assertEqual(call("cancel-change", begun), f"{begun} canceled, 5 checks left")
        self.assertEqual(call("delete"), '+821055556666 {"b":{"c":2}}, to be deleted')
        self.assertEqual(call("is-signed-in"), "signed out")

    def sign_up(self, call, number=NUMBER, after=0):
        call("signup")
        call("send", number)
        return call("sign-up", self.right_code(number, after))
