"""A service that sends by Twilio's API: to the stub that speaks it, to nobody, and to one that is not who it says."""

import ssl

from certificates import openssl
from peer import Peer
from support import TWILIO, ServiceTestCase, wait_for

NUMBER = "+821012345678"


class TwilioTests(ServiceTestCase):
    def send_by(self, url, gateway="twilio", **settings):
        return self.serve(SMS_GATEWAY=gateway, SMS_TWILIO_BASE_URL=url, **{**TWILIO, **settings})

    def test_a_signup_receives_its_code_there(self):
        stub = self.stub()
        server = self.send_by(stub.url)
        signed_up = server.client.sign_up("010-1234-5678", inbox=stub.client)
        self.assertEqual((signed_up.status, signed_up.json["account"]["phone_number"]), (201, NUMBER))
        [message] = stub.client.call("GET", "/stub/messages").json["messages"]
        self.assertEqual((message["from"], message["to"]), ("+15005550006", NUMBER))
        self.assertIn(message["sid"], self.run_program("outbox", "list", "--json")[1])
        self.assertEqual(server.client.call("GET", "/stub/messages").status, 404)
        self.assertEqual(server.stop(), 0)
        for secret in [TWILIO["SMS_TWILIO_AUTH_TOKEN"], stub.client.code(NUMBER), "1012345678", "10-1234-5678"]:
            self.assertNotIn(secret, server.log_text)

    def test_the_secret_may_stand_in_a_file(self):
        stub = self.stub()
        self.write("secret", "  t0ken\n")
        settings = {"SMS_TWILIO_AUTH_TOKEN": "", "SMS_TWILIO_AUTH_TOKEN_FILE": f"{self.folder}/secret"}
        server = self.send_by(stub.url, **settings)
        self.assertEqual(server.client.sign_up(NUMBER, inbox=stub.client).status, 201)

    def test_when_it_is_down_the_next_gateway_has_the_message_and_is_left_alone_after_a_while(self):
        stub = self.stub()
        stub.kill()
        server = self.send_by(stub.url, gateway="twilio,stub")
        for last in range(7):
            number = f"+82101234567{last}"
            server.client.begin(number)
            server.client.code(number)
        wait_for(lambda: "circuit breaker opened" in server.log_text, "the warning")
        self.assertEqual(server.log_text.count("the gateway cannot be reached"), 5)

    def test_one_that_is_not_who_it_says_gets_nothing(self):
        certificate, key = f"{self.folder}/certificate", f"{self.folder}/key"
        openssl(
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1", "-days", "1",
            "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        impostor = self.enter(Peer(tls=context))
        impostor.server.handle_error = lambda *_: None
        server = self.send_by(impostor.url)
        server.client.begin(NUMBER)
        wait_for(lambda: "the gateway cannot be reached" in self.outbox_table(), "the first attempt")
        self.assertEqual(impostor.requests, [])
