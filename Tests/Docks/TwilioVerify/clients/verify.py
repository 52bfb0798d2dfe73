"""What the tests of Twilio Verify's interface share: a service, an account of it, and Twilio's own library."""

from support import ServiceTestCase, wait_for
from twilio.base.exceptions import TwilioRestException
from twilio.rest import Client

NUMBER = "+821012345678"
OTHER = "+821087654321"


class VerifyTestCase(ServiceTestCase):
    settings = {}

    def setUp(self):
        # Unlike in local development, one region may have codes.
        self.settings = {"VERIFICATION_ALLOWED_REGIONS": "KR", **self.settings}
        super().setUp()
        self.server = self.serve()
        self.address = self.server.url
        self.account, self.token = self.create_key()
        self.client = self.library(self.account, self.token)
        self.verify = self.client.verify.v2

    def create_key(self, *arguments):
        """A name and a secret, as `phoneproof twilio create-key` prints them."""
        return self.run_program("twilio", "create-key", "--name", "app", *arguments)[1].split()

    def library(self, *credentials):
        """Twilio's library as it is, but for the address."""
        client = Client(*credentials)
        client.verify.base_url = self.address
        return client

    def service(self, **options):
        options.setdefault("friendly_name", "Acme")
        made = self.verify.services.create(**options)
        return self.verify.services(made.sid)

    def send(self, service, to=NUMBER, **options):
        return service.verifications.create(to=to, channel="sms", **options)

    def check(self, service, code, to=NUMBER):
        return service.verification_checks.create(to=to, code=code)

    def refused(self, work, status, code):
        """Twilio's own exception, by its status and code."""
        with self.assertRaises(TwilioRestException) as caught:
            work()
        self.assertEqual((caught.exception.status, caught.exception.code), (status, code), caught.exception)
        return caught.exception

    def body(self, number=NUMBER):
        """The message that a number had last, once it has come."""
        return wait_for(lambda: next(iter(self.server.client.messages(number, 1)), None), "a message")
