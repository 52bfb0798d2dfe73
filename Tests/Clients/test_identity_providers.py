"""PhoneProof as the identity provider of Keycloak, authentik, Zitadel, Logto and Supabase Auth, with the settings that
IdentityProviders.md shows. The servers themselves do not run here: the client of each is played after its source, which is
named at the class, call by call, and checks what that source checks."""

import base64
import hashlib
import json
import re
import secrets
import shlex
import textwrap
import time
import urllib.parse
import uuid

import jwt
import requests
from browser import Browser
from documentation import ARTICLES, blocks
from support import ServiceTestCase, free_port

ARTICLE, HOST, NUMBER, E164 = ARTICLES / "Use" / "IdentityProviders.md", "https://id.example", "010-1234-5678", "+821012345678"


class IdentityProviderTestCase(ServiceTestCase):
    """A server that signs people in by this service: what its section of the article says, and a person's browser."""

    def section(self, title):
        """Starts the service, and creates the client as the section does; gives its other blocks. What its table says to set is
        in `fields`."""
        port = free_port()
        self.issuer = f"http://127.0.0.1:{port}"
        self.server = self.serve(TOKENS_ISSUER=self.issuer, port=port)
        self.browser = Browser(self.server, self.issuer)
        text = ARTICLE.read_text().split(f"\n## {title}\n")[1].split("\n## ")[0]
        [command, *others] = [block for block in blocks(ARTICLE) if block.text in text]
        program, *arguments = shlex.split(command.text.replace("\\\n", ""))
        self.assertEqual((program, arguments[:2], command.language), ("phoneproof", ["clients", "create"], "sh"))
        self.client = self.create_client(*arguments[2:])
        # The field's name is all of the first cell: what the console or the documentation of that server calls it.
        rows = re.findall(r"^\| (?!field |-)(.+?) \| (.+?) \|$", text, re.M)
        self.fields = {name: self.real(value.replace("`", "")) for name, value in rows}
        return [self.real(block.text) for block in others]

    def real(self, text):
        """With this service's issuer and this client's credentials."""
        text = text.replace("https://phone.example", self.issuer)
        return text.replace("cli_…", self.client["client_id"]).replace("cs_…", self.client["client_secret"])

    def discovered(self, url):
        response = requests.get(url)
        self.assertEqual(response.status_code, 200, response.text)
        return response.json()

    def sign_in(self, endpoint, query, shown=True):
        """What the browser brings back to the server: the address without the query, and the query."""
        page = self.browser.open(f"{endpoint}?{urllib.parse.urlencode(query)}")
        back = self.browser.sign_in(page, self.server.client, NUMBER) if shown else page
        self.assertIsInstance(back, str, getattr(back, "said", ""))
        address, _, given = back.partition("?")
        given = dict(urllib.parse.parse_qsl(given))
        self.assertEqual((address, given["state"]), (query["redirect_uri"], query["state"]))
        self.assertNotIn("error", given)
        return given

    def exchanged(self, endpoint, form, **options):
        response = requests.post(endpoint, form, **options)
        self.assertEqual(response.status_code, 200, response.text)
        return response.json()

    def user_info(self, endpoint, tokens):
        """Each puts the type as it came before the token."""
        response = requests.get(endpoint, headers={"Authorization": f"{tokens['token_type']} {tokens['access_token']}"})
        self.assertEqual(response.status_code, 200, response.text)
        self.assertEqual(response.headers["Content-Type"], "application/json")
        return response.json()

    def verified(self, token, endpoint, algorithms, **options):
        """The claims of an ID token whose signature, times, audience and issuer are right, as all check that check one."""
        key = jwt.PyJWKClient(endpoint).get_signing_key_from_jwt(token)
        required = {"require": ["sub", "iss", "aud", "exp", "iat"]}
        return jwt.decode(
            token, key, algorithms, audience=self.client["client_id"], issuer=self.issuer, options=required, **options,
        )

    def assert_ends_at_pages(self, endpoint, query):
        """A sign-in that this browser need not have asked for a code again is asked for one."""
        page = self.browser.open(f"{endpoint}?{urllib.parse.urlencode(query)}")
        self.assertIn("phone_text", page.forms[0]["fields"])


def challenge(verifier):
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


class KeycloakTests(IdentityProviderTestCase):
    """keycloak/keycloak, services/src/main/java/org/keycloak/broker/oidc: AbstractOAuth2IdentityProvider.java at 6733f48
    (createAuthorizationUrl, generateTokenRequest, authenticateTokenRequest), OIDCIdentityProvider.java (extractIdentity,
    validateToken, preprocessFederatedIdentity, keycloakInitiatedBrowserLogout), mappers/UserAttributeMapper.java at 8a5be04."""

    def setUp(self):
        super().setUp()
        self.section("Keycloak")
        self.metadata = self.discovered(self.fields["Discovery endpoint"])
        self.endpoint = f"{HOST}/realms/shop/broker/{self.fields['Alias']}/endpoint"

    def query(self, **changes):
        self.verifier, self.nonce = secrets.token_urlsafe(64), secrets.token_urlsafe(16)
        is_on, method = self.fields["Use PKCE, PKCE method"].split(", ")
        pkce = {"code_challenge": challenge(self.verifier), "code_challenge_method": method} if is_on == "on" else {}
        # The state is the session, the tab, the client, and the client's data: longer than most.
        state = ".".join([secrets.token_urlsafe(32), "tab", "c2hvcA", base64.b64encode(bytes(300)).decode()])
        return {
            "scope": self.fields["Default Scopes"], "state": state, "response_type": "code",
            "client_id": self.client["client_id"], "redirect_uri": self.endpoint, **pkce, "nonce": self.nonce, **changes,
        }

    def identity(self, given):
        self.assertEqual(self.fields["Client authentication"], "Client secret sent as post")
        self.tokens = self.exchanged(self.metadata["token_endpoint"], {
            "code": given["code"], "redirect_uri": self.endpoint, "grant_type": "authorization_code",
            "code_verifier": self.verifier, "client_id": self.client["client_id"],
            "client_secret": self.client["client_secret"],
        })
        claims = self.verified(self.tokens["id_token"], self.metadata["jwks_uri"], ["RS256", "ES256"])
        # issuedFor is the claim azp.
        self.assertIn(claims.get("azp"), (None, self.client["client_id"]))
        self.assertEqual(claims["nonce"], self.nonce)
        info = self.user_info(self.metadata["userinfo_endpoint"], self.tokens)
        self.assertEqual(info["sub"], claims["sub"])
        mappers = [value for name, value in self.fields.items() if name.startswith(("Mapper", "Another"))]
        attributes = {}
        for claim, attribute in (mapper.split(", ") for mapper in mappers):
            # toList and toString of Java.
            attributes[attribute] = [str(info[claim]).lower() if isinstance(info[claim], bool) else str(info[claim])]
        username = info.get("preferred_username") or info.get("email") or info["sub"]
        return {"id": info["sub"], "username": username, "email": info.get("email"), "attributes": attributes}

    def test_a_person_signs_up_and_in(self):
        expected = {"phoneNumber": [E164], "phoneNumberVerified": ["true"]}
        first = self.identity(self.sign_in(self.metadata["authorization_endpoint"], self.query()))
        self.assertEqual(first, {"id": first["id"], "username": first["id"], "email": None, "attributes": expected})
        # What the realm's applications asked for is passed on: forwarded parameters, and the language by a switch.
        changes = {"acr_values": "2", "ui_locales": "ko", "login_hint": "anna@id.example", "max_age": "3600"}
        again = self.sign_in(self.metadata["authorization_endpoint"], self.query(**changes), shown=False)
        self.assertEqual(self.identity(again), first)

    def test_signing_out_ends_both(self):
        self.identity(self.sign_in(self.metadata["authorization_endpoint"], self.query()))
        self.assertEqual(self.fields["Backchannel logout"], "off")
        query = {
            "state": str(uuid.uuid4()), "id_token_hint": self.tokens["id_token"],
            "post_logout_redirect_uri": self.endpoint + "/logout_response",
        }
        url = f"{self.metadata['end_session_endpoint']}?{urllib.parse.urlencode(query)}"
        # Backchannel logout: the server's own request, which has no cookie of the browser's, ends nothing.
        self.assertEqual(requests.get(url, allow_redirects=False).status_code, 200)
        self.sign_in(self.metadata["authorization_endpoint"], self.query(), shown=False)
        self.assertEqual(self.browser.open(url), f"{query['post_logout_redirect_uri']}?state={query['state']}")
        self.assert_ends_at_pages(self.metadata["authorization_endpoint"], self.query())

    def test_the_prompt_asks_for_a_code_again(self):
        self.sign_in(self.metadata["authorization_endpoint"], self.query())
        self.assert_ends_at_pages(self.metadata["authorization_endpoint"], self.query(prompt="login"))


class AuthentikTests(IdentityProviderTestCase):
    """goauthentik/authentik, authentik/sources/oauth: clients/oauth2.py at 420c3e3, clients/base.py at 16a5549, types/oidc.py,
    views/redirect.py and views/callback.py. It reads userinfo, and no ID token where there is userinfo."""

    def setUp(self):
        super().setUp()
        [self.mapping] = self.section("authentik")
        # Fetched when the source is saved.
        self.metadata = self.discovered(self.fields["OIDC Well-known URL"])
        self.callback = f"{HOST}/source/oauth/callback/{self.fields['Slug']}/"

    def query(self, **changes):
        alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        self.verifier = "".join(secrets.choice(alphabet) for _ in range(128))
        scopes = ["openid", "email", "profile"]
        more = self.fields["Scopes"]
        scopes = more[1:].split(" ") if more.startswith("*") else scopes + more.split(" ")
        return {
            "client_id": self.client["client_id"], "redirect_uri": self.callback, "response_type": "code",
            "state": secrets.token_hex(16), "code_challenge": challenge(self.verifier),
            "code_challenge_method": self.fields["PKCE Method"], "scope": " ".join(sorted(set(scopes))), **changes,
        }

    def user(self, given, basic=True):
        form = {
            "grant_type": "authorization_code", "redirect_uri": self.callback, "code": given["code"],
            "code_verifier": self.verifier,
        }
        credentials = {name: self.client[name] for name in ("client_id", "client_secret")}
        tokens = self.exchanged(
            self.metadata["token_endpoint"], form if basic else {**form, **credentials},
            auth=tuple(credentials.values()) if basic else None, headers={"Accept": "application/json"},
        )
        self.assertNotIn("error", tokens)
        info = self.user_info(self.metadata["userinfo_endpoint"], tokens)
        username = info.get("nickname", info.get("preferred_username"))
        base = {"username": username, "email": info.get("email"), "name": info.get("name")}
        names = {}
        exec(f"def expression(info, client, token):\n{textwrap.indent(self.mapping, '    ')}", names)
        mapped = {**base, **names["expression"](info, None, tokens)}
        return str(info.get("sub") or info.get("id")), {name: value for name, value in mapped.items() if value is not None}

    def test_a_person_signs_up_and_in(self):
        identifier, user = self.user(self.sign_in(self.metadata["authorization_endpoint"], self.query()))
        # The policy default-source-enrollment-if-username asks for one that is not there.
        self.assertEqual(user, {"username": identifier, "name": E164, "attributes": {"phone_number": E164}})
        # With what the person has typed at authentik, and the other way of authentication.
        again = self.sign_in(self.metadata["authorization_endpoint"], self.query(login_hint="anna@id.example"), shown=False)
        self.assertEqual(self.user(again, basic=False), (identifier, user))


class ZitadelTests(IdentityProviderTestCase):
    """zitadel/zitadel, internal/idp/providers/oidc/oidc.go at 43f0c21 and session.go, internal/api/grpc/user/v2
    (idpUserToAddHumanUser), apps/login/src/lib/server/idp-intent.ts at 98c0e99; zitadel/oidc, pkg/client/rp at 81322d9."""

    def setUp(self):
        super().setUp()
        [self.target] = self.section("Zitadel")
        self.assertEqual(self.fields["Map from the ID token, Account linking allowed"], "off")
        self.metadata = self.discovered(self.fields["Issuer"] + "/.well-known/openid-configuration")
        self.assertEqual(self.metadata["issuer"], self.fields["Issuer"])

    def query(self, callback="/idps/callback", **changes):
        self.callback, self.verifier = HOST + callback, secrets.token_urlsafe(32)
        # golang.org/x/oauth2 has neither a nonce nor a response mode of its own.
        query = {
            "client_id": self.client["client_id"], "redirect_uri": self.callback, "response_type": "code",
            "scope": self.fields["Scopes"], "state": str(uuid.uuid4().int), "prompt": "select_account",
            "code_challenge": challenge(self.verifier), "code_challenge_method": "S256",
        }
        name, _, value = self.fields["Authorization parameters"].partition(", ")
        # An empty value takes the parameter away.
        query[name] = {"empty": ""}.get(value, value)
        return {name: value for name, value in {**query, **changes}.items() if value}

    def intent(self, given):
        # The authentication is found out: first as a header, whose parts are encoded as in forms.
        auth = tuple(urllib.parse.quote_plus(self.client[name]) for name in ("client_id", "client_secret"))
        tokens = self.exchanged(self.metadata["token_endpoint"], {
            "grant_type": "authorization_code", "code": given["code"], "redirect_uri": self.callback,
            "code_verifier": self.verifier,
        }, auth=auth)
        # Only RS256, as long as the option signingAlgsFromDiscovery is not set.
        claims = self.verified(tokens["id_token"], self.metadata["jwks_uri"], ["RS256"], leeway=1)
        self.assertEqual((claims.get("nonce"), claims.get("azp", claims["aud"])), (None, self.client["client_id"]))
        # It would be compared with the access token.
        self.assertNotIn("at_hash", claims)
        info = self.user_info(self.metadata["userinfo_endpoint"], tokens)
        self.assertEqual(info["sub"], claims["sub"])
        user = {
            "profile": {"givenName": info.get("given_name", ""), "familyName": info.get("family_name", "")},
            "email": {"email": info.get("email", ""), "sendCode": {}},
            "phone": {"phone": info["phone_number"], "isVerified": info["phone_number_verified"]},
            "idpLinks": [{"idpId": "7", "userId": info["sub"], "userName": info.get("preferred_username", "")}],
        }
        return {"idpInformation": {"idpId": "7", "userId": info["sub"], "rawInformation": info}, "addHumanUser": user}

    def missing(self, user):
        """What AddHumanUser refuses to do without."""
        required = {**user["profile"], "email": user["email"]["email"]}
        return [name for name, value in required.items() if not value]

    def completed(self, response, provider="7"):
        names = {}
        exec(self.target, names)
        return names["completed"](json.loads(json.dumps({"response": response})), provider)

    def test_a_person_signs_up_and_in(self):
        self.assertEqual(self.fields["Use PKCE, Automatic creation, Automatic update, Account creation allowed"], "on")
        plain = self.intent(self.sign_in(self.metadata["authorization_endpoint"], self.query()))
        # Why there is a target.
        self.assertEqual(self.missing(plain["addHumanUser"]), ["givenName", "familyName", "email"])
        user = self.completed(plain)["addHumanUser"]
        self.assertEqual(self.missing(user), [])
        self.assertEqual(user["phone"], {"phone": E164, "isVerified": True})
        self.assertEqual({user["username"], user["idpLinks"][0]["userName"]}, {plain["idpInformation"]["userId"]})
        # People of another provider, and those who are there, are left as they are.
        known = {name: value for name, value in plain.items() if name != "addHumanUser"}
        self.assertEqual((self.completed(plain, "8"), self.completed(known)), (plain, known))
        # Login V1 comes back elsewhere, and needs no new code either.
        query = self.query("/ui/login/login/externalidp/callback", login_hint="anna@id.example")
        again = self.intent(self.sign_in(self.metadata["authorization_endpoint"], query, shown=False))
        self.assertEqual(again, plain)

    def test_older_versions_ask_for_a_code_each_time(self):
        self.sign_in(self.metadata["authorization_endpoint"], self.query())
        self.assert_ends_at_pages(self.metadata["authorization_endpoint"], self.query(prompt="select_account"))


class LogtoTests(IdentityProviderTestCase):
    """logto-io/logto at 1fbc554, packages/connectors/connector-oauth2 (1.7.8) and connector-oidc (1.7.5); packages/core,
    social-verification.ts."""

    def setUp(self):
        super().setUp()
        [settings] = self.section("Logto")
        self.settings_there = json.loads(settings)
        self.redirect_uri = f"{HOST}/callback/CONNECTOR_ID"

    def query(self, **changes):
        there = self.settings_there
        return {
            "response_type": "code", "client_id": there["clientId"], "scope": there["scope"], "redirect_uri": self.redirect_uri,
            "state": secrets.token_urlsafe(16), **changes,
        }

    def token_response(self, given, **custom):
        there = self.settings_there
        self.assertEqual(there["tokenEndpointAuthMethod"], "client_secret_post")
        return self.exchanged(there["tokenEndpoint"], {
            "grant_type": "authorization_code", "code": given["code"], "redirect_uri": self.redirect_uri,
            "client_id": there["clientId"], "client_secret": there["clientSecret"], **custom,
        })

    def profile(self, given, **custom):
        there = self.settings_there
        # The default is the form of a query, in which no access token would be found.
        self.assertEqual(there["tokenEndpointResponseType"], "json")
        tokens = self.token_response(given, **custom)
        self.assertIsInstance(tokens["expires_in"], int)
        info = self.user_info(there["userInfoEndpoint"], tokens)
        sources = {"id": "id", "email": "email", "phone": "phone", "name": "name", "avatar": "avatar", **there["profileMap"]}
        return {target: info[source] for target, source in sources.items() if info.get(source)}

    def test_a_person_signs_up_and_in(self):
        endpoint = self.settings_there["authorizationEndpoint"]
        profile = self.profile(self.sign_in(endpoint, self.query()))
        self.assertEqual(profile, {"id": profile["id"], "phone": E164})
        self.assertEqual(self.profile(self.sign_in(endpoint, self.query(), shown=False)), profile)

    def test_custom_parameters_are_sent_to_both_endpoints(self):
        endpoint, custom = self.settings_there["authorizationEndpoint"], {"prompt": "login"}
        self.sign_in(endpoint, self.query())
        self.assert_ends_at_pages(endpoint, self.query(**custom))
        self.assertEqual(self.profile(self.sign_in(endpoint, self.query(**custom)), **custom)["phone"], E164)

    def test_the_connector_of_openid_connect_gets_no_number(self):
        metadata, nonce = self.discovered(f"{self.issuer}/.well-known/openid-configuration"), secrets.token_urlsafe(16)
        tokens = self.token_response(self.sign_in(metadata["authorization_endpoint"], self.query(nonce=nonce)))
        # jose takes the algorithms of the keys; the form has no issuer, unless it is set.
        claims = self.verified(tokens["id_token"], metadata["jwks_uri"], ["RS256", "ES256"])
        self.assertEqual((claims["nonce"], claims.get("phone"), claims.get("phone_verified")), (nonce, None, None))


class SupabaseTests(IdentityProviderTestCase):
    """supabase/auth at bc32168 (2.196): internal/api/external.go, external_oauth.go, custom_oauth_admin.go and
    provider/custom_oauth.go; golang.org/x/oauth2 0.36, coreos/go-oidc."""

    # Of provider.Claims: what is not here is lost, unless it is on the list of allowed claims.
    CLAIMS = {
        "iss", "sub", "aud", "iat", "exp", "name", "family_name", "given_name", "middle_name", "nickname", "preferred_username",
        "profile", "picture", "website", "gender", "birthdate", "zoneinfo", "locale", "updated_at", "email", "email_verified",
        "phone", "phone_verified",
    }

    def setUp(self):
        super().setUp()
        [body] = self.section("Supabase Auth")
        self.body = json.loads(body)
        self.assertTrue(self.body["identifier"].startswith("custom:"))
        self.callback = f"{HOST}/auth/v1/callback"

    def query(self, scopes=None, **changes):
        self.verifier = secrets.token_urlsafe(32)
        self.assertNotIn("pkce_enabled", self.body, "it is on unless told otherwise")
        return {
            "client_id": self.body["client_id"], "redirect_uri": self.callback, "response_type": "code",
            "scope": " ".join(scopes or self.body["scopes"]), "state": str(uuid.uuid4()),
            "code_challenge": challenge(self.verifier), "code_challenge_method": "S256", **changes,
        }

    def tokens(self, endpoint, given):
        auth = tuple(urllib.parse.quote_plus(self.body[name]) for name in ("client_id", "client_secret"))
        return self.exchanged(endpoint, {
            "grant_type": "authorization_code", "code": given["code"], "redirect_uri": self.callback,
            "code_verifier": self.verifier,
        }, auth=auth)

    def identity(self, raw):
        """identity_data, by which the identity is found again (sub), and which the user's metadata get."""
        allowed = {name: raw[name] for name in self.body["custom_claims_allowlist"] if name in raw}
        known = {name: value for name, value in raw.items() if name in self.CLAIMS}
        self.assertTrue(known["sub"])
        self.assertTrue(known.get("email") or self.body["email_optional"])
        return {**known, **({"custom_claims": allowed} if allowed else {})}

    def test_a_person_signs_up_and_in(self):
        def signed_in(shown, **changes):
            given = self.sign_in(self.body["authorization_url"], self.query(**changes), shown)
            return self.identity(self.user_info(self.body["userinfo_url"], self.tokens(self.body["token_url"], given)))

        self.assertEqual(self.body["provider_type"], "oauth2")
        first = signed_in(True)
        number = {"phone_number": E164, "phone_number_verified": True}
        self.assertEqual(first, {"sub": first["sub"], "custom_claims": number})
        # Whatever the app adds to /authorize comes with it.
        self.assertEqual(signed_in(False, redirect_to="https://shop.example/", skip_http_redirect="true"), first)
        self.assert_ends_at_pages(self.body["authorization_url"], self.query(prompt="login"))

    def test_the_type_of_openid_connect_gets_no_number(self):
        metadata = self.discovered(f"{self.issuer}/.well-known/openid-configuration")
        self.assertEqual(metadata["issuer"], self.issuer)
        known = {"RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512", "EdDSA"}
        algorithms = [name for name in metadata["id_token_signing_alg_values_supported"] if name in known]
        given = self.sign_in(metadata["authorization_endpoint"], self.query(["openid", "phone"]))
        tokens = self.tokens(metadata["token_endpoint"], given)
        claims = self.verified(tokens["id_token"], metadata["jwks_uri"], algorithms)
        self.assertGreater(claims["exp"], time.time())
        self.assertEqual(set(self.identity(claims)), {"sub", "iss", "aud", "iat", "exp"})
