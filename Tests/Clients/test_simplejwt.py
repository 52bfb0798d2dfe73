"""Access tokens as djangorestframework-simplejwt takes them, by the settings that Accounts.md has."""

from unittest import mock

from support import ServiceTestCase

ISSUER, NUMBER = "https://phone.example.com", "010-1234-5678"


class SimpleJWTTests(ServiceTestCase):
    def test_takes_an_access_token_with_these_settings_and_not_without(self):
        from django.conf import settings

        server = self.serve(TOKENS_ISSUER=ISSUER)
        simple_jwt = {
            "ALGORITHM": "ES256", "JWK_URL": server.url + "/.well-known/jwks.json", "ISSUER": ISSUER, "AUDIENCE": ISSUER,
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

        done = server.client.sign_up(NUMBER).json
        account, token = done["account"]["id"], done["tokens"]["access_token"]
        authentication = JWTStatelessUserAuthentication()
        user = authentication.get_user(authentication.get_validated_token(token.encode()))
        self.assertEqual(user.id, account)
        with mock.patch.object(tokens.api_settings, "TOKEN_TYPE_CLAIM", "token_type"):
            with self.assertRaises(InvalidToken):
                authentication.get_validated_token(token.encode())
