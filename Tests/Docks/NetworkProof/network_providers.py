"""Those that the tests of network proofs ask, played as the documents of CAMARA, Vonage and Twilio are: an authorization server with its
API, and Twilio."""

import base64
import hashlib
import json
import pathlib
import secrets
import sys
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "EndToEnd"))
from peer import Peer  # noqa: E402

from cryptography.hazmat.primitives import hashes  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import padding  # noqa: E402

CLIENT, SECRET, LINK = "client:1", "s3cret/+ü", "com.example.app:/number"
SCOPE = "openid dpv:FraudPreventionAndDetection number-verification:verify"
NUMBER, OTHER = "+821012345678", "+821087654321"
ACCOUNT, SERVICE = "AC" + 32 * "1", "VA" + 32 * "2"


class Network(Peer):
    """An operator that knows by its connection which number the phone has: `number`. Every code, every access token and every
    assertion counts once."""

    def __init__(self, method, key):
        self.method, self.key, self.number = method, key, NUMBER
        self.codes, self.tokens, self.assertions, self.instead = {}, {}, set(), {}
        super().__init__(self.respond)

    def respond(self, request):
        path = request.path.partition("?")[0]
        if path in self.instead:
            return self.instead[path]
        return {"/oauth2/auth": self.authorize, "/oauth2/token": self.redeem, "/nv/verify": self.verify}[path](request)

    def authorize(self, request):
        query = dict(urllib.parse.parse_qsl(request.path.partition("?")[2], strict_parsing=True))
        assert (query["response_type"], query["client_id"], query["redirect_uri"]) == ("code", CLIENT, LINK), query
        assert (query["scope"], query["prompt"], query["code_challenge_method"]) == (SCOPE, "none", "S256"), query
        code = secrets.token_urlsafe(16) + "+/="
        self.codes[code] = query["code_challenge"], self.number
        back = urllib.parse.urlencode({"code": code, "iss": self.url, "state": query["state"]})
        return 302, "", {"Location": f"{LINK}?{back}"}

    def claims(self, token):
        """Of a token by the client's key, which is valid for five minutes at most and was not seen before."""
        signed, _, signature = token.rpartition(".")
        raw = base64.urlsafe_b64decode(signature + "==")
        self.key.public_key().verify(raw, signed.encode(), padding.PKCS1v15(), hashes.SHA256())
        header, claims = (json.loads(base64.urlsafe_b64decode(part + "==")) for part in signed.split("."))
        assert header["alg"] == "RS256" and abs(claims["iat"] - time.time()) < 30 and claims["exp"] - claims["iat"] <= 300, claims
        assert claims["jti"] not in self.assertions
        self.assertions.add(claims["jti"])
        return header, claims

    def knows(self, request):
        form, (scheme, _, given) = request.form, request.headers.get("Authorization", "").partition(" ")
        if self.method == "client_secret_post":
            return (form["client_id"], form["client_secret"], scheme) == (CLIENT, SECRET, "")
        if self.method == "client_secret_basic":
            pair = [urllib.parse.unquote(part) for part in base64.b64decode(given).decode().split(":")]
            return (scheme, pair) == ("Basic", [CLIENT, SECRET]) and "client_secret" not in form
        if self.method == "vonage_jwt":
            return scheme == "Bearer" and self.claims(given)[1]["application_id"] == CLIENT
        header, claims = self.claims(form["client_assertion"])
        assert form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer", form
        return (header["kid"], claims["iss"], claims["sub"], claims["aud"]) == ("k1", CLIENT, CLIENT, self.url + "/oauth2/token")

    def redeem(self, request):
        form = request.form
        if not self.knows(request):
            return 401, {"error": "invalid_client"}
        challenge, number = self.codes.pop(form["code"], (None, None))
        proven = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).rstrip(b"=").decode()
        if (form["grant_type"], form["redirect_uri"], proven) != ("authorization_code", LINK, challenge):
            return 400, {"error": "invalid_grant"}
        token = secrets.token_urlsafe(16)
        self.tokens[token] = number
        return 200, {"access_token": token, "token_type": "Bearer", "expires_in": 300, "id_token": "x.y.z"}

    def verify(self, request):
        number = self.tokens.pop(request.headers["Authorization"].removeprefix("Bearer "), None)
        if number is None:
            return 401, {"status": 401, "code": "UNAUTHENTICATED", "message": "The token is not valid."}
        assert list(request.json) == ["phoneNumber"], request.body
        return 200, {"devicePhoneNumberVerified": request.json["phoneNumber"] == number}


class Twilio(Peer):
    """Twilio Verify with Silent Network Auth. A verification is approved once, if the phone that has opened its URL has its number."""

    def __init__(self):
        self.number, self.verifications, self.instead = NUMBER, {}, {}
        super().__init__(self.respond)

    def respond(self, request):
        opened, _, sid = request.path.rpartition("/open/")
        if sid in self.verifications and request.method == "GET" and not opened:
            verification = self.verifications[sid]
            verification["phone"], token = self.number, verification["token"]
            return 200, f"ErrorCode=0&ErrorDescription=Success&ClientToken={urllib.parse.quote(token)}" if token else "ErrorCode=0"
        resource = request.path.removeprefix(f"/v2/Services/{SERVICE}/")
        if resource in self.instead:
            return self.instead[resource]
        pair = base64.b64decode(request.headers["Authorization"].removeprefix("Basic ")).decode()
        if pair != f"{ACCOUNT}:{SECRET}":
            return 401, {"code": 20003, "message": "Authenticate", "status": 401}
        return {"Verifications": self.start, "VerificationCheck": self.check}[resource](request.form)

    def start(self, form):
        token = secrets.token_urlsafe(8) + "+/" if form.pop("EnableSnaClientToken", None) == "true" else None
        assert (form["Channel"], list(form)) == ("sna", ["To", "Channel"]), form
        sid = "VE" + secrets.token_hex(16)
        self.verifications[sid] = {"to": form["To"], "phone": None, "token": token}
        return 201, {**self.shown(sid, form["To"], "pending"), "sna": {"url": f"{self.url}/open/{sid}"}}

    def check(self, form):
        sid, token = form.pop("VerificationSid"), form.pop("SnaClientToken", None)
        assert form == {}, form
        if sid not in self.verifications:
            return 404, {"code": 20404, "message": "The requested resource was not found", "status": 404}
        verification = self.verifications[sid]
        if (verification["phone"], verification["token"]) != (verification["to"], token):
            return 201, {**self.shown(sid, verification["to"], "pending"), "sna_attempts_error_codes": [{"code": 60519}]}
        del self.verifications[sid]
        return 200, self.shown(sid, verification["to"], "approved")

    def shown(self, sid, number, status):
        return {"sid": sid, "service_sid": SERVICE, "to": number, "channel": "sna", "status": status, "valid": status == "approved"}
