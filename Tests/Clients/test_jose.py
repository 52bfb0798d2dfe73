"""Access tokens as PyJWT, joserfc and jwcrypto verify them by the published keys, and forgeries that these libraries sign."""

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
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from test_oauth import AUDIENCE, ISSUER, OAuthTestCase

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
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

    def status(self, token):
        """The answer of the service to a request with this token."""
        headers = {"Authorization": f"Bearer {token}"}
        return requests.get(f"{self.address}/v1/accounts/me", headers=headers).status_code

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

    def test_forgeries_are_refused(self):
        header, payload, signature = self.token.split(".")
        raw = decoded(signature)
        pair = (int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        own = {**HEADER, "kid": self.kid}
        shared = joserfc.jwk.OctKey.import_key(json.dumps(self.keys["keys"][0]))

        def other(algorithm, header, **parameters):
            """A token by another key, which jwcrypto signs with an algorithm that the header may deny."""
            signer = jwcrypto.jws.JWS(json.dumps(self.claims))
            signer.allowed_algs = [algorithm]
            protected = {**own, "alg": algorithm, **header}
            signer.add_signature(jwcrypto.jwk.JWK.generate(**parameters), algorithm, json.dumps(protected))
            return signer.serialize(compact=True)

        def named(token, alg):
            """The token with another algorithm in its header."""
            head, rest = token.split(".", 1)
            return encoded({**json.loads(decoded(head)), "alg": alg}) + "." + rest

        edwards = other("EdDSA", {}, kty="OKP", crv="Ed25519")
        forgeries = {
            "another key": other("ES256", {}, kty="EC", crv="P-256"),
            "another key of another name": other("ES256", {"kid": "sig_" + "0" * 32}, kty="EC", crv="P-256"),
            "P-384": other("ES384", {}, kty="EC", crv="P-384"),
            "secp256k1": other("ES256K", {}, kty="EC", crv="secp256k1"),
            "Ed25519": edwards,
            "Ed25519 that claims to be ES256": named(edwards, "ES256"),
            "a MAC under the public key": joserfc.jwt.encode({**own, "alg": "HS256"}, self.claims, shared),
            "none": f"{encoded({**own, 'alg': 'none'})}.{payload}.",
            "none with the signature": named(self.token, "none"),
            "a critical extension": other("ES256", {"crit": ["b64"], "b64": True}, kty="EC", crv="P-256"),
            "DER": f"{header}.{payload}.{encoded(encode_dss_signature(*pair))}",
            "too short": f"{header}.{payload}.{encoded(raw[:63])}",
            "too long": f"{header}.{payload}.{encoded(raw + bytes(1))}",
            "zeros": f"{header}.{payload}.{encoded(bytes(64))}",
            # The last character has four bits that no byte has.
            "another last character": self.token[:-1] + ALPHABET[ALPHABET.index(self.token[-1]) + 1],
            "padding": self.token + "==",
            "longer life": f"{header}.{encoded({**self.claims, 'exp': self.claims['exp'] + 1})}.{signature}",
        }
        self.assertEqual(self.status(self.token), 200)
        for name, forgery in forgeries.items():
            with self.subTest(name):
                self.assertEqual(self.status(forgery), 401)
        self.assertEqual(self.status(self.token), 200)
