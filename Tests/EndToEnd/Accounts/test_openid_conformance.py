"""What the OpenID Foundation's conformance suite asks of a provider, asked by our own relying party: of its plans "Basic
OP", "Config OP" and "RP-Initiated Logout OP" (https://gitlab.com/openid/conformance-suite, commit 12f2a4d) each module by
its name. The tests are our own; the Foundation has certified nothing."""

import base64
import json
import sys
import time
import urllib.parse

from browser import Browser
from pypi import installed
from relying_party import ALL, CALLBACK, ISSUER, NUMBER, OpenIDTestCase, parameters
from support import ROOT, wait_for

sys.path.insert(0, str(installed(ROOT / "Tests/EndToEnd/Requirements/pyjwt-requirements.txt", "PyJWT")))

import jwt  # noqa: E402

BYE = "https://shop.example/bye"
NO_PKCE = {"code_challenge": None, "code_challenge_method": None}


class ConformanceTestCase(OpenIDTestCase):
    """A server-side client in the standard's defaults: RS256, client_secret_basic, no PKCE."""

    def setUp(self):
        super().setUp()
        self.shop = self.client("--no-pkce-required", "--logout-uri", BYE)

    def discovered(self):
        return self.server.client.call("GET", "/.well-known/openid-configuration").json

    def token(self, code, client=None, **changes):
        """Exchanges a code by client_secret_basic."""
        client = client or self.shop
        secret = base64.b64encode(f"{client['client_id']}:{client['client_secret']}".encode()).decode()
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, **changes}
        return self.post("/oauth2/token", form, Authorization=f"Basic {secret}")

    def claims(self, tokens, nonce="n-1"):
        """What the ID token says, once it has been found valid (Core 3.1.3.7)."""
        keys = jwt.PyJWKClient(f"{self.server.url}/.well-known/jwks.json", cache_keys=False)
        key = keys.get_signing_key_from_jwt(tokens["id_token"])
        claims = jwt.decode(
            tokens["id_token"], key, algorithms=["RS256"], issuer=ISSUER, audience=self.shop["client_id"],
            options={"require": ["iss", "sub", "aud", "exp", "iat"]},
        )
        self.assertEqual(claims.get("nonce"), nonce)
        self.assertLessEqual(abs(claims["iat"] - time.time()), 300)
        self.assertRegex(claims["sub"], r"^[\x21-\x7e]{1,255}$")
        return claims

    def flow(self, browser=None, signed_in=False, nonce="n-1", **changes):
        """A whole sign-in: what came back, the tokens, and the claims of the ID token."""
        changes = {**NO_PKCE, "nonce": nonce, **changes}
        if signed_in:
            url = self.ask(self.shop, browser, **changes)
            self.assertIsInstance(url, str, "the person was asked")
            answer = parameters(url)
        else:
            answer = self.sign_in(self.shop, browser, **changes)
        self.assertEqual((answer["state"], answer["iss"]), ("st&te", ISSUER))
        exchanged = self.token(answer["code"])
        self.assertEqual(exchanged.status, 200, exchanged.text)
        self.assertEqual(exchanged.headers["Cache-Control"], "no-store")
        tokens = exchanged.json
        self.assertEqual(tokens["token_type"], "Bearer")
        return answer, tokens, self.claims(tokens, nonce)

    def assert_asked(self, page):
        self.assertEqual((page.status, page.heading), (200, "Sign in with your phone number"))


class BasicTests(ConformanceTestCase):
    def test_oidcc_server(self):
        """A sign-in by a code succeeds: state and nonce come back, the ID token is valid, userinfo has its sub."""
        _, tokens, claims = self.flow()
        self.assertEqual(self.user(tokens).json["sub"], claims["sub"])

    def test_oidcc_response_type_missing(self):
        """Without a response_type there is an error for the client, or a page that says so."""
        answer = parameters(self.ask(self.shop, response_type=None, **NO_PKCE))
        self.assertIn(answer["error"], ("unsupported_response_type", "invalid_request"))
        self.assertEqual(answer["state"], "st&te")

    def test_oidcc_idtoken_signature(self):
        """Who asks for no algorithm gets RS256, and a kid of the published keys."""
        _, tokens, _ = self.flow()
        header = jwt.get_unverified_header(tokens["id_token"])
        keys = self.server.client.call("GET", "/.well-known/jwks.json").json["keys"]
        self.assertEqual(header["alg"], "RS256")
        (key,) = [key for key in keys if key["kid"] == header["kid"]]
        self.assertEqual((key["kty"], key["use"], key["alg"]), ("RSA", "sig", "RS256"))

    def test_oidcc_idtoken_unsigned(self):
        """ID tokens without a signature are given only where a client asks for `none`; here nobody can."""
        self.assertNotIn("none", self.discovered()["id_token_signing_alg_values_supported"])
        create = ("clients", "create", "--name", "Shop", "--redirect-uri", CALLBACK, "--id-token-algorithm", "none")
        self.assertEqual(self.run_program(*create)[0], 64)

    def test_oidcc_userinfo(self):
        """GET and POST with the token in the header answer JSON with the sub of the ID token (oidcc-userinfo-get,
        oidcc-userinfo-post-header); so does POST with it in the body, which is optional (RFC 6750 section 2.2,
        oidcc-userinfo-post-body)."""
        _, tokens, claims = self.flow()
        token = tokens["access_token"]
        for answer in (
            self.user(tokens), self.server.client.call("POST", "/oauth2/userinfo", token=token),
            self.post("/oauth2/userinfo", {"access_token": token}),
        ):
            self.assertEqual((answer.status, answer.json["sub"]), (200, claims["sub"]))
            self.assertTrue(answer.headers["Content-Type"].startswith("application/json"))
        self.assertEqual(self.post("/oauth2/userinfo", {"access_token": "x"}).status, 401)

    def test_oidcc_ensure_request_without_nonce_succeeds_for_code_flow(self):
        """Without a nonce it succeeds, and the ID token has none."""
        _, _, claims = self.flow(nonce=None)
        self.assertNotIn("nonce", claims)

    def test_oidcc_scopes(self):
        """It succeeds whatever the scope, and in whatever order; userinfo has what is known of the scope's claims. The name
        of the scope profile is the ID, at userinfo and in the ID token; it is no number, with and without the scope phone."""
        phone, profile = {"phone_number", "phone_number_verified"}, {"preferred_username"}
        for module, scope, expected in [
            ("oidcc-scope-profile", "openid profile", profile), ("oidcc-scope-email", "openid email", set()),
            ("oidcc-scope-address", "openid address", set()), ("oidcc-scope-phone", "openid phone", phone),
            ("oidcc-scope-all", "openid address email phone profile", phone | profile),
            ("oidcc-ensure-other-scope-order-succeeds", "phone openid", phone),
        ]:
            with self.subTest(module):
                _, tokens, claims = self.flow(Browser(self.server, ISSUER), scope=scope)
                user = self.user(tokens).json
                self.assertEqual(set(user), {"sub", *expected})
                self.assertFalse({"phone_number", "name", "email", "address"} & set(claims))
                name = user["sub"] if profile <= expected else None
                self.assertEqual([each.get("preferred_username") for each in (user, claims)], [name] * 2)

    def test_oidcc_parameters(self):
        """These cause no error."""
        for module, parameters in [
            ("oidcc-display-page", {"display": "page"}), ("oidcc-display-popup", {"display": "popup"}),
            ("oidcc-ensure-request-with-unknown-parameter-succeeds", {"extra": "foobar"}),
            ("oidcc-login-hint", {"login_hint": "buffy@shop.example"}), ("oidcc-ui-locales", {"ui_locales": "se"}),
            ("oidcc-claims-locales", {"claims_locales": "se"}),
            ("oidcc-ensure-request-with-acr-values-succeeds", {"acr_values": "1 2"}),
            # What is asked for as essential is not known.
            ("oidcc-claims-essential", {"claims": json.dumps({"userinfo": {"name": {"essential": True}}})}),
        ]:
            with self.subTest(module):
                self.flow(Browser(self.server, ISSUER), **parameters)
        self.assertEqual(self.ask(self.shop, ui_locales="ko", **NO_PKCE).headers["Content-Language"], "ko")
        self.assertIs(self.discovered()["claims_parameter_supported"], False)

    def test_oidcc_prompt_login(self):
        """prompt=login has the person sign in again, and auth_time says so."""
        _, _, first = self.flow()
        self.assert_asked(self.ask(self.shop, prompt="login", **NO_PKCE))
        wait_for(lambda: int(time.time()) > first["auth_time"], "the next second")
        _, _, second = self.flow(prompt="login")
        self.assertEqual(second["sub"], first["sub"])
        self.assertGreater(second["auth_time"], first["auth_time"])

    def test_oidcc_prompt_none_not_logged_in(self):
        """prompt=none without a session is an error for the client."""
        answer = parameters(self.ask(self.shop, prompt="none", **NO_PKCE))
        self.assertIn(answer["error"], ("login_required", "interaction_required"))
        self.assertEqual(answer["state"], "st&te")

    def test_oidcc_prompt_none_logged_in(self):
        """prompt=none with a session shows nothing; sub and auth_time stay the same."""
        _, _, first = self.flow()
        _, _, second = self.flow(signed_in=True, prompt="none")
        self.assertEqual((second["sub"], second["auth_time"]), (first["sub"], first["auth_time"]))

    def test_oidcc_max_age_1(self):
        """max_age=1, more than a second later, has the person sign in again; the ID token has auth_time."""
        _, _, first = self.flow()
        wait_for(lambda: time.time() > first["auth_time"] + 2.1, "two seconds")
        self.assert_asked(self.ask(self.shop, max_age="1", **NO_PKCE))
        _, _, second = self.flow(max_age="1")
        self.assertEqual(second["sub"], first["sub"])
        self.assertGreater(second["auth_time"], first["auth_time"])

    def test_oidcc_max_age_10000(self):
        """max_age=10000 does not ask again; sub and auth_time stay the same."""
        _, _, first = self.flow(max_age="15000")
        _, _, second = self.flow(signed_in=True, max_age="10000")
        self.assertEqual((second["sub"], second["auth_time"]), (first["sub"], first["auth_time"]))

    def test_oidcc_id_token_hint(self):
        """prompt=none with the ID token of the person who is signed in goes on; with another person's it does not."""
        _, tokens, first = self.flow()
        _, _, second = self.flow(signed_in=True, prompt="none", id_token_hint=tokens["id_token"])
        self.assertEqual((second["sub"], second["auth_time"]), (first["sub"], first["auth_time"]))
        other = Browser(self.server, ISSUER)
        self.sign_in(self.shop, other, "010-9876-5432", **NO_PKCE)
        hinted = {"prompt": "none", "id_token_hint": tokens["id_token"], **NO_PKCE}
        answer = parameters(self.ask(self.shop, other, **hinted))
        self.assertIn(answer["error"], ("login_required", "interaction_required"))
        # Nor does it when another person has proven a number for this request.
        hinted = {"id_token_hint": tokens["id_token"], **NO_PKCE}
        answer = self.sign_in(self.shop, Browser(self.server, ISSUER), "010-5555-6666", **hinted)
        self.assertEqual((answer["error"], answer["state"]), ("login_required", "st&te"))

    def test_oidcc_codereuse_30seconds(self):
        """A code that is used a second time is an invalid_grant, and the tokens of its first use are revoked: at once
        (oidcc-codereuse) as later. How much later makes no difference to the rule, which the store's tests have with a clock of
        their own (a day), so nobody waits here."""
        answer, tokens, _ = self.flow()
        self.assert_error(self.token(answer["code"]), 400, "invalid_grant")
        self.assertEqual(self.user(tokens).status, 401)

    def test_oidcc_ensure_registered_redirect_uri(self):
        """A redirect URI that is not registered gets a page that says so, and nobody is sent there."""
        page = self.ask(self.shop, redirect_uri="https://shop.example/other", **NO_PKCE)
        self.assertEqual(page.status, 400)
        self.assertIn("redirect_uri", page.said)

    def test_oidcc_ensure_post_request_succeeds(self):
        """The request may come by POST (Core 3.1.2.1)."""
        fields = dict(urllib.parse.parse_qsl(self.query(self.shop, **NO_PKCE)))
        page = self.browser.open(ISSUER + "/oauth2/authorize", fields)
        answer = parameters(self.browser.sign_in(page, self.server.client, NUMBER))
        self.claims(self.token(answer["code"]).json)

    def test_oidcc_server_client_secret_post(self):
        """A sign-in succeeds with the client's secret in the form."""
        answer = self.sign_in(self.shop, **NO_PKCE)
        exchanged = self.exchange(self.shop, answer["code"], code_verifier=None)
        self.assertEqual(exchanged.status, 200, exchanged.text)
        self.claims(exchanged.json)

    def request_object(self, **claims):
        part = lambda value: base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()  # noqa: E731
        return part({"alg": "none"}) + "." + part({"iss": self.shop["client_id"], "aud": ISSUER, **claims}) + "."

    def test_oidcc_request_uri_unsigned_supported_correctly_or_rejected_as_unsupported(self):
        """A request_uri is followed, or refused by its own error."""
        answer = parameters(self.ask(self.shop, request_uri="https://shop.example/request.jwt", **NO_PKCE))
        self.assertEqual((answer["error"], answer["state"]), ("request_uri_not_supported", "st&te"))
        self.assertIs(self.discovered()["request_uri_parameter_supported"], False)

    def test_oidcc_unsigned_request_object_supported_correctly_or_rejected_as_unsupported(self):
        """A request object is followed, or refused by its own error; never ignored."""
        answer = parameters(self.ask(self.shop, request=self.request_object(nonce="n-2"), **NO_PKCE))
        self.assertEqual((answer["error"], answer["state"]), ("request_not_supported", "st&te"))

    def test_oidcc_ensure_request_object_with_redirect_uri(self):
        """A redirect URI in a request object is followed or refused; the other one gets no code."""
        request = self.request_object(redirect_uri="https://shop.example/other")
        answer = parameters(self.ask(self.shop, request=request, **NO_PKCE))
        self.assertEqual(answer["error"], "request_not_supported")

    def test_oidcc_refresh_token(self):
        """A refresh token gives new tokens of the same person, to its own client alone."""
        _, tokens, claims = self.flow(scope=ALL)
        other = self.client(name="Other")
        refused = self.refresh(other, tokens)
        self.assert_error(refused, 400, "invalid_grant")
        fresh = self.refresh(self.shop, tokens).json
        self.assertEqual(self.user(fresh).json["sub"], claims["sub"])
        self.assertNotEqual(fresh["access_token"], tokens["access_token"])

    def test_oidcc_ensure_request_with_valid_pkce_succeeds(self):
        """With PKCE it succeeds, as it does without."""
        answer = self.sign_in(self.shop)
        self.claims(self.token(answer["code"], code_verifier=self.verifier).json)


class ConfigTests(ConformanceTestCase):
    def test_oidcc_discovery_endpoint_verification(self):
        """The discovery document has what Discovery 1.0 section 3 requires, under the issuer that it names."""
        document = self.discovered()
        self.assertEqual(document["issuer"], ISSUER)
        for name in ("authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"):
            self.assertTrue(document[name].startswith(ISSUER + "/"), name)
        self.assertIn("code", document["response_types_supported"])
        self.assertIn("public", document["subject_types_supported"])
        self.assertIn("RS256", document["id_token_signing_alg_values_supported"])
        self.assertIn("openid", document["scopes_supported"])
        self.assertIn("authorization_code", document["grant_types_supported"])
        self.assertIn("client_secret_basic", document["token_endpoint_auth_methods_supported"])
        self.assertTrue({"sub", "iss", "aud", "exp", "iat"} <= set(document["claims_supported"]))
        keys = self.server.client.call("GET", document["jwks_uri"].removeprefix(ISSUER)).json["keys"]
        self.assertEqual({key["kty"] for key in keys}, {"EC", "RSA"})
        self.assertEqual(len({key["kid"] for key in keys}), len(keys))
        for key in keys:
            self.assertFalse({"d", "p", "q", "dp", "dq", "qi", "k"} & set(key))


class LogoutTests(ConformanceTestCase):
    def setUp(self):
        super().setUp()
        _, self.tokens, _ = self.flow()

    def log_out(self, **fields):
        return self.browser.open(f"{ISSUER}/oauth2/logout?{urllib.parse.urlencode(fields)}")

    def assert_signed_out(self):
        answer = parameters(self.ask(self.shop, prompt="none", **NO_PKCE))
        self.assertIn(answer["error"], ("login_required", "interaction_required"))

    def assert_stayed(self, page):
        """The browser was not sent back: there is an error, or the person is asked; and nobody is signed out yet."""
        self.assertNotIsInstance(page, str)
        self.assertIn("code", parameters(self.ask(self.shop, prompt="none", **NO_PKCE)))

    def test_oidcc_rp_initiated_logout_discovery_endpoint_verification(self):
        """The discovery document has the end_session_endpoint."""
        self.assertTrue(self.discovered()["end_session_endpoint"].startswith(ISSUER + "/"))

    def test_oidcc_rp_initiated_logout(self):
        """With all parameters the person is signed out, and comes back with the state."""
        url = self.log_out(id_token_hint=self.tokens["id_token"], post_logout_redirect_uri=BYE, state="s-1")
        self.assertEqual(url, f"{BYE}?state=s-1")
        self.assert_signed_out()

    def test_oidcc_rp_initiated_logout_refused(self):
        """To an address that is not registered nobody is sent, nor before the person has been asked, if the ID token is not
        there, or not as it was signed here."""
        token = self.tokens["id_token"]
        none = base64.urlsafe_b64encode(b'{"alg":"none"}').rstrip(b"=").decode()
        claims = jwt.decode(token, options={"verify_signature": False})
        header = {"kid": jwt.get_unverified_header(token)["kid"]}
        forged = jwt.encode(claims, "a secret that is not the service's own", "HS256", header)
        for module, hint, uri in [
            ("bad-post-logout-redirect-uri", token, "https://shop.example/other"),
            ("query-added-to-post-logout-redirect-uri", token, BYE + "?foo=bar"),
            ("modified-id-token-hint", f"{none}.{token.split('.')[1]}.", BYE), ("bad-id-token-hint", forged, BYE),
            ("no-id-token-hint", None, BYE),
        ]:
            with self.subTest(module):
                hinted = {"id_token_hint": hint} if hint else {}
                self.assert_stayed(self.log_out(**hinted, post_logout_redirect_uri=uri, state="s"))

    def test_oidcc_rp_initiated_logout_no_params(self):
        """Without parameters, or with a state alone (oidcc-rp-initiated-logout-only-state), the person is asked, signs out, and
        sees so."""
        for fields in ({}, {"state": "s"}):
            with self.subTest(fields):
                if fields:
                    self.flow()
                page = self.browser.submit(self.log_out(**fields))
                self.assertEqual(page.status, 200)
                self.assert_signed_out()

    def test_oidcc_rp_initiated_logout_no_post_logout_redirect_uri(self):
        """With an ID token and no address the person is signed out, and sees so."""
        page = self.log_out(id_token_hint=self.tokens["id_token"], state="s")
        self.assertEqual(page.status, 200)
        self.assert_signed_out()

    def test_oidcc_rp_initiated_logout_no_state(self):
        """Without a state the person comes back without one."""
        url = self.log_out(id_token_hint=self.tokens["id_token"], post_logout_redirect_uri=BYE)
        self.assertEqual(url, BYE)
        self.assert_signed_out()
