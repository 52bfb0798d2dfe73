"""What the tests of Twilio Verify's interface share: a service, an account of it, and Twilio's own library."""

import os
import re

from clients import ClientTestCase
from support import run
from twilio.rest import Client

NUMBER = "+821012345678"
OTHER = "+821087654321"


class VerifyTestCase(ClientTestCase):
    settings = {}

    def setUp(self):
        # Unlike in local development, one region may have codes.
        self.settings = {"VERIFICATION_ALLOWED_REGIONS": "KR", **self.settings}
        self.server, self.address = self.serve(**self.settings)
        self.folder = os.path.dirname(self.server.log_path)
        self.account, self.token = self.create_key()
        self.client = self.library(self.account, self.token)
        self.verify = self.client.verify.v2

    def create_key(self, *arguments):
        """A name and a secret, as `phoneproof keys create --twilio` prints them."""
        code, out, err = run(
            "keys", "create", "--twilio", "--name", "app", *arguments, folder=self.folder, **self.settings
        )
        self.assertEqual(code, 0, err)
        name = re.search(r"\b(AC|SK)[0-9a-f]{32}\b", out)
        secret = re.search(r"(?<![0-9a-zA-Z])[0-9a-f]{32}\b", out)
        return name.group(0), secret.group(0)

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
        from twilio.base.exceptions import TwilioRestException

        with self.assertRaises(TwilioRestException) as caught:
            work()
        self.assertEqual((caught.exception.status, caught.exception.code), (status, code), caught.exception)
        return caught.exception

    def body(self, number=NUMBER):
        """The message that a number had last, once it has come."""
        from support import wait_for

        return wait_for(lambda: next(iter(self.server.client.messages(number, 1)), None), "a message")
