"""Programs that know Twilio's own addresses and no other: names that resolve to this machine, and a certificate for them."""

import datetime
import json
import os
import socket
from unittest import mock

from certificates import make_authority, make_certificate
from support import ServiceTestCase
from twilio.base.exceptions import TwilioRestException
from twilio.rest import Client

ACCOUNT = "AC" + "a1" * 16
NUMBER = "+821012345678"
SENDER = "+15005550006"


class FixedHostTestCase(ServiceTestCase):
    host = "api.twilio.com"

    def setUp(self):
        super().setUp()
        folder = self.new_folder()
        self.authority = make_authority(folder, "authority")
        self.pair = make_certificate(folder, self.host, self.authority, "server")
        os.chmod(self.pair[1], 0o600)
        self.server = self.begin()
        self.resolve()
        # How requests is given a certificate authority from outside.
        self.enter(mock.patch.dict(os.environ, {"REQUESTS_CA_BUNDLE": self.authority}))

    def begin(self):
        certificate, key = self.pair
        server = self.stub("--tls-certificate", certificate, "--tls-key", key, SMS_STUB_HOSTS=self.host)
        self.assertEqual(server.scheme, "https")
        return server

    def resolve(self):
        """What a line in the hosts file does, and a port that only root may listen on."""
        ask = socket.getaddrinfo

        def answer(host, port, *arguments, **options):
            if host == self.host:
                self.assertEqual(port, 443)
                return ask("127.0.0.1", self.server.port, *arguments, **options)
            return ask(host, port, *arguments, **options)

        self.enter(mock.patch("socket.getaddrinfo", answer))

    def twilio(self, *credentials):
        client = Client(*credentials)
        self.addCleanup(client.http_client.session.close)
        return client


class StubTests(FixedHostTestCase):
    def setUp(self):
        super().setUp()
        self.client = self.twilio(ACCOUNT, "t0ken")

    def messages(self):
        """What the stub took, asked for at the same address."""
        response = self.client.request("GET", "https://api.twilio.com/stub/messages")
        self.assertEqual(response.status_code, 200, response.text)
        return json.loads(response.text)["messages"]

    def test_a_message_goes_to_the_stub(self):
        sent = self.client.messages.create(to=NUMBER, from_=SENDER, body="314159")
        self.assertEqual(sent.fetch().status, "delivered")
        self.assertEqual([message["body"] for message in self.messages()], ["314159"])

    def test_a_call_as_django_two_factor_auth_makes_it(self):
        url = "https://app.example/twilio/inbound/two_factor/314159/?locale=en"
        call = self.client.calls.create(to=NUMBER, from_=SENDER, url=url, method="GET", timeout=15)
        self.assertRegex(call.sid, "^CA[0-9a-f]{32}$")
        self.assertEqual((call.status, call.to, call._from, call.direction), ("queued", NUMBER, SENDER, "outbound-api"))
        fetched = call.fetch()
        self.assertEqual((fetched.sid, fetched.status), (call.sid, "completed"))
        self.assertIsInstance(fetched.start_time, datetime.datetime)
        self.assertEqual([(message["to"], message["body"]) for message in self.messages()], [(NUMBER, url)])
        # It is no message of Twilio's.
        self.assertEqual(self.client.messages.list(), [])
        said = self.client.calls.create(to=NUMBER, from_=SENDER, twiml="<Response><Say>31</Say></Response>")
        self.assertEqual(self.messages()[0]["body"], "<Response><Say>31</Say></Response>")
        self.assertNotEqual(said.sid, call.sid)

    def test_what_is_not_there_is_refused_as_by_twilio(self):
        for ask, status, code in [
            (lambda: self.client.calls.create(to="+0123", from_=SENDER, twiml="<Response/>"), 400, 21211),
            (lambda: self.client.calls.create(to=NUMBER, from_=SENDER), 400, 21205),
            (lambda: self.client.messages.create(to="+0123456", from_=SENDER, body="a"), 400, 21211),
            (lambda: self.client.calls("CA" + "0" * 32).fetch(), 404, 20404),
            (lambda: self.client.api.accounts(ACCOUNT).balance.fetch(), 404, 20404),
            (lambda: self.client.conferences("CF" + "0" * 32).fetch(), 404, 20404),
            (lambda: self.client.api.accounts(ACCOUNT).fetch(), 404, 20404),
            (lambda: self.client.messages("SM" + "0" * 32).delete(), 405, 20004),
        ]:
            with self.assertRaises(TwilioRestException) as refused:
                ask()
            self.assertIs(type(refused.exception), TwilioRestException)
            self.assertEqual((refused.exception.status, refused.exception.code), (status, code))


class OtherHostTests(FixedHostTestCase):
    """A name that is not in the stub's settings: a page of that name could have a browser on the machine read every code."""

    def begin(self):
        certificate, key = self.pair
        return self.stub("--tls-certificate", certificate, "--tls-key", key)

    def test_is_refused_as_by_twilio(self):
        with self.assertRaises(TwilioRestException) as refused:
            self.twilio(ACCOUNT, "t0ken").messages.create(to=NUMBER, from_=SENDER, body="a")
        self.assertIs(type(refused.exception), TwilioRestException)
        self.assertEqual((refused.exception.status, refused.exception.code), (401, 20003))
        self.assertIn("sms.stub.hosts", refused.exception.msg)
