"""Programs that know Twilio Verify's own address and no other, and the snippets of the article."""

import ast

from documentation import all_blocks
from test_fixed_host import NUMBER, FixedHostTestCase
from verify import VerifyTestCase


class VerifyTests(FixedHostTestCase):
    """The service itself as verify.twilio.com, as Supabase Auth and others ask for it."""

    host = "verify.twilio.com"

    def begin(self):
        certificate, key = self.pair
        return self.serve(SERVER_TLS_CERTIFICATE_FILE=certificate, SERVER_TLS_KEY_FILE=key)

    def test_a_number_is_verified(self):
        account, token = self.run_program("twilio", "create-key", "--name", "app")[1].split()
        services = self.twilio(account, token).verify.v2.services
        service = services(services.create(friendly_name="Acme").sid)
        sent = service.verifications.create(to=NUMBER, channel="sms")
        self.assertEqual(sent.status, "pending")
        self.assertTrue(sent.url.startswith("https://verify.twilio.com/v2/"), sent.url)


class SnippetTests(VerifyTestCase):
    # The code that the page shows is the right one for this number.
    settings = {"TEST_NUMBERS_NUMBERS": f"{NUMBER}=123456", "TEST_NUMBERS_UNTIL": "2099-01-01T00:00:00Z"}

    def test_python_does_what_the_page_shows(self):
        [block] = [block for block in all_blocks("python") if block.page == "TwilioVerify"]
        tree = ast.parse(block.text.replace("http://127.0.0.1:8080", self.address))
        last, names = ast.Expression(tree.body.pop().value), {"account_sid": self.account, "auth_token": self.token}
        exec(compile(tree, block.place, "exec"), names)
        self.assertEqual(eval(compile(last, block.place, "eval"), names), "approved")


del FixedHostTestCase, VerifyTestCase
