"""Sign-in by relying parties that others publish, in their defaults: none of them is given an algorithm, PKCE or an endpoint.
Authlib and Apache's mod_auth_openidc are in Tests/EndToEnd."""

import json
import urllib.parse

from browser import Browser
from idpyoidc.client.rp_handler import RPHandler
from oic.oic import Client as PyOIDC
from oic.oic.message import AuthorizationResponse, RegistrationResponse
from oic.utils.authn.client import CLIENT_AUTHN_METHOD
from social_core.backends.open_id_connect import OpenIdConnectAuth
from social_core.storage import AssociationMixin, BaseStorage, NonceMixin
from social_core.strategy import BaseStrategy
from support import ServiceTestCase, free_port

CALLBACK, NUMBER = "https://shop.example/callback", "010-1234-5678"


class RelyingPartyTestCase(ServiceTestCase):
    def setUp(self):
        super().setUp()
        # The libraries compare the issuer with where they found it.
        port = free_port()
        self.issuer = f"http://127.0.0.1:{port}"
        self.server = self.serve(TOKENS_ISSUER=self.issuer, port=port)
        self.shop = self.create("--no-pkce-required")

    def create(self, *arguments):
        return self.create_client("--name", "Shop", "--redirect-uri", CALLBACK, *arguments)

    def sign_in(self, url):
        """What comes back to the client after the person has signed in."""
        self.assertTrue(url.startswith(self.issuer + "/oauth2/authorize?"), url)
        browser = Browser(self.server, self.issuer)
        back = browser.sign_in(browser.open(url), self.server.client, NUMBER)
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(back).query))


class SocialAuthTests(RelyingPartyTestCase):
    """social-auth-core, which python-social-auth signs people in by in Django and Flask."""

    def backend(self, client):
        class Association(AssociationMixin):
            stored = []

            @classmethod
            def store(cls, server_url, association):
                association.id, association.is_expired = len(cls.stored), lambda: False
                cls.stored.append(association)

            @classmethod
            def get(cls, server_url=None, handle=None):
                return [each for each in cls.stored if each.handle == handle]

            @classmethod
            def remove(cls, ids_to_delete):
                cls.stored[:] = [each for each in cls.stored if each.id not in ids_to_delete]

        class Nonce(NonceMixin):
            @classmethod
            def use(cls, server_url, timestamp, salt):
                return True

            @classmethod
            def consume(cls, *arguments, **options):
                return True

        class Storage(BaseStorage):
            association, nonce = Association, Nonce

        class Strategy(BaseStrategy):
            """What Django's does, for one person in one session."""

            session, data = {}, {}
            settings = {
                "SOCIAL_AUTH_OIDC_KEY": client["client_id"], "SOCIAL_AUTH_OIDC_SECRET": client["client_secret"],
                "SOCIAL_AUTH_OIDC_OIDC_ENDPOINT": self.issuer, "SOCIAL_AUTH_OIDC_SCOPE": ["openid", "phone"],
                "SOCIAL_AUTH_OIDC_IGNORE_DEFAULT_SCOPE": True,
            }

            def get_setting(self, name):
                return self.settings[name]

            def request_data(self, merge=True):
                return self.data

            def session_get(self, name, default=None):
                return self.session.get(name, default)

            def session_set(self, name, value):
                self.session[name] = value

            def session_pop(self, name):
                return self.session.pop(name, None)

            def build_absolute_uri(self, path=None):
                return path

            def authenticate(self, *arguments, **details):
                return details

        return OpenIdConnectAuth(Strategy(Storage), CALLBACK)

    def test_a_person_signs_in(self):
        backend = self.backend(self.shop)
        backend.data = backend.strategy.data = self.sign_in(backend.auth_url())
        response = backend.auth_complete()["response"]
        self.assertEqual(response["phone_number"], "+821012345678")
        self.assertEqual(backend.id_token["sub"], response["sub"])

    def test_a_person_signs_in_with_pkce(self):
        backend = self.backend(self.create())
        backend.strategy.settings["SOCIAL_AUTH_OIDC_USE_PKCE"] = True
        backend.data = backend.strategy.data = self.sign_in(backend.auth_url())
        self.assertEqual(backend.auth_complete()["response"]["phone_number"], "+821012345678")


class IdPyOIDCTests(RelyingPartyTestCase):
    def test_a_person_signs_in(self):
        # It would write its keys below the folder that it runs in.
        keys = [{"type": "EC", "crv": "P-256", "use": ["sig"]}]
        handler = RPHandler(
            base_url="https://shop.example",
            key_conf={"key_defs": keys, "private_path": f"{self.folder}/private.json", "read_only": False},
            client_configs={
                self.issuer: {
                    "client_type": "oidc", "issuer": self.issuer, "redirect_uris": [CALLBACK],
                    "client_id": self.shop["client_id"], "client_secret": self.shop["client_secret"],
                    "preference": {"scopes_supported": ["openid", "phone"], "response_types_supported": ["code"]},
                }
            },
        )
        url = handler.begin(self.issuer)
        done = handler.finalize(self.issuer, self.sign_in(url if isinstance(url, str) else url["url"]))
        self.assertNotIn("error", done)
        self.assertEqual(done["userinfo"]["phone_number"], "+821012345678")
        self.assertEqual(done["id_token"]["sub"], done["userinfo"]["sub"])


class PyOIDCTests(RelyingPartyTestCase):
    def test_a_person_signs_in(self):
        client = PyOIDC(client_authn_method=CLIENT_AUTHN_METHOD)
        client.provider_config(self.issuer)
        client.store_registration_info(RegistrationResponse(
            client_id=self.shop["client_id"], client_secret=self.shop["client_secret"], redirect_uris=[CALLBACK],
        ))
        asked = client.construct_AuthorizationRequest(
            request_args={
                "response_type": "code", "scope": "openid phone", "redirect_uri": CALLBACK, "state": "s-1", "nonce": "n-1",
            }
        )
        back = self.sign_in(asked.request(client.authorization_endpoint))
        answer = client.parse_response(AuthorizationResponse, info=json.dumps(back), sformat="json")
        tokens = client.do_access_token_request(
            state=answer["state"], request_args={"code": answer["code"], "redirect_uri": CALLBACK},
            authn_method="client_secret_basic",
        )
        self.assertEqual(tokens["id_token"]["nonce"], "n-1")
        user = client.do_user_info_request(state=answer["state"])
        self.assertEqual((user["phone_number"], user["sub"]), ("+821012345678", tokens["id_token"]["sub"]))
