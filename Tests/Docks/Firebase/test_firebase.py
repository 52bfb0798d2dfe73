"""Custom tokens for Firebase, compared with those that Google's own library makes with the same key."""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Tests" / "EndToEnd"))
from pypi import installed  # noqa: E402
from support import ServiceTestCase, sql  # noqa: E402

REQUIREMENTS = pathlib.Path(__file__).with_name("firebase-admin-requirements.txt")
sys.path.insert(0, str(installed(REQUIREMENTS, "firebase-admin")))

import firebase_admin  # noqa: E402
import jwt  # noqa: E402
from cryptography.hazmat.primitives import serialization  # noqa: E402
from firebase_admin import auth, credentials  # noqa: E402

EMAIL = "signer@demo.iam.gserviceaccount.com"


class Firebase(ServiceTestCase):
    def key(self):
        """A service account's key, as Google gives it."""
        made = subprocess.run(["openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"], capture_output=True, check=True)
        account = {
            "type": "service_account", "project_id": "demo", "private_key_id": "k1", "private_key": made.stdout.decode(),
            "client_email": EMAIL, "client_id": "1", "token_uri": "https://oauth2.googleapis.com/token",
        }
        return account, self.write("firebase.json", json.dumps(account), 0o600)

    def test_an_approval_and_a_signup_have_the_token_that_firebase_admin_makes(self):
        account, path = self.key()
        server = self.serve(FIREBASE_SERVICE_ACCOUNT_FILE=path)
        app = firebase_admin.initialize_app(credentials.Certificate(account), name=self.folder)
        self.addCleanup(firebase_admin.delete_app, app)
        public = serialization.load_pem_private_key(account["private_key"].encode(), None).public_key()

        def compared(token):
            """The user, if the token differs from Google's in times alone."""
            read = lambda token: jwt.decode(token, public, ["RS256"], audience=auth._token_gen.FIREBASE_AUDIENCE)
            claims = read(token)
            theirs = auth.create_custom_token(claims["uid"], app=app)
            expected = read(theirs)
            self.assertEqual(jwt.get_unverified_header(token), jwt.get_unverified_header(theirs))
            self.assertEqual(claims["exp"] - claims["iat"], expected["exp"] - expected["iat"])
            self.assertLess(abs(claims["iat"] - expected["iat"]), 60)
            self.assertEqual({**claims, "iat": 0, "exp": 0}, {**expected, "iat": 0, "exp": 0})
            return claims["uid"]

        users = []
        for key in ['"a-1"', None]:
            begun = server.client.begin("+821012345678").json["id"]
            code = server.client.code("+821012345678", after=len(users) // 2)
            headers = {"Idempotency-Key": key} if key else {}
            for _ in range(2):
                checked = server.client.call("POST", f"/v1/verifications/{begun}/checks", {"code": code}, **headers)
                self.assertEqual((checked.status, checked.json["status"]), (200, "approved"), checked.text)
                users.append(compared(checked.json["tokens"]["firebase"]))
        self.assertRegex(users[0], r"^tel_[\w-]{43}$")
        self.assertEqual(len(set(users)), 1)
        stored = str(sql(self.folder, "SELECT * FROM idempotent_request"))
        self.assertIn("approved", stored)
        self.assertNotIn("firebase", stored)
        begun = server.client.begin("+821099998888").json["id"]
        wrong = server.client.check(begun, "000000")
        self.assertNotIn("firebase", wrong.text)
        signed = server.client.sign_up("010-3333-4444")
        self.assertEqual(compared(signed.json["tokens"]["firebase"]), signed.json["account"]["id"])
        self.assertIn("access_token", signed.json["tokens"])
        self.assertNotIn("PRIVATE KEY", server.log_text)

    def test_what_is_no_service_account_is_an_error_of_the_settings(self):
        account, path = self.key()
        self.assertIn("firebase  off\n", self.run_program("check-config")[1])
        for change in [{"type": "user"}, {"private_key": "x"}, {"client_email": None}]:
            wrong = self.write("wrong.json", json.dumps({**account, **change}), 0o600)
            code, out, err = self.run_program("check-config", FIREBASE_SERVICE_ACCOUNT_FILE=wrong)
            self.assertEqual(code, 1, err)
            self.assertIn("firebase.service_account_file is invalid", out + err)
            self.assertNotIn("PRIVATE KEY", out + err)
