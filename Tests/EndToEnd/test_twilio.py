"""A service that sends by Twilio's API: to the stub that speaks it, to nobody, and to one that is not who it says."""

import os
import ssl
import subprocess
import tempfile
import threading
import unittest

from http.server import BaseHTTPRequestHandler, HTTPServer
from support import Server, run, wait_for

NUMBER = "+821012345678"
ACCOUNT = {
    "SMS_TWILIO_ACCOUNT_SID": "AC" + "a1" * 16,
    "SMS_TWILIO_AUTH_TOKEN": "t0ken-of-the-test",
    "SMS_TWILIO_FROM": "+15005550006",
}


class TwilioTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def stub(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        stub = Server(folder.name, command=("sms-stub",))
        self.addCleanup(stub.close)
        return stub

    def serve(self, port, gateway="twilio", scheme="http", **settings):
        server = Server(
            self.folder, SMS_GATEWAY=gateway, SMS_TWILIO_BASE_URL=f"{scheme}://127.0.0.1:{port}", **{**ACCOUNT, **settings}
        )
        self.addCleanup(server.close)
        return server

    def outbox(self):
        return run("outbox", "list", folder=self.folder)[1]

    def sign_up(self, server, stub):
        client = server.client
        signup = client.call("POST", "/v1/signups", {}).json
        path, token = f"/v1/signups/{signup['id']}", signup["token"]
        self.assertEqual(client.call("POST", path + "/send", {"phone_text": "010-1234-5678"}, token).status, 202)
        code = stub.client.code(NUMBER)
        return code, client.call("POST", path + "/sign-up", {"code_text": code}, token)

    def test_a_signup_receives_its_code_there(self):
        stub = self.stub()
        server = self.serve(stub.port)
        code, signed_up = self.sign_up(server, stub)
        self.assertEqual((signed_up.status, signed_up.json["account"]["phone_number"]), (201, NUMBER))
        [message] = stub.client.call("GET", "/stub/messages").json["messages"]
        self.assertEqual((message["from"], message["to"]), ("+15005550006", NUMBER))
        self.assertIn(message["sid"], run("outbox", "list", "--json", folder=self.folder)[1])
        self.assertEqual(server.client.call("GET", "/stub/messages").status, 404)
        self.assertEqual(server.stop(), 0)
        for secret in [ACCOUNT["SMS_TWILIO_AUTH_TOKEN"], code, "1012345678", "10-1234-5678"]:
            self.assertNotIn(secret, server.log_text)

    def test_what_it_refuses_fails_and_what_it_is_too_busy_for_waits(self):
        stub = self.stub()
        server = self.serve(stub.port)
        stub.client.call("PUT", "/stub/behavior", {"mode": "reject", "error_code": 21614})
        begun = server.client.call("POST", "/v1/verifications", {"phone_number": NUMBER}).json
        wait_for(lambda: "the number cannot receive text messages (21614)" in self.outbox(), "the refusal")
        found = server.client.call("GET", f"/v1/verifications/{begun['id']}").json
        self.assertEqual(found["status"], "failed")
        stub.client.call("PUT", "/stub/behavior", {"mode": "reject", "error_code": 20429})
        server.client.call("POST", "/v1/verifications", {"phone_number": "+821087654321"})
        wait_for(lambda: "the gateway is busy" in self.outbox(), "the first attempt")
        stub.client.call("PUT", "/stub/behavior", {"mode": "deliver"})
        stub.client.code("+821087654321")

    def test_the_secret_may_stand_in_a_file(self):
        stub = self.stub()
        with open(f"{self.folder}/secret", "w") as file:
            file.write("  t0ken\n")
        settings = {"SMS_TWILIO_AUTH_TOKEN": "", "SMS_TWILIO_AUTH_TOKEN_FILE": f"{self.folder}/secret"}
        self.assertEqual(self.sign_up(self.serve(stub.port, **settings), stub)[1].status, 201)

    def test_when_it_is_down_the_next_gateway_has_the_message_and_is_left_alone_after_a_while(self):
        stub = self.stub()
        stub.kill()
        server = self.serve(stub.port, gateway="twilio,stub", SMS_BREAKER_FAILURES=2)
        for last in range(4):
            number = f"+82101234567{last}"
            server.client.call("POST", "/v1/verifications", {"phone_number": number})
            server.client.code(number)
        wait_for(lambda: "circuit breaker opened" in server.log_text, "the warning")
        self.assertEqual(server.log_text.count("the gateway cannot be reached"), 2)

    def test_a_message_waits_until_it_is_up_again(self):
        stub = self.stub()
        server = self.serve(1)
        server.client.call("POST", "/v1/verifications", {"phone_number": NUMBER})
        wait_for(lambda: "the gateway cannot be reached" in self.outbox(), "the first attempt")
        self.assertEqual(server.stop(), 0)
        self.serve(stub.port)
        stub.client.code(NUMBER)

    def test_one_that_is_not_who_it_says_gets_nothing(self):
        certificate, key = f"{self.folder}/certificate", f"{self.folder}/key"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1", "-days", "1",
             "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
            check=True, capture_output=True,
        )
        requests = []

        class Impostor(BaseHTTPRequestHandler):
            def do_POST(self):
                requests.append(self.path)

        vendor = HTTPServer(("127.0.0.1", 0), Impostor)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        vendor.socket = context.wrap_socket(vendor.socket, server_side=True)
        vendor.handle_error = lambda *_: None
        threading.Thread(target=vendor.serve_forever, daemon=True).start()
        self.addCleanup(vendor.server_close)
        self.addCleanup(vendor.shutdown)

        server = self.serve(vendor.server_port, scheme="https")
        server.client.call("POST", "/v1/verifications", {"phone_number": NUMBER})
        wait_for(lambda: "the gateway cannot be reached" in self.outbox(), "the first attempt")
        self.assertEqual(requests, [])

    def test_settings_that_will_not_do_are_refused_and_no_secret_is_quoted(self):
        file = f"{self.folder}/settings.yaml"
        with open(file, "w") as settings:
            settings.write("sms:\n  twilio:\n    auth_token: in-the-clear\n")
        empty = f"{self.folder}/empty"
        open(empty, "w").close()
        for change, expected in [
            ({"SMS_TWILIO_ACCOUNT_SID": ""}, "sms.twilio.account_sid"),
            ({"SMS_TWILIO_ACCOUNT_SID": "t0ken-of-the-test"}, "AC and 32 hexadecimal digits"),
            ({"SMS_TWILIO_AUTH_TOKEN": ""}, "PHONEPROOF_SMS_TWILIO_AUTH_TOKEN"),
            ({"SMS_TWILIO_AUTH_TOKEN": "t0ken of the test"}, "one word"),
            ({"SMS_TWILIO_AUTH_TOKEN": "", "SMS_TWILIO_AUTH_TOKEN_FILE": "/nowhere"}, "cannot read /nowhere"),
            ({"SMS_TWILIO_AUTH_TOKEN": "", "SMS_TWILIO_AUTH_TOKEN_FILE": empty}, "is empty"),
            ({"SMS_TWILIO_FROM": ""}, "sms.twilio.from"),
            ({"SMS_TWILIO_FROM": "+0"}, "sms.twilio.from"),
            ({"SMS_TWILIO_BASE_URL": "api.twilio.com"}, "sms.twilio.base_url"),
        ]:
            code, _, err = run("serve", folder=self.folder, SMS_GATEWAY="twilio", **{**ACCOUNT, **change})
            self.assertEqual((code, len(err.splitlines())), (78, 1), err)
            self.assertIn(expected, err)
            self.assertNotIn("t0ken", err)
        code, _, err = run("serve", "--config", file, folder=self.folder)
        self.assertEqual(code, 78)
        self.assertIn("sms.twilio.auth_token_file", err)
        self.assertNotIn("in-the-clear", err)

    def test_check_config_shows_the_gateways(self):
        code, out, _ = run("check-config", folder=self.folder, SMS_GATEWAY="twilio, console", **ACCOUNT)
        self.assertEqual(code, 0)
        self.assertIn("gateways  twilio, then console\n", out)
        self.assertIn(f"twilio    {ACCOUNT['SMS_TWILIO_ACCOUNT_SID']} from +15005550006, by https://api.twilio.com\n", out)
        self.assertIn("warning   what other gateways do not take stays here; codes are written", out)
        self.assertNotIn("t0ken", out)
        self.assertNotIn("is plain HTTP", out)
        plain = {**ACCOUNT, "SMS_TWILIO_BASE_URL": "http://sms.example.com"}
        out = run("check-config", folder=self.folder, SMS_GATEWAY="twilio", **plain)[1]
        self.assertIn("is plain HTTP: codes and the auth token can be read in transit", out)
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
