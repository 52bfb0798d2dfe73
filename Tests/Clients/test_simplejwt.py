"""Access tokens as djangorestframework-simplejwt takes them, by the settings that Accounts.md has."""

import unittest
from unittest import mock

from clients import ClientTestCase

ISSUER, NUMBER = "https://phone.example.com", "010-1234-5678"


class SimpleJWTTests(ClientTestCase):
    def sign_up(self):
        client = self.server.client
        begun = client.call("POST", "/v1/signups", {"region": "KR"}).json
        path, token = f"/v1/signups/{begun['id']}", begun["token"]
        sent = client.call("POST", path + "/send", {"phone_text": NUMBER}, token)
        self.assertEqual(sent.status, 202, sent.text)
        code = client.code("+82" + NUMBER.replace("-", "")[1:])
        done = client.call("POST", path + "/sign-up", {"code_text": code}, token)
        self.assertEqual(done.status, 201, done.text)
        return done.json["account"]["id"], done.json["tokens"]["access_token"]

    def test_takes_an_access_token_with_these_settings_and_not_without(self):
        from django.conf import settings

        self.server, address = self.serve(TOKENS_ISSUER=ISSUER)
        simple_jwt = {
            "ALGORITHM": "ES256", "JWK_URL": address + "/.well-known/jwks.json", "ISSUER": ISSUER, "AUDIENCE": ISSUER,
            "USER_ID_CLAIM": "sub", "TOKEN_TYPE_CLAIM": None,
        }
        settings.configure(
            SECRET_KEY="unused",
            INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "rest_framework_simplejwt"],
            SIMPLE_JWT=simple_jwt,
        )
        import django

        django.setup()
        from rest_framework_simplejwt import tokens
        from rest_framework_simplejwt.authentication import JWTStatelessUserAuthentication
        from rest_framework_simplejwt.exceptions import InvalidToken

        account, token = self.sign_up()
        authentication = JWTStatelessUserAuthentication()
        user = authentication.get_user(authentication.get_validated_token(token.encode()))
        self.assertEqual(user.id, account)
        with mock.patch.object(tokens.api_settings, "TOKEN_TYPE_CLAIM", "token_type"):
            with self.assertRaises(InvalidToken):
                authentication.get_validated_token(token.encode())


if __name__ == "__main__":
    unittest.main()
