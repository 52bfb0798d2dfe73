"""Access tokens, as others verify them: by PyJWT, from what the service publishes of its keys."""

import base64
import hashlib
import hmac
import json
import os
import sys
import time

from pypi import installed
from support import ROOT, ServiceTestCase, wait_for

sys.path.insert(0, str(installed(ROOT / "Tests/EndToEnd/Requirements/pyjwt-requirements.txt", "PyJWT")))

import jwt  # noqa: E402
from cryptography.hazmat.primitives import serialization  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import ec  # noqa: E402

ISSUER, AUDIENCE = "https://phone.example.com", "https://api.example.com"
CLAIMS = {"iss", "aud", "sub", "client_id", "scope", "iat", "exp", "jti", "sid", "auth_time", "phone_number_verified"}


def encoded(value):
    """As the parts of a token are written."""
    value = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def kid(token):
    return jwt.get_unverified_header(token)["kid"]


class TokenTests(ServiceTestCase):
    settings = {"TOKENS_ISSUER": ISSUER, "TOKENS_AUDIENCE": AUDIENCE}

    def new_tokens(self, server, number="010-1234-5678"):
        """The tokens of somebody who proves this number."""
        done = server.client.sign_up(number)
        self.assertIn(done.status, (200, 201), done.text)
        return done.json["tokens"]

    def refresh(self, server, tokens):
        answer = server.client.call("POST", "/v1/tokens", {"refresh_token": tokens["refresh_token"]})
        self.assertEqual(answer.status, 200, answer.text)
        return answer.json

    def published(self, server):
        """The names of the published keys of access tokens."""
        keys = server.client.call("GET", "/.well-known/jwks.json").json["keys"]
        return [key["kid"] for key in keys if key["alg"] == "ES256"]

    def verify(self, server, token):
        """What the token says, as anybody can find out."""
        keys = jwt.PyJWKClient(f"{server.url}/.well-known/jwks.json", cache_keys=False)
        return jwt.decode(
            token, keys.get_signing_key_from_jwt(token), algorithms=["ES256"], issuer=ISSUER, audience=AUDIENCE,
            options={"require": sorted(CLAIMS)},
        )

    def status(self, server, token):
        """What the service itself makes of the token."""
        return server.client.call("GET", "/v1/accounts/me", token=token).status

    def test_a_stranger_verifies_a_token_by_what_is_published(self):
        server = self.serve()
        before = int(time.time())
        tokens = self.new_tokens(server)
        token = tokens["access_token"]
        header = jwt.get_unverified_header(token)
        self.assertEqual(header, {"alg": "ES256", "typ": "at+jwt", "kid": self.published(server)[0]})
        claims = self.verify(server, token)
        account = server.client.call("GET", "/v1/accounts/me", token=token).json
        self.assertEqual(set(claims), CLAIMS)
        self.assertEqual(claims["client_id"], AUDIENCE)
        self.assertEqual(claims["scope"], "account")
        self.assertEqual(claims["sub"], account["id"])
        self.assertIs(claims["phone_number_verified"], True)
        self.assertEqual(claims["exp"] - claims["iat"], tokens["expires_in"])
        self.assertTrue(before <= claims["iat"] <= time.time())
        self.assertTrue(before <= claims["auth_time"] <= claims["iat"])
        self.assertRegex(claims["jti"], r"^tok_[0-9a-f]{32}$")
        self.assertRegex(claims["sid"], r"^ses_[0-9a-f]{32}$")
        self.assertNotIn("1012345678", json.dumps(claims))
        # The next one is another one, of the same session.
        later = self.verify(server, self.refresh(server, tokens)["access_token"])
        self.assertNotEqual(later["jti"], claims["jti"])
        self.assertEqual((later["sid"], later["auth_time"]), (claims["sid"], claims["auth_time"]))

    def test_forged_tokens_are_refused(self):
        """One of each kind, as others' libraries make them; RefusalTests has every form."""
        server = self.serve()
        tokens = self.new_tokens(server)
        token = tokens["access_token"]
        header, payload, signature = token.split(".")
        claims = self.verify(server, token)
        jwk = server.client.call("GET", "/.well-known/jwks.json").json["keys"][0]
        public = jwt.PyJWK(jwk).key
        pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        mine = ec.generate_private_key(ec.SECP256R1())
        my_jwk = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(mine.public_key()))
        good = {"typ": "at+jwt", "kid": jwk["kid"]}

        def by_mac(head):
            text = f"{encoded(head)}.{payload}"
            return f"{text}.{encoded(hmac.new(pem, text.encode(), hashlib.sha256).digest())}"

        forged = {
            "none": f"{encoded({**good, 'alg': 'none'})}.{payload}.",
            "a MAC under the public key": by_mac({**good, "alg": "HS256"}),
            "another key": jwt.encode(claims, mine, "ES256", good),
            "a key in the header": jwt.encode(claims, mine, "ES256", {**good, "jwk": my_jwk}),
            "another account": f"{header}.{encoded({**claims, 'sub': 'acc_' + '0' * 32})}.{signature}",
            "a refresh token": tokens["refresh_token"],
        }
        self.assertEqual(self.status(server, token), 200)
        for what, text in forged.items():
            with self.subTest(what):
                answer = server.client.call("GET", "/v1/accounts/me", token=text)
                self.assertEqual(answer.status, 401, answer.text)
                self.assertEqual(answer.json["code"], "unauthorized")
                self.assertIn("Bearer", answer.headers["WWW-Authenticate"])
        self.assertEqual(self.status(server, token), 200)
        self.assertNotIn(token, server.log_text)

    def test_a_key_that_follows_is_published_before_it_signs(self):
        server = self.serve()
        tokens = self.new_tokens(server)
        old = kid(tokens["access_token"])
        # Who asks for the keys has that of RS256 made.
        self.published(server)
        out = self.done("keys", "rotate-signing")
        self.assertRegex(
            out,
            r"^sig_[0-9a-f]{32} \(ES256\) is published, and signs from \S+Z\.\n"
            + old + r" signs until \S+Z, and is published until \S+Z\.\n"
            r"sig_[0-9a-f]{32} \(RS256\) is published, and signs from \S+Z\.\n",
        )
        new = out.split()[0]
        wait_for(lambda: self.published(server) == [old, new], "the new key")
        self.assertEqual(kid(self.refresh(server, tokens)["access_token"]), old)

    def test_rotating_at_once_invalidates_tokens_of_other_keys(self):
        server, other = self.serve(), self.serve()
        tokens = self.new_tokens(server)
        token = tokens["access_token"]
        self.assertEqual(self.status(other, token), 200)
        out = self.done("keys", "rotate-signing", "--at-once")
        self.assertRegex(out, r"^sig_[0-9a-f]{32} \(ES256\) signs from now on\.\nAll other keys and the tokens they have signed are revoked")
        new = out.split()[0]
        for instance in (server, other):
            wait_for(lambda: self.status(instance, token) == 401, "the end of the old key")
            self.assertEqual(self.published(instance), [new])
            with self.assertRaises(jwt.PyJWKClientError):
                self.verify(instance, token)
        fresh = self.refresh(server, tokens)["access_token"]
        self.assertEqual(kid(fresh), new)
        self.verify(other, fresh)
        self.assertEqual(self.status(other, fresh), 200)

    def test_a_key_whose_sealing_key_is_lost_is_logged_and_replaced(self):
        server = self.serve()
        lost = self.published(server)[0]
        self.assertEqual(server.stop(), 0)
        os.rename(f"{self.folder}/phoneproof.keys", f"{self.folder}/elsewhere.keys")
        self.assertEqual(self.run_program("keys", "make")[0], 0)
        err = self.refused(78, "serve", "--port", "0")
        self.assertIn(f"the signing key {lost} cannot be decrypted", err)
        self.assertIn("keys rotate-signing --at-once", err)
        self.assertEqual(self.run_program("keys", "rotate-signing", "--at-once")[0], 0)
        again = self.serve()
        self.assertNotIn(lost, self.published(again))
        self.verify(again, self.new_tokens(again)["access_token"])

    def test_an_operator_sees_the_keys_and_no_secret(self):
        code, out, err = self.run_program("keys", "list-signing")
        self.assertNotEqual(code, 0)
        server = self.serve()
        name = self.published(server)[0]
        out = self.done("keys", "list-signing", "--json")
        key, other = sorted(json.loads(out)["items"], key=lambda key: key["algorithm"])
        self.assertEqual((key["algorithm"], other["algorithm"]), ("ES256", "RS256"))
        self.assertEqual(set(key), {"id", "algorithm", "state", "created_at", "signs_from", "published_until", "sealed_under"})
        self.assertEqual((key["id"], key["state"], key["published_until"]), (name, "signing", None))
        self.assertRegex(self.run_program("keys", "list-signing")[1], rf"\n{name}  ES256      signing ")
