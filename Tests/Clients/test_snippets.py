"""The Python snippets of the README and the articles, run as they stand."""

import ast
from unittest import mock

import jwt
from documentation import all_blocks
from support import ServiceTestCase

NUMBER = "+821012345678"

ISSUER = "https://phone.example.com"


class SnippetTests(ServiceTestCase):
    # The code that the pages show is the right one for this number.
    settings = {
        "TOKENS_ISSUER": ISSUER, "TEST_NUMBERS_NUMBERS": f"{NUMBER}=123456", "TEST_NUMBERS_UNTIL": "2099-01-01T00:00:00Z",
        "VERIFICATION_RESEND_COOLDOWNS_SECONDS": 0,
    }

    def setUp(self):
        super().setUp()
        self.server = self.serve()

    def new_account(self):
        client = self.server.client
        done = client.enter_code(*client.begin_signup(NUMBER), "123456")
        self.assertEqual(done.status, 201, done.text)
        return done.json["account"]["id"], done.json["tokens"]["access_token"]

    def value(self, block, **names):
        """Runs a block; returns the value of its last line."""
        tree = ast.parse(block.text.replace("http://127.0.0.1:8080", self.server.url))
        last = ast.Expression(tree.body.pop().value)
        exec(compile(tree, block.place, "exec"), names)
        return eval(compile(last, block.place, "eval"), names)

    def test_python_does_what_the_pages_show(self):
        account, token = self.new_account()
        # A web server is another matter: Tests/EndToEnd/Accounts/test_openid.py; so are a challenge: test_altcha.py, and what others'
        # servers run: test_identity_providers.py.
        others = ("Abuse", "IdentityProviders", "SignInWithYourPhone", "TwilioVerify")
        blocks = [block for block in all_blocks("python") if block.page not in others]
        self.assertEqual([block.page for block in blocks], ["Accounts"])
        real = jwt.PyJWKClient
        # The issuer that the pages name is this service.
        with mock.patch.object(jwt, "PyJWKClient", lambda url: real(url.replace(ISSUER, self.server.url))):
            for block in blocks:
                with self.subTest(block.place):
                    self.assertEqual(self.value(block, token=token)["sub"], account)
