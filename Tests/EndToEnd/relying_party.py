"""What the tests of sign-in by OpenID Connect share: a relying party that others wrote (Authlib), and requests by hand."""

import base64
import hashlib
import secrets
import sys
import urllib.parse

from browser import Browser
from pypi import installed
from support import ROOT, ServiceTestCase

sys.path.insert(0, str(installed(ROOT / "Tests/EndToEnd/Requirements/authlib-requirements.txt", "Authlib")))

import requests  # noqa: E402
from authlib.integrations.base_client import OAuthError  # noqa: E402
from authlib.integrations.base_client.framework_integration import FrameworkIntegration  # noqa: E402
from authlib.integrations.base_client.sync_app import BaseApp, OAuth2Mixin  # noqa: E402
from authlib.integrations.base_client.sync_openid import OpenIDMixin  # noqa: E402
from authlib.integrations.requests_client import OAuth2Session  # noqa: E402

ISSUER = "https://phone.example"
CALLBACK = "https://shop.example/callback?from=phone"
NUMBER = "010-1234-5678"
ALL = "openid phone offline_access"


class Integration(FrameworkIntegration):
    def update_token(self, token, refresh_token=None, access_token=None):
        pass


class RelyingParty(OAuth2Mixin, OpenIDMixin, BaseApp):
    """An app of Authlib's, which finds the service by its issuer, wherever that is."""

    def __init__(self, server, credentials, **settings):
        class Session(OAuth2Session):
            def __init__(self, *arguments, **options):
                super().__init__(*arguments, **options)
                self.mount(ISSUER, Adapter(server.port))

        self.client_cls = Session
        super().__init__(
            Integration("shop"), "shop", client_id=credentials["client_id"],
            client_secret=credentials.get("client_secret"),
            server_metadata_url=ISSUER + "/.well-known/openid-configuration",
            client_kwargs={"scope": ALL, "code_challenge_method": "S256", **settings},
        )


class Adapter(requests.adapters.HTTPAdapter):
    """Takes what is meant for the issuer to where the service listens."""

    def __init__(self, port):
        super().__init__()
        self.port = port

    def send(self, request, **options):
        request.url = request.url.replace(ISSUER, f"http://127.0.0.1:{self.port}")
        return super().send(request, **options)


def parameters(url):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))


def challenge(verifier):
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


class OpenIDTestCase(ServiceTestCase):
    def assert_refused(self, page):
        """A form that is of no page of this browser, or of another site."""
        self.assertEqual(page.status, 403)
        self.assertIn(page.heading, ("This page has expired", "This page is out of date", "Something went wrong"))

    def setUp(self):
        super().setUp()
        self.server = self.serve(TOKENS_ISSUER=ISSUER)
        self.browser = Browser(self.server, ISSUER)
        self.verifier = secrets.token_urlsafe(48)

    # What everybody does

    def client(self, *arguments, uri=CALLBACK, name="Shop"):
        return self.create_client("--name", name, "--redirect-uri", uri, *arguments)

    def query(self, client, **changes):
        """A valid request, but for the changes; None leaves one out."""
        fields = {
            "response_type": "code", "client_id": client["client_id"], "redirect_uri": CALLBACK, "scope": ALL,
            "state": "st&te", "nonce": "n-1", "code_challenge": challenge(self.verifier),
            "code_challenge_method": "S256", **changes,
        }
        return urllib.parse.urlencode({name: value for name, value in fields.items() if value is not None})

    def ask(self, client, browser=None, **changes):
        return (browser or self.browser).open(f"{ISSUER}/oauth2/authorize?{self.query(client, **changes)}")

    def sign_in(self, client, browser=None, number=NUMBER, **changes):
        """What comes back to the client."""
        browser = browser or self.browser
        url = browser.sign_in(self.ask(client, browser, **changes), self.server.client, number)
        self.assertIsInstance(url, str, getattr(url, "said", ""))
        return parameters(url)

    def exchange(self, client, given, **changes):
        form = {
            "grant_type": "authorization_code", "code": given, "redirect_uri": CALLBACK, "code_verifier": self.verifier,
            **{name: client[name] for name in ("client_id", "client_secret") if client[name]}, **changes,
        }
        return self.post("/oauth2/token", {name: value for name, value in form.items() if value is not None})

    def post(self, path, form, **headers):
        return self.server.client.post_form(path, form, **headers)

    def refresh(self, client, tokens, **changes):
        form = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
        credentials = {name: client[name] for name in ("client_id", "client_secret") if client[name]}
        return self.post("/oauth2/token", {**form, **credentials, **changes})

    def user(self, tokens):
        return self.server.client.call("GET", "/oauth2/userinfo", token=tokens["access_token"])

    def assert_error(self, answer, status, error):
        self.assertEqual((answer.status, answer.json["error"]), (status, error), answer.text)
        self.assertEqual(answer.headers["Cache-Control"], "no-store")
