"""Firebase Phone Number Verification: Google is played by a key of our own, and tokens are as Google's documents say."""

import base64
import concurrent.futures
import json
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Tests" / "EndToEnd"))
from peer import Peer, Receiver  # noqa: E402
from pypi import installed  # noqa: E402
from support import ServiceTestCase, sql, wait_for  # noqa: E402

sys.path.insert(0, str(installed(ROOT / "Tests/EndToEnd/Requirements/pyjwt-requirements.txt", "PyJWT")))
import jwt  # noqa: E402
from cryptography.hazmat.primitives import hashes  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import ec, utils  # noqa: E402

PROJECT, ISSUER = "123456789012", "https://fpnv.googleapis.com/projects/123456789012"
NUMBER, OTHER = "+821012345678", "+821087654321"
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


def part(value):
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


class Google(Peer):
    """Publishes keys, of which it signs with the last."""

    def __init__(self):
        self.keys = {}
        self.rotate("k1")
        super().__init__(lambda request: (200, {"keys": [self.public(name) for name in self.keys]}))

    def rotate(self, name):
        self.keys[name] = ec.generate_private_key(ec.SECP256R1())

    def public(self, name):
        numbers = self.keys[name].public_key().public_numbers()
        point = {"x": part(numbers.x.to_bytes(32)), "y": part(numbers.y.to_bytes(32))}
        return {"kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": name, **point}

    def token(self, number=NUMBER, age=0, headers={}, key=None, algorithm="ES256", **claims):
        name, now = list(self.keys)[-1], int(time.time()) - age
        said = {
            "iss": ISSUER, "aud": [ISSUER, "https://fpnv.googleapis.com/projects/demo"], "sub": number, "iat": now, "exp": now + 3600,
            "jti": f"{time.time_ns()}", **claims,
        }
        said = {name: value for name, value in said.items() if value is not None}
        return jwt.encode(said, key or self.keys[name], algorithm, {"kid": name, "typ": "JWT", **headers})


class FirebasePNV(ServiceTestCase):
    def setUp(self):
        super().setUp()
        self.google = self.enter(Google())
        self.settings = {"PROOFS_FIREBASE_PNV_PROJECT": PROJECT, "PROOFS_FIREBASE_PNV_KEYS_URL": self.google.url + "/v1beta/jwks"}

    def begin(self, server, token, number=NUMBER, kind="firebase_pnv", more={}, **headers):
        return server.client.begin(number, more={"proof": {"kind": kind, "token": token, **more}}, **headers)

    def outcome(self, begun):
        return begun.status, begun.json.get("reason") or begun.json.get("code") or begun.json["status"]

    def send(self, client, token, number=NUMBER, signup=None, **proof):
        path, secret = signup or client.begin_signup()
        body = {"phone_text": number, "proof": {"kind": "firebase_pnv", "token": token, **proof}}
        return path, secret, client.call("POST", f"{path}/send", body, secret)

    def test_a_token_approves_a_verification_without_a_message(self):
        secret = "whsec_" + base64.b64encode(bytes(24)).decode()
        hook = self.enter(Receiver(secret))
        server = self.serve(WEBHOOKS_URL=hook.hooks, WEBHOOKS_SECRETS=secret)
        begun = self.begin(server, self.google.token())
        self.assertEqual((begun.status, begun.json["status"], begun.json["channel"]), (201, "approved", "sim"), begun.text)
        self.assertEqual((begun.json["phone_number"], begun.json["next_channels"]), (NUMBER, []))
        shown = server.client.call("GET", begun.headers["Location"])
        self.assertEqual((shown.status, shown.json["status"]), (200, "approved"))
        # No code matches.
        checked = server.client.check(begun.json["id"], "000000")
        self.assertEqual((checked.status, checked.json["code"]), (409, "verification_closed"))
        # A live one is approved, and needs its code no more.
        asked = server.client.begin(OTHER).json["id"]
        code = server.client.code(OTHER)
        approved = self.begin(server, self.google.token(OTHER), "010-8765-4321")
        self.assertEqual((approved.status, approved.json["id"], approved.json["status"]), (200, asked, "approved"))
        self.assertEqual(len(server.client.messages(OTHER)), 1)
        self.assertEqual(server.client.messages(NUMBER), [])
        self.assertEqual(len(self.google.requests), 1)
        wait_for(lambda: hook.types().count("verification.approved") == 2, "both approvals")
        self.assertEqual(server.client.check(asked, code).json["status"], "approved")
        actions = [action for action, in sql(self.folder, "SELECT action FROM audit_entry ORDER BY id")]
        self.assertEqual([action for action in actions if action in ("begin", "approve")], 2 * ["begin", "approve"])

    def test_a_signup_needs_no_code(self):
        client = self.serve().client
        path, secret, sent = self.send(client, self.google.token())
        self.assertEqual(sent.status, 202, sent.text)
        self.assertEqual((sent.json["verification"]["status"], sent.json["verification"]["channel"]), ("approved", "sim"))
        self.assertTrue(client.call("GET", path, token=secret).json["state"]["is_sign_up_enabled"])
        done = client.call("POST", f"{path}/sign-up", {"code_text": ""}, secret)
        self.assertEqual((done.status, done.json["account"]["phone_number"]), (201, NUMBER), done.text)
        me = client.call("GET", "/v1/accounts/me", token=done.json["tokens"]["access_token"])
        self.assertEqual((me.status, me.json["phone_number"]), (200, NUMBER))
        self.assertEqual(client.messages(NUMBER), [])

    def test_what_is_no_token_of_the_project_is_refused_alike(self):
        server, google = self.serve(), self.google
        good = google.token()
        header, claims, signature = good.split(".")
        stranger = ec.generate_private_key(ec.SECP256R1())
        other = "https://fpnv.googleapis.com/projects/999"
        doubled = f"{header}.{part(base64.urlsafe_b64decode(claims + '==').replace(b'{', b'{' + json.dumps('sub').encode() + b':' + json.dumps(OTHER).encode() + b',', 1))}"
        key = google.keys["k1"]
        r, s = utils.decode_dss_signature(key.sign(doubled.encode(), ec.ECDSA(hashes.SHA256())))
        forged = {
            "another key": google.token(key=stranger),
            "an unknown key": google.token(headers={"kid": "k9"}),
            "no algorithm": f"{part({'alg': 'none', 'typ': 'JWT', 'kid': 'k1'})}.{claims}.",
            "an algorithm of secrets": google.token(key="x" * 32, algorithm="HS256"),
            "another type": google.token(headers={"typ": "at+jwt"}),
            "crit": google.token(headers={"crit": ["exp"]}),
            "changed claims": f"{header}.{part({'iss': ISSUER, 'aud': [ISSUER], 'sub': NUMBER, 'iat': 0, 'exp': 9999999999})}.{signature}",
            "two names": f"{doubled}.{part(r.to_bytes(32) + s.to_bytes(32))}",
            "another issuer": google.token(iss=other),
            "another audience": google.token(aud=[other]),
            "an audience that is no list": google.token(aud=ISSUER),
            "no number": google.token(sub=None),
            "no time": google.token(iat=None),
            "issued tomorrow": google.token(age=-86_400),
            "no token": "eyJ.x.y", "nothing": "",
        }
        for what, token in forged.items():
            with self.subTest(what):
                self.assertEqual(self.outcome(self.begin(server, token)), (422, "invalid"))
        self.assertEqual(self.outcome(self.begin(server, good, kind="other")), (422, "invalid"))
        self.assertEqual(self.outcome(self.begin(server, "x" * 5000)), (422, "invalid"))
        for proof in ({"kind": "firebase_pnv"}, {"token": good}, {"kind": 1, "token": good}):
            wrong = server.client.begin(NUMBER, more={"proof": proof})
            self.assertEqual((wrong.status, wrong.json["code"]), (422, "invalid_request"))
        named = server.client.begin(NUMBER, more={"channel": "sim"})
        self.assertEqual((named.status, named.json["field"]), (422, "channel"))
        self.assertEqual(self.outcome(self.begin(server, good)), (201, "approved"))

    def test_a_service_without_a_project_knows_no_tokens(self):
        server = self.serve(PROOFS_FIREBASE_PNV_PROJECT=None)
        self.assertEqual(self.outcome(self.begin(server, self.google.token())), (422, "invalid"))
        self.assertEqual(self.google.requests, [])
        code, out, err = self.run_program("check-config", PROOFS_FIREBASE_PNV_PROJECT="demo")
        self.assertEqual(code, 1)
        self.assertIn("proofs.firebase_pnv.project", out + err)

    def test_a_token_counts_once_whoever_sends_it_and_wherever(self):
        servers = [self.serve(), self.serve()]
        token = self.google.token()
        self.assertEqual(self.outcome(self.begin(servers[0], token)), (201, "approved"))
        header, claims, signature = token.split(".")
        raw = base64.urlsafe_b64decode(signature + "==")
        twin = f"{header}.{claims}.{part(raw[:32] + (ORDER - int.from_bytes(raw[32:])).to_bytes(32))}"
        for server in servers:
            for text in (token, twin):
                self.assertEqual(self.outcome(self.begin(server, text)), (422, "used"))
                self.assertEqual(self.send(server.client, text)[2].json["reason"], "used")
        (key, count), = sql(self.folder, "SELECT MAX(key), COUNT(*) FROM used_proof")
        self.assertEqual((len(key), count), (64, "1"))

        # At the same moment a single one has it.
        token, signups = self.google.token(OTHER), [(server, server.client.begin_signup()) for server in servers * 4]
        with concurrent.futures.ThreadPoolExecutor(len(signups)) as pool:
            sent = list(pool.map(lambda way: self.send(way[0].client, token, OTHER, way[1])[2].status, signups))
        self.assertEqual(sorted(sent), [202] + 7 * [422])

    def test_what_is_sent_again_after_a_lost_answer_finds_the_truth(self):
        server = self.serve()
        client, token = server.client, self.google.token()
        signup = client.begin_signup()
        first, again = (self.send(client, token, signup=signup)[2] for _ in range(2))
        self.assertEqual((first.status, again.status), (202, 202), again.text)
        self.assertEqual(again.json["verification"]["id"], first.json["verification"]["id"])
        self.assertEqual(again.json["verification"]["status"], "approved")
        self.assertEqual(self.send(client, token)[2].json["reason"], "used")
        self.assertEqual(client.enter_code(*signup, "").status, 201)
        self.assertEqual(self.send(client, token, signup=signup)[2].json["code"], "verification_closed")
        # Of a program, by its key alone, also if the service has died before it could keep the answer.
        token, key = self.google.token(OTHER), {"Idempotency-Key": '"k1"'}
        first = self.begin(server, token, OTHER, **key)
        sql(self.folder, "DELETE FROM idempotent_request")
        again = self.begin(server, token, OTHER, **key)
        self.assertEqual((first.status, again.status, again.json), (201, 201, first.json))
        self.assertEqual(again.headers["Location"], first.headers["Location"])
        for headers in ({}, {"Idempotency-Key": '"k2"'}):
            self.assertEqual(self.outcome(self.begin(server, token, OTHER, **headers)), (422, "used"))

    def test_a_person_whose_token_does_not_count_is_told_to_ask_for_a_code(self):
        server = self.serve()
        for token in ("a.b.c", self.google.token(age=301)):
            signup = self.send(server.client, token)[2].json
            self.assertEqual(signup["message"], "Request a code for this number first.")
            self.assertEqual(self.begin(server, token).json["message"], "Request a code for this number first.")

    def test_an_old_token_is_refused(self):
        server = self.serve()
        self.assertEqual(self.outcome(self.begin(server, self.google.token(age=301))), (422, "expired"))
        self.assertEqual(self.outcome(self.begin(server, self.google.token(exp=int(time.time()) - 1, age=20))), (422, "expired"))
        self.assertEqual(self.outcome(self.begin(server, self.google.token(age=280))), (201, "approved"))

    def test_a_nonce_binds_a_token_to_its_signup(self):
        server = self.serve(PROOFS_FIREBASE_PNV_REQUIRES_NONCE="true")
        client = server.client
        mine, theirs = client.begin_signup(), client.begin_signup()
        token = self.google.token(nonce=mine[0].rsplit("/")[-1])
        # Whoever has stolen it may say what they like.
        stolen = self.send(client, token, signup=theirs, nonce=mine[0].rsplit("/")[-1])[2]
        self.assertEqual((stolen.status, stolen.json["reason"]), (422, "invalid"))
        self.assertEqual(self.send(client, self.google.token(), signup=mine)[2].json["reason"], "invalid")
        self.assertEqual(self.send(client, token, signup=mine)[2].status, 202)
        for nonce, said, expected in [("n1", "n1", "approved"), ("n1", "n2", "invalid"), ("n1", None, "invalid"), (None, "n1", "invalid")]:
            begun = self.begin(server, self.google.token(nonce=nonce), more={"nonce": said} if said else {})
            self.assertEqual(self.outcome(begun)[1], expected)

    def test_a_token_for_another_number_tells_nothing(self):
        client = self.serve().client
        client.sign_up(OTHER)
        answers = []
        for number in (OTHER, "+821011112222"):
            token = self.google.token()
            answer = self.send(client, token, number)[2]
            answers.append((answer.status, answer.json["code"], answer.json["reason"], answer.json["detail"]))
            forged = self.send(client, self.google.token(key=ec.generate_private_key(ec.SECP256R1())), number)[2]
            answers.append((forged.status, forged.json["code"], forged.json["reason"], forged.json["detail"]))
        self.assertEqual(len(set(answers)), 1)
        self.assertEqual(answers[0][:3], (422, "challenge_failed", "invalid"))

    def test_a_reassigned_number_is_asked_about(self):
        server = self.serve(ACCOUNTS_RECYCLING="ask")
        client = server.client
        old = client.sign_up(NUMBER).json["account"]["id"]
        sql(self.folder, f"UPDATE account SET last_active_at = {int(time.time() * 1000) - 8640000000}")
        path, secret, sent = self.send(client, self.google.token())
        self.assertEqual(sent.status, 202, sent.text)
        asked = client.call("POST", f"{path}/sign-up", {"code_text": ""}, secret)
        self.assertEqual((asked.status, asked.json["code"]), (409, "account_dormant"), asked.text)
        decided = client.call("POST", f"{path}/dormant-account", {"decision": "new_account"}, secret)
        self.assertEqual(decided.status, 200, decided.text)
        done = client.call("POST", f"{path}/sign-up", {"code_text": ""}, secret)
        self.assertEqual(done.status, 201, done.text)
        self.assertNotEqual(done.json["account"]["id"], old)

    def test_the_keys_are_asked_for_once_a_minute_at_most(self):
        server = self.serve()
        self.assertEqual(self.outcome(self.begin(server, self.google.token())), (201, "approved"))
        self.google.rotate("k2")
        for _ in range(3):
            self.assertEqual(self.outcome(self.begin(server, self.google.token(OTHER), OTHER)), (422, "invalid"))
        self.assertEqual(len(self.google.requests), 1)
        # A service that starts while nobody answers has none, and says so.
        for answer in (500, 302, "hang"):
            with self.subTest(answer=answer):
                broken = self.enter(Peer(lambda _: answer))
                late = self.serve(self.new_folder(), PROOFS_FIREBASE_PNV_KEYS_URL=broken.url)
                self.assertEqual(self.outcome(self.begin(late, self.google.token())), (422, "unavailable"))
                self.assertEqual(self.outcome(self.begin(late, self.google.token())), (422, "unavailable"))
                self.assertEqual(len(broken.requests), 1)

    def test_limits_count_tokens(self):
        server = self.serve(LIMITS_ADDRESS_SENDS="3/1h")
        outcomes = [
            self.outcome(server.client.begin(
                NUMBER, more={"proof": {"kind": "firebase_pnv", "token": token}, "client_address": "203.0.113.7"}))
            for token in ("a.b.c", self.google.token(), self.google.token(), self.google.token())
        ]
        self.assertEqual(outcomes, [(422, "invalid"), (201, "approved"), (201, "approved"), (429, "rate_limited")])

    def test_a_country_that_is_not_allowed_stays_so(self):
        server = self.serve(VERIFICATION_ALLOWED_REGIONS="KR")
        begun = self.begin(server, self.google.token("+14155552671"), "+14155552671")
        self.assertEqual((begun.status, begun.json["code"]), (403, "region_not_allowed"))

