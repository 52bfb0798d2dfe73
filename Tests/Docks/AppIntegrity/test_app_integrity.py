"""Proofs by an app: devices, Apple and Google are played by keys of our own, after the documents of both."""

import base64
import datetime
import hashlib
import itertools
import json
import os
import pathlib
import struct
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Tests" / "EndToEnd"))
from peer import Peer  # noqa: E402
from support import ServiceTestCase, sql  # noqa: E402

from cryptography import x509  # noqa: E402
from cryptography.hazmat.primitives import hashes, keywrap, serialization  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils  # noqa: E402
from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: E402

APP, PACKAGE = "ABCDE12345.com.example.app", "com.example.app"
NUMBER, OTHER = "+821012345678", "+821087654321"
NONCE = x509.ObjectIdentifier("1.2.840.113635.100.8.2")
PRODUCTION, DEVELOPMENT = b"appattest" + bytes(7), b"appattestdevelop"


def sha256(data):
    return hashlib.sha256(data).digest()


def url64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def cbor(value):
    """RFC 8949, as far as statements have it."""

    def head(major, count):
        if count < 24:
            return bytes([major << 5 | count])
        size, form = next((size, form) for size, form in ((1, ">B"), (2, ">H"), (4, ">I")) if count < 1 << 8 * size)
        return bytes([major << 5 | 23 + {1: 1, 2: 2, 4: 3}[size]]) + struct.pack(form, count)

    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(cbor, value))
    return head(5, len(value)) + b"".join(cbor(name) + cbor(item) for name, item in value.items())


def point(key):
    return key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


class Apple:
    def __init__(self):
        self.root_key, self.key = ec.generate_private_key(ec.SECP384R1()), ec.generate_private_key(ec.SECP384R1())
        self.root = self.issue("Root", self.root_key.public_key(), "Root", self.root_key, is_authority=True)
        self.intermediate = self.issue("CA 1", self.key.public_key(), "Root", self.root_key, is_authority=True)

    def issue(self, name, key, issuer, issuer_key, more=(), is_authority=False, days=(-1, 3)):
        now = datetime.datetime.utcnow()
        named = lambda text: x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])
        built = x509.CertificateBuilder().subject_name(named(name)).issuer_name(named(issuer)).public_key(key)
        built = built.serial_number(x509.random_serial_number())
        built = built.not_valid_before(now + datetime.timedelta(days=days[0])).not_valid_after(now + datetime.timedelta(days=days[1]))
        built = built.add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        for extension in more:
            built = built.add_extension(extension, critical=False)
        return built.sign(issuer_key, hashes.SHA384())

    @property
    def pem(self):
        return self.root.public_bytes(serialization.Encoding.PEM)


class Phone:
    """A key of the app in a device's Secure Enclave."""

    def __init__(self, apple, app=APP):
        self.apple, self.app, self.key, self.counter = apple, app, ec.generate_private_key(ec.SECP256R1()), 0
        self.id = base64.b64encode(sha256(point(self.key))).decode()

    def data(self, flags, counter, tail=b"", app=None):
        return sha256((app or self.app).encode()) + bytes([flags]) + struct.pack(">I", counter) + tail

    def attestation(self, nonce, environment=PRODUCTION, counter=0, app=None, key_id=None, issuer=None, leaf_key=None, days=(-1, 3),
                    form="apple-appattest", extension=True, chain=None):
        credential = key_id or sha256(point(self.key))
        data = self.data(0x40, counter, environment + struct.pack(">H", len(credential)) + credential + b"\xa1\x01\x02", app)
        digest = sha256(data + sha256(nonce.encode()))
        more = [x509.UnrecognizedExtension(NONCE, b"\x30\x24\xa1\x22\x04\x20" + digest)] if extension else []
        leaf = self.apple.issue(self.id[:8], (leaf_key or self.key).public_key(), "CA 1", (issuer or self.apple).key, more, days=days)
        chain = chain or [leaf, self.apple.intermediate]
        der = [each.public_bytes(serialization.Encoding.DER) for each in chain]
        return self.said(nonce, attestation=cbor({"fmt": form, "attStmt": {"x5c": der, "receipt": bytes(3000)}, "authData": data}))

    def assertion(self, nonce, counter=None, app=None, key=None):
        self.counter = self.counter + 1 if counter is None else counter
        data = self.data(0, self.counter, app=app)
        signature = (key or self.key).sign(sha256(data + sha256(nonce.encode())), ec.ECDSA(hashes.SHA256()))
        return self.said(nonce, assertion=cbor({"signature": signature, "authenticatorData": data}))

    def said(self, nonce, **statement):
        (name, data), = statement.items()
        return {"kind": "app_attest", "nonce": nonce, "key_id": self.id, name: base64.b64encode(data).decode()}


class Google:
    def __init__(self):
        self.secret, self.key = os.urandom(32), ec.generate_private_key(ec.SECP256R1())

    @property
    def settings(self):
        spki = self.key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        return {
            "APP_INTEGRITY_PLAY_INTEGRITY_PACKAGE": PACKAGE,
            "APP_INTEGRITY_PLAY_INTEGRITY_DECRYPTION_KEY": base64.b64encode(self.secret).decode(),
            "APP_INTEGRITY_PLAY_INTEGRITY_VERIFICATION_KEY": base64.b64encode(spki).decode(),
        }

    @staticmethod
    def claims(nonce, age=0, field="nonce", request={}, app={}, device=("MEETS_DEVICE_INTEGRITY",)):
        return {
            "requestDetails": {"requestPackageName": PACKAGE, field: nonce, "timestampMillis": str(int((time.time() - age) * 1000)), **request},
            "appIntegrity": {"appRecognitionVerdict": "PLAY_RECOGNIZED", "packageName": PACKAGE,
                             "certificateSha256Digest": [url64(sha256(b"certificate"))], "versionCode": "42", **app},
            "deviceIntegrity": {"deviceRecognitionVerdict": list(device)},
            "accountDetails": {"appLicensingVerdict": "LICENSED"},
        }

    def proof(self, nonce, secret=None, key=None, header={}, inner={}, **said):
        claims = self.claims(nonce, **said)
        signed = ".".join(url64(json.dumps(part).encode()) for part in ({"alg": "ES256", **inner}, claims))
        r, s = utils.decode_dss_signature((key or self.key).sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        token = f"{signed}.{url64(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"
        content, iv = os.urandom(32), os.urandom(12)
        head = url64(json.dumps({"alg": "A256KW", "enc": "A256GCM", **header}).encode())
        sealed = AESGCM(content).encrypt(iv, token.encode(), head.encode())
        parts = keywrap.aes_key_wrap(secret or self.secret, content), iv, sealed[:-16], sealed[-16:]
        return {"kind": "play_integrity", "nonce": nonce, "token": ".".join([head, *map(url64, parts)])}


class GoogleServer(Peer):
    """Reads tokens for a service account, which are claims in base64 here."""

    def __init__(self):
        self.key, self.access, self.life, self.instead = rsa.generate_private_key(65537, 2048), [], 3600, {}
        super().__init__(self.respond)

    @property
    def settings(self):
        pem = self.key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        account = {
            "type": "service_account", "client_email": "reader@demo.iam.gserviceaccount.com", "private_key_id": "k1",
            "private_key": pem.decode(), "token_uri": self.url + "/token",
        }
        return {
            "APP_INTEGRITY_PLAY_INTEGRITY_PACKAGE": PACKAGE, "APP_INTEGRITY_PLAY_INTEGRITY_GOOGLE_URL": self.url,
            "APP_INTEGRITY_PLAY_INTEGRITY_GOOGLE_SERVICE_ACCOUNT": json.dumps(account),
        }

    def asked(self, path):
        return [request for request in self.requests if request.path == path]

    def respond(self, request):
        if request.path in self.instead:
            return self.instead[request.path]
        if request.path == "/token":
            assert request.form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer", request.form
            signed, _, signature = request.form["assertion"].rpartition(".")
            raw = base64.urlsafe_b64decode(signature + "==")
            self.key.public_key().verify(raw, signed.encode(), padding.PKCS1v15(), hashes.SHA256())
            header, claims = (json.loads(base64.urlsafe_b64decode(part + "==")) for part in signed.split("."))
            assert (header["alg"], header["kid"], claims["aud"]) == ("RS256", "k1", self.url + "/token"), (header, claims)
            assert claims["iss"] == "reader@demo.iam.gserviceaccount.com" and claims["exp"] - claims["iat"] <= 3600, claims
            assert claims["scope"] == "https://www.googleapis.com/auth/playintegrity", claims
            self.access.append(f"ya29.{len(self.access)}")
            return 200, {"access_token": self.access[-1], "expires_in": self.life, "token_type": "Bearer"}
        assert (request.method, request.path) == ("POST", READ), request.path
        if request.headers["Authorization"] not in [f"Bearer {token}" for token in self.access]:
            return 401, {"error": {"status": "UNAUTHENTICATED"}}
        try:
            return 200, {"tokenPayloadExternal": json.loads(base64.urlsafe_b64decode(request.json["integrity_token"] + "=="))}
        except ValueError:
            return 400, {"error": {"code": 400, "status": "INVALID_ARGUMENT"}}

    def proof(self, nonce, **said):
        return {"kind": "play_integrity", "nonce": nonce, "token": url64(json.dumps(Google.claims(nonce, **said)).encode())}


READ = f"/v1/{PACKAGE}:decodeIntegrityToken"


class AppIntegrity(ServiceTestCase):
    def setUp(self):
        super().setUp()
        self.apple, self.google = Apple(), Google()
        root = pathlib.Path(self.folder, "root.pem")
        root.write_bytes(self.apple.pem)
        self.settings = {
            "APP_INTEGRITY_IS_REQUIRED": "true", "APP_INTEGRITY_APP_ATTEST_APP_IDS": APP, "APP_INTEGRITY_APP_ATTEST_ROOT_FILE": str(root),
            "VERIFICATION_RESEND_COOLDOWNS_SECONDS": "0", **self.google.settings,
        }

    def nonce(self, server, number=NUMBER):
        offered = server.client.call("GET", "/v1/challenges?phone_number=" + number.replace("+", "%2B"))
        self.assertEqual(offered.status, 200, offered.text)
        return offered.json["app"]["nonce"]

    def begin(self, server, proof, number=NUMBER):
        begun = server.client.begin(number, more={"proof": proof})
        return begun.status, begun.json.get("reason") or begun.json.get("code") or begun.json["status"]

    def test_a_new_key_and_then_its_uses_have_messages_sent(self):
        server = self.serve()
        asked = server.client.begin(NUMBER)
        self.assertEqual((asked.status, asked.json["code"], asked.json["challenge"]["kind"]), (428, "challenge_required", "app"))
        phone = Phone(self.apple)
        self.assertEqual(self.begin(server, phone.attestation(asked.json["challenge"]["app"]["nonce"])), (201, "pending"))
        self.assertEqual(self.begin(server, phone.assertion(self.nonce(server, OTHER)), OTHER), (201, "pending"))
        self.assertTrue(server.client.code(NUMBER) and server.client.code(OTHER))
        # The same of a guided signup.
        path, token = server.client.begin_signup()
        number = "+821011112222"
        sent = server.client.call("POST", f"{path}/send", {"phone_text": number, "proof": phone.assertion(self.nonce(server, number))}, token)
        self.assertEqual(sent.status, 202, sent.text)
        self.assertEqual(sql(self.folder, "SELECT app_id, counter FROM app_key"), [(APP, "2")])
        server.stop()
        for secret in (phone.id, NUMBER[-8:]):
            self.assertNotIn(secret, server.log_text)

    def test_google_says_so_too(self):
        server = self.serve()
        for field in ("nonce", "requestHash"):
            number = NUMBER if field == "nonce" else OTHER
            self.assertEqual(self.begin(server, self.google.proof(self.nonce(server, number), field=field), number), (201, "pending"))

    def test_a_nonce_is_for_one_message_to_one_number(self):
        servers = [self.serve(), self.serve()]
        phone, nonce = Phone(self.apple), self.nonce(servers[0])
        self.assertEqual(self.begin(servers[0], phone.attestation(nonce)), (201, "pending"))
        for server in servers:
            self.assertEqual(self.begin(server, phone.assertion(nonce)), (422, "used"))
            self.assertEqual(self.begin(server, self.google.proof(nonce)), (422, "used"))
        fresh = self.nonce(servers[0])
        self.assertEqual(self.begin(servers[0], phone.assertion(fresh), OTHER), (422, "invalid"))
        late = f"{int(time.time() * 1000) + 60_000:016x}" + fresh[16:]
        for forged in (late, fresh[:-1] + ("A" if fresh[-1] != "A" else "B"), fresh + "A", "", "x" * 70):
            if forged:
                self.assertEqual(self.begin(servers[0], phone.assertion(forged)), (422, "invalid"), forged)
        self.assertEqual(self.begin(servers[1], phone.assertion(fresh)), (200, "pending"))

    def test_what_apple_did_not_say_is_refused(self):
        server, stranger = self.serve(), Apple()
        phone, other = Phone(self.apple), Phone(self.apple)
        wrong = {
            "another authority": lambda nonce: Phone(stranger).attestation(nonce),
            "another signer below it": lambda nonce: phone.attestation(nonce, issuer=stranger),
            "an expired certificate": lambda nonce: phone.attestation(nonce, days=(-5, -1)),
            "one that is not valid yet": lambda nonce: phone.attestation(nonce, days=(1, 5)),
            "no intermediate": lambda nonce: phone.attestation(nonce, chain=[self.apple.intermediate]),
            "another app": lambda nonce: phone.attestation(nonce, app="ABCDE12345.com.example.other"),
            "the other environment": lambda nonce: phone.attestation(nonce, environment=DEVELOPMENT),
            "a counter that has begun": lambda nonce: phone.attestation(nonce, counter=1),
            "a key that is not the certificate's": lambda nonce: phone.attestation(nonce, leaf_key=other.key),
            "another credential": lambda nonce: phone.attestation(nonce, key_id=sha256(b"other")),
            "another ID of the key": lambda nonce: {**phone.attestation(nonce), "key_id": other.id},
            "no nonce in the certificate": lambda nonce: phone.attestation(nonce, extension=False),
            "another nonce": lambda nonce: {**phone.attestation("other"), "nonce": nonce},
            "another form": lambda nonce: phone.attestation(nonce, form="packed"),
            "a use of a key that nobody knows": lambda nonce: phone.assertion(nonce),
        }
        for what, make in wrong.items():
            with self.subTest(what):
                self.assertEqual(self.begin(server, make(self.nonce(server))), (422, "invalid"))
        self.assertEqual(sql(self.folder, "SELECT count(*) FROM app_key"), [("0",)])
        self.assertEqual(self.begin(server, phone.attestation(self.nonce(server))), (201, "pending"))
        for what, make in {
            "another key": lambda nonce: phone.assertion(nonce, key=other.key),
            "another app": lambda nonce: phone.assertion(nonce, app="ABCDE12345.com.example.other"),
            "another nonce": lambda nonce: {**phone.assertion("other"), "nonce": nonce},
        }.items():
            with self.subTest(what):
                self.assertEqual(self.begin(server, make(self.nonce(server))), (422, "invalid"))
        self.assertEqual(self.begin(server, phone.assertion(self.nonce(server))), (200, "pending"))

    def test_a_counter_goes_on(self):
        server, phone = self.serve(), Phone(self.apple)
        self.assertEqual(self.begin(server, phone.attestation(self.nonce(server))), (201, "pending"))
        for counter, expected in ((5, 200), (5, 422), (4, 422), (0, 422), (6, 200)):
            self.assertEqual(self.begin(server, phone.assertion(self.nonce(server), counter=counter))[0], expected, counter)
        # Not even what Apple said of it begins it anew.
        self.assertEqual(self.begin(server, phone.attestation(self.nonce(server))), (422, "invalid"))

    def test_what_google_did_not_say_is_refused(self):
        certificate = url64(sha256(b"certificate"))
        server, google = self.serve(APP_INTEGRITY_PLAY_INTEGRITY_CERTIFICATES=certificate), self.google
        wrong = {
            "another secret": dict(secret=os.urandom(32)),
            "another signer": dict(key=ec.generate_private_key(ec.SECP256R1())),
            "another app": dict(app={"packageName": "com.example.other"}),
            "a request of another app": dict(request={"requestPackageName": "com.example.other"}),
            "a changed app": dict(app={"appRecognitionVerdict": "UNRECOGNIZED_VERSION"}),
            "an app that is signed by another": dict(app={"certificateSha256Digest": [url64(sha256(b"other"))]}),
            "a device that is none": dict(device=()),
            "less of a device than is wanted": dict(device=("MEETS_BASIC_INTEGRITY",)),
            "an old token": dict(age=601),
            "one of tomorrow": dict(age=-86_400),
            "another nonce": dict(request={"nonce": "other"}),
            "another cipher": dict(header={"enc": "A128GCM"}),
            "a compressed one": dict(header={"zip": "DEF"}),
            "no signature": dict(inner={"alg": "none"}),
        }
        for what, change in wrong.items():
            with self.subTest(what):
                self.assertEqual(self.begin(server, google.proof(self.nonce(server), **change)), (422, "invalid"))
        self.assertEqual(self.begin(server, google.proof(self.nonce(server))), (201, "pending"))

    def by_server(self, **settings):
        server = self.enter(GoogleServer())
        keys = {name: None for name in self.google.settings}
        return server, self.serve(self.new_folder(), **{**keys, **server.settings, **settings})

    def test_googles_server_reads_tokens_where_there_are_no_keys(self):
        google, server = self.by_server()
        for number, field in ((NUMBER, "nonce"), (OTHER, "requestHash")):
            self.assertEqual(self.begin(server, google.proof(self.nonce(server, number), field=field), number), (201, "pending"))
        # The access token is used again; what Google says is judged as what keys of one's own have shown.
        self.assertEqual((len(google.asked("/token")), len(google.asked(READ))), (1, 2))
        wrong = (
            dict(app={"packageName": "com.example.other"}), dict(app={"appRecognitionVerdict": "UNRECOGNIZED_VERSION"}),
            dict(request={"nonce": "other"}), dict(request={"requestPackageName": "com.example.other"}), dict(device=()), dict(age=601),
        )
        for change in wrong:
            with self.subTest(change):
                self.assertEqual(self.begin(server, google.proof(self.nonce(server), **change)), (422, "invalid"))
        self.assertEqual(self.begin(server, {**google.proof(self.nonce(server)), "token": "no token"}), (422, "invalid"))
        server.stop()
        for secret in (NUMBER[-8:], google.access[0], "PRIVATE KEY"):
            self.assertNotIn(secret, server.log_text)
        # One that ends soon is used once.
        google, server = self.by_server()
        google.life = 60
        for _ in range(2):
            self.begin(server, google.proof(self.nonce(server)))
        self.assertEqual(len(google.asked("/token")), 2)

    def test_googles_server_is_asked_within_limits(self):
        google, server = self.by_server(LIMITS_ADDRESS_SENDS="2/1h")
        proof = google.proof(self.nonce(server), device=())
        for expected in ((422, "invalid"), (422, "invalid"), (429, "rate_limited")):
            begun = server.client.begin(NUMBER, more={"proof": proof, "client_address": "203.0.113.7"})
            self.assertEqual((begun.status, begun.json.get("reason") or begun.json["code"]), expected)
        self.assertEqual(self.begin(server, {**proof, "nonce": "x" * 70}), (422, "invalid"))
        self.assertEqual(len(google.asked(READ)), 2)

    def test_where_googles_server_fails_no_proof_counts(self):
        google, server = self.by_server()
        for path in ("/token", READ):
            for answer in (500, 302, 403, 429, (200, "<html>"), (200, {}), "hang"):
                with self.subTest(path, answer=answer):
                    google.instead = {path: answer}
                    start = time.monotonic()
                    self.assertEqual(self.begin(server, google.proof(self.nonce(server))), (422, "unavailable"))
                    self.assertLess(time.monotonic() - start, 8)
            google.instead = {}
            self.assertEqual(self.begin(server, google.proof(self.nonce(server))), (201 if path == "/token" else 200, "pending"))
        # An access token that Google takes no more is replaced.
        google.access[:] = ["another"]
        self.assertEqual(self.begin(server, google.proof(self.nonce(server))), (422, "unavailable"))
        self.assertEqual(self.begin(server, google.proof(self.nonce(server))), (200, "pending"))

    def test_where_it_is_required_nothing_else_counts(self):
        server = self.serve()
        client = server.client
        self.assertEqual(self.begin(server, "x" * 40), (422, "invalid"))
        key = self.make_key()
        vouched = client.call("POST", "/v1/verifications", {"phone_number": OTHER, "vouched": True}, key)
        self.assertEqual(vouched.status, 201, vouched.text)
        path, token = client.begin_signup()
        sent = client.call("POST", f"{path}/send", {"phone_text": NUMBER}, token)
        self.assertEqual((sent.status, sent.json["challenge"]["kind"]), (428, "app"))
        self.assertNotIn("maxnumber", sent.text)
        self.assertEqual(client.messages(NUMBER), [])

    def test_beside_other_challenges_it_is_another_way(self):
        server = self.serve(APP_INTEGRITY_IS_REQUIRED="false", GUARD_PREFIX_SAMPLE=5)
        for index in range(6):
            server.client.begin(f"0101234{index:04}")
        asked = server.client.begin(NUMBER)
        self.assertEqual((asked.status, asked.json["challenge"]["kind"]), (428, "proof_of_work"))
        proof = self.google.proof(asked.json["challenge"]["app"]["nonce"])
        self.assertEqual(self.begin(server, proof), (201, "pending"))

    def test_statements_that_are_none_cost_little(self):
        server, phone = self.serve(), Phone(self.apple)
        deep, long = b"\x81" * 4000 + b"\x00", b"\x5b" + b"\xff" * 8
        many = cbor({"fmt": "apple-appattest", "attStmt": {"x5c": [b"\x30"] * 500, "receipt": b""}, "authData": bytes(60)})
        for data, name in itertools.product((b"", b"\xff", deep, long, many, cbor({}), bytes(9000)), ("attestation", "assertion")):
            self.assertEqual(self.begin(server, phone.said(self.nonce(server), **{name: data})), (422, "invalid"), data[:9])
        for token in ("....", "a.b.c.d.e", "x" * 12_000, "." * 12_000):
            proof = {"kind": "play_integrity", "nonce": self.nonce(server), "token": token}
            self.assertEqual(self.begin(server, proof), (422, "invalid"))
        good = phone.assertion(self.nonce(server))
        for wrong in (
            {"nonce": "x\0y"}, {"nonce": ""}, {"nonce": "x" * 60_000}, {"nonce": "e\u0301" * 5_000}, {"key_id": "x\0y"},
            {"key_id": "A" * 60},
        ):
            self.assertEqual(self.begin(server, {**good, **wrong}), (422, "invalid"), str(wrong)[:20])
        missing = server.client.begin(NUMBER, more={"proof": {"kind": "app_attest", "nonce": "x"}})
        self.assertEqual((missing.status, missing.json["code"]), (422, "invalid_request"))

    def test_settings_that_are_not_whole_are_named(self):
        for change, name in (
            ({"APP_INTEGRITY_APP_ATTEST_ROOT_FILE": None}, "app_integrity.app_attest.root_file"),
            ({"APP_INTEGRITY_APP_ATTEST_ROOT_FILE": "/nowhere"}, "app_integrity.app_attest.root_file"),
            ({"APP_INTEGRITY_PLAY_INTEGRITY_DECRYPTION_KEY": "AAAA"}, "app_integrity.play_integrity"),
            ({"APP_INTEGRITY_PLAY_INTEGRITY_GOOGLE_SERVICE_ACCOUNT": "{}"}, "app_integrity.play_integrity.google_service_account_file"),
            ({"APP_INTEGRITY_PLAY_INTEGRITY_GOOGLE_URL": "http://google.example"}, "app_integrity.play_integrity.google_url"),
            ({"CHALLENGE_KIND": "off"}, "challenge.kind"),
            ({"APP_INTEGRITY_APP_ATTEST_APP_IDS": None, "APP_INTEGRITY_PLAY_INTEGRITY_PACKAGE": None}, "app_integrity.is_required"),
        ):
            with self.subTest(name):
                code, out, err = self.run_program("check-config", **change)
                self.assertEqual(code, 1)
                self.assertIn(name, out + err)
        code, out, err = self.run_program("check-config")
        self.assertIn(f"App Attest of {APP} (production), Play Integrity of {PACKAGE}, required for every message", out + err)
