"""Access tokens as PyJWT, joserfc and jwcrypto verify them by the published keys."""

import base64
import json

import joserfc.errors
import joserfc.jwk
import joserfc.jwt
import jwcrypto.jwk
import jwcrypto.jws
import jwcrypto.jwt
import jwt
import requests
from test_oauth import AUDIENCE, ISSUER, OAuthTestCase

HEADER = {"alg": "ES256", "typ": "at+jwt"}


def encoded(value):
    """A part of a token."""
    value = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def decoded(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def by_pyjwt(token, keys, audience):
    key = jwt.PyJWKSet.from_dict(keys)[jwt.get_unverified_header(token)["kid"]]
    claims = jwt.decode_complete(token, key, algorithms=["ES256"], issuer=ISSUER, audience=audience)
    return claims["header"], claims["payload"]


def by_joserfc(token, keys, audience):
    verified = joserfc.jwt.decode(token, joserfc.jwk.KeySet.import_key_set(keys), algorithms=["ES256"])
    joserfc.jwt.JWTClaimsRegistry(
        iss={"essential": True, "value": ISSUER}, aud={"essential": True, "value": audience}, exp={"essential": True}
    ).validate(verified.claims)
    return verified.header, verified.claims


def by_jwcrypto(token, keys, audience):
    named = jwcrypto.jws.JWS()
    named.deserialize(token)
    verified = jwcrypto.jwt.JWT(
        jwt=token,
        key=jwcrypto.jwk.JWKSet.from_json(json.dumps(keys)).get_key(named.jose_header["kid"]),
        algs=["ES256"],
        check_claims={"iss": ISSUER, "aud": audience, "exp": None},
    )
    return json.loads(verified.header), json.loads(verified.claims)


class JOSETests(OAuthTestCase):
    # How each library verifies, and its errors: of the signature, and of the audience.
    judges = [
        (by_pyjwt, jwt.InvalidSignatureError, jwt.InvalidAudienceError),
        (by_joserfc, joserfc.errors.BadSignatureError, joserfc.errors.InvalidClaimError),
        (by_jwcrypto, jwcrypto.jws.InvalidJWSSignature, jwcrypto.jwt.JWTInvalidClaimValue),
    ]

    def setUp(self):
        super().setUp()
        self.token = self.new_tokens()["access_token"]
        self.keys = requests.get(self.endpoint("jwks_uri")).json()
        self.kid = self.keys["keys"][0]["kid"]
        self.claims = json.loads(decoded(self.token.split(".")[1]))

    def test_each_library_verifies_a_token(self):
        for verify, invalid_signature, invalid_audience in self.judges:
            with self.subTest(verify.__name__):
                self.assertEqual(verify(self.token, self.keys, AUDIENCE), ({**HEADER, "kid": self.kid}, self.claims))
                with self.assertRaises(invalid_audience):
                    verify(self.token, self.keys, "https://other.example.com")
                content, signature = self.token.rsplit(".", 1)
                altered = bytes(byte ^ 1 for byte in decoded(signature))
                with self.assertRaises(invalid_signature):
                    verify(f"{content}.{encoded(altered)}", self.keys, AUDIENCE)

    def test_each_library_reads_the_keys(self):
        published = self.keys["keys"][0]
        self.assertEqual({name: published[name] for name in ("kty", "crv", "alg", "use")}, {
            "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig",
        })
        self.assertEqual([len(decoded(published[name])) for name in ("x", "y")], [32, 32])
        # RFC 7638 leaves no choice: every program that reads the key has the same thumbprint.
        thumbprints = {joserfc.jwk.import_key(published).thumbprint(), jwcrypto.jwk.JWK(**published).thumbprint()}
        self.assertEqual(len(thumbprints), 1)
