"""What the tests of Twilio's Messages resource share."""

from support import ServiceTestCase
from twilio.base.exceptions import TwilioRestException
from twilio.rest import Client

ACCOUNT = "AC" + "a1" * 16
SERVICE = "MG" + "b2" * 16
TOKEN = "t0ken-of-the-test"
SENDER = "+15005550006"
NUMBER = "+821012345678"


class MessagesTestCase(ServiceTestCase):
    """An SMS stub, and Twilio's library that sends by it."""

    def setUp(self):
        super().setUp()
        self.begin(self.stub())

    def begin(self, server):
        self.server, self.url = server, server.url
        self.client = self.twilio(ACCOUNT, TOKEN)
        self.messages = self.client.messages

    def twilio(self, *credentials, **options):
        client = Client(*credentials, **options)
        client.api.base_url = self.url
        self.addCleanup(client.http_client.session.close)
        return client

    def behave(self, **behavior):
        answer = self.server.client.call("PUT", "/stub/behavior", behavior)
        self.assertEqual(answer.status, 200, answer.text)

    def send(self, to=NUMBER, **values):
        return self.messages.create(**{"to": to, "from_": SENDER, "body": "[PhoneProof] 314159 & more", **values})

    def refused(self, call, *arguments, **values):
        """What a call that is refused throws: code, status, and words."""
        with self.assertRaises(TwilioRestException) as raised:
            call(*arguments, **values)
        error = raised.exception
        self.assertIs(type(error), TwilioRestException)
        return error.code, error.status, error.msg
