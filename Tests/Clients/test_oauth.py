"""Tokens by the clients and the validators that others publish for OAuth 2.0."""

import os

# The clients refuse plain HTTP unless this is set; the service listens on 127.0.0.1 without TLS here.
os.environ.update({"OAUTHLIB_INSECURE_TRANSPORT": "1", "AUTHLIB_INSECURE_TRANSPORT": "1"})

import oauthlib.oauth2  # noqa: E402
import requests  # noqa: E402
from authlib.integrations.base_client import OAuthError  # noqa: E402
from authlib.integrations.requests_client import OAuth2Session as Authlib  # noqa: E402
from authlib.oauth2.rfc6750.errors import InsufficientScopeError  # noqa: E402
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata  # noqa: E402
from authlib.oauth2.rfc9068 import JWTBearerTokenValidator  # noqa: E402
from authlib.oidc.discovery import OpenIDProviderMetadata  # noqa: E402
from requests_oauthlib import OAuth2Session as RequestsOAuthlib  # noqa: E402
from support import ServiceTestCase

ISSUER, AUDIENCE = "https://phone.example.com", "https://api.example.com"


class OAuthTestCase(ServiceTestCase):
    def setUp(self):
        super().setUp()
        server = self.serve(TOKENS_ISSUER=ISSUER, TOKENS_AUDIENCE=AUDIENCE)
        self.client, self.address = server.client, server.url

    def metadata(self, name="oauth-authorization-server"):
        return requests.get(f"{self.address}/.well-known/{name}").json()

    def endpoint(self, name):
        """Where an endpoint is, by what is published of it; the issuer's host is not one of this machine."""
        return self.metadata()[name].replace(ISSUER, self.address)

    def new_tokens(self, number="010-1234-5678"):
        return self.client.sign_up(number).json["tokens"]


class RefreshTests(OAuthTestCase):
    def test_authlib(self):
        tokens = self.new_tokens()
        client = Authlib("app", token=dict(tokens))
        fresh = client.refresh_token(self.endpoint("token_endpoint"))
        self.assertEqual((fresh["token_type"], fresh["expires_in"], fresh["scope"]), ("Bearer", 900, "account"))
        self.assertNotEqual(fresh["refresh_token"], tokens["refresh_token"])
        self.assertEqual(client.get(f"{self.address}/v1/accounts/me").status_code, 200)
        # The problem document itself was taken for the new token.
        with self.assertRaises(OAuthError) as caught:
            client.refresh_token(self.endpoint("token_endpoint"), refresh_token="rt_1")
        self.assertEqual(caught.exception.error, "invalid_grant")
        self.assertIn("sign in again", caught.exception.description)
        self.assertEqual(client.token["refresh_token"], fresh["refresh_token"])
        with self.assertRaises(OAuthError) as caught:
            client.fetch_token(self.endpoint("token_endpoint"), grant_type="password", username="a", password="b")
        self.assertEqual(caught.exception.error, "unsupported_grant_type")

    def test_requests_oauthlib(self):
        tokens = self.new_tokens()
        client = RequestsOAuthlib("app", token=dict(tokens))
        fresh = client.refresh_token(self.endpoint("token_endpoint"))
        self.assertEqual((fresh["token_type"], fresh["expires_in"], fresh["scope"]), ("Bearer", 900, ["account"]))
        self.assertEqual(client.get(f"{self.address}/v1/accounts/me").status_code, 200)
        # MissingTokenError was raised.
        with self.assertRaises(oauthlib.oauth2.InvalidGrantError) as caught:
            client.refresh_token(self.endpoint("token_endpoint"), refresh_token="rt_1")
        self.assertIn("sign in again", caught.exception.description)
        old = oauthlib.oauth2.LegacyApplicationClient("app")
        with self.assertRaises(oauthlib.oauth2.UnsupportedGrantTypeError):
            RequestsOAuthlib(client=old).fetch_token(self.endpoint("token_endpoint"), username="a", password="b")


class RevocationTests(OAuthTestCase):
    def test_authlib(self):
        for kind in ("refresh_token", "access_token"):
            with self.subTest(kind):
                tokens = self.new_tokens()
                client = Authlib("app", token=dict(tokens))
                for _ in range(2):
                    answer = client.revoke_token(
                        self.endpoint("revocation_endpoint"), token=tokens[kind], token_type_hint=kind
                    )
                    self.assertEqual((answer.status_code, answer.content), (200, b""))
                with self.assertRaises(OAuthError) as caught:
                    client.refresh_token(self.endpoint("token_endpoint"))
                self.assertEqual(caught.exception.error, "invalid_grant")

    def test_oauthlib(self):
        tokens = self.new_tokens()
        client = oauthlib.oauth2.MobileApplicationClient("app")
        url, headers, body = client.prepare_token_revocation_request(
            self.endpoint("revocation_endpoint").replace("http:", "https:"), tokens["refresh_token"], "refresh_token"
        )
        answer = requests.post(url.replace("https:", "http:"), data=body, headers=headers)
        self.assertEqual(answer.status_code, 200)
        me = requests.get(f"{self.address}/v1/accounts/me", headers={"Authorization": f"Bearer {tokens['access_token']}"})
        self.assertEqual(me.status_code, 401)


class MetadataTests(OAuthTestCase):
    def test_rfc_8414(self):
        AuthorizationServerMetadata(self.metadata()).validate()

    def test_openid_connect(self):
        metadata = self.metadata("openid-configuration")
        self.assertEqual(metadata, self.metadata())
        self.assertEqual(metadata["id_token_signing_alg_values_supported"], ["RS256", "ES256"])
        OpenIDProviderMetadata(metadata).validate()


class ReceiverTests(OAuthTestCase):
    """A program that takes access tokens, as RFC 9068 section 4 has it."""

    def test_the_scope_counts(self):
        keys = requests.get(self.endpoint("jwks_uri")).json()

        class Validator(JWTBearerTokenValidator):
            def get_jwks(self):
                return keys

        validator = Validator(ISSUER, AUDIENCE)
        token = validator.authenticate_token(self.new_tokens()["access_token"])
        validator.validate_token(token, ["account"], None)
        with self.assertRaises(InsufficientScopeError):
            validator.validate_token(token, ["other"], None)
