"""Passkeys as an app and a form see them, by an authenticator in software that others wrote (soft-webauthn)."""

import base64
import json
import pathlib
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "EndToEnd"))
from browser import Browser  # noqa: E402
from postgresql import PostgreSQL  # noqa: E402
from pypi import installed  # noqa: E402
from support import ServiceTestCase, at_once, free_port, sql  # noqa: E402

sys.path.insert(0, str(installed(pathlib.Path(__file__).with_name("soft-webauthn-requirements.txt"), "soft-webauthn")))
from cryptography.hazmat.primitives import hashes  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import ec  # noqa: E402
from fido2 import cbor  # noqa: E402
from soft_webauthn import SoftWebauthnDevice  # noqa: E402

NUMBER, OTHER = "+821012345678", "+821087654321"
VERIFIED = 0x04


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Device(SoftWebauthnDevice):
    """Speaks the JSON of Level 3, and says that it has verified the person, which soft-webauthn leaves out."""

    def __init__(self, origin, verifies=True):
        super().__init__()
        self.origin, self.verifies = origin, verifies

    def flagged(self, data):
        return data[:32] + bytes([data[32] | VERIFIED]) + data[33:] if self.verifies else data

    def json(self, credential, **response):
        return {
            "id": encoded(credential["rawId"]), "rawId": encoded(credential["rawId"]), "type": "public-key",
            "response": {name: encoded(value) for name, value in response.items()},
        }

    def register(self, options):
        options = {**options, "challenge": decoded(options["challenge"]),
                   "user": {**options["user"], "id": decoded(options["user"]["id"])}}
        made = self.create({"publicKey": options}, self.origin)
        attestation = cbor.decode(made["response"]["attestationObject"])
        attestation["authData"] = self.flagged(attestation["authData"])
        return self.json(made, clientDataJSON=made["response"]["clientDataJSON"], attestationObject=cbor.encode(attestation))

    def prove(self, options):
        made = self.get({"publicKey": {**options, "challenge": decoded(options["challenge"])}}, self.origin)["response"]
        data, client = self.flagged(made["authenticatorData"]), made["clientDataJSON"]
        digest = hashes.Hash(hashes.SHA256())
        digest.update(client)
        signature = self.private_key.sign(data + digest.finalize(), ec.ECDSA(hashes.SHA256()))
        return self.json(
            {"rawId": self.credential_id}, clientDataJSON=client, authenticatorData=data, signature=signature,
            userHandle=self.user_handle,
        )


class PasskeyTestCase(ServiceTestCase):
    def start(self, **settings):
        port = free_port()
        self.origin = f"http://localhost:{port}"
        self.server = self.serve(port=port, TOKENS_ISSUER=self.origin, PASSKEYS_ENABLED="true", **settings)

    def call(self, method, path, body=None, token=None):
        return self.server.client.call(method, "/v1/passkeys" + path, body, token)

    def signed_up(self, number=NUMBER):
        answer = self.server.client.sign_up(number)
        return answer.json["account"]["id"], answer.json["tokens"]["access_token"]

    def registered(self, token, **more):
        device = Device(self.origin)
        options = self.call("POST", "/options", {}, token)
        self.assertEqual(options.status, 200, options.text)
        made = self.call("POST", "", {"credential": device.register(options.json), **more}, token)
        self.assertEqual(made.status, 201, made.text)
        return device

    def sign_in(self, device):
        return self.call("POST", "/sign-in", {"credential": device.prove(self.call("POST", "/sign-in/options").json)})

    def audited(self, action):
        return sql(self.server.folder, f"SELECT count(*) FROM audit_entry WHERE action = '{action}'")[0][0]


class PasskeyTests(PasskeyTestCase):
    def test_an_authenticator_that_others_wrote_signs_a_person_in(self):
        self.start()
        account, token = self.signed_up()
        device = self.registered(token, name="Soft key")
        answer = self.sign_in(device)
        self.assertEqual((answer.status, answer.json["account"]["id"]), (200, account), answer.text)
        self.assertEqual(answer.json["account"]["phone_number"], NUMBER)
        mine = self.server.client.call("GET", "/v1/accounts/me", None, answer.json["tokens"]["access_token"])
        self.assertEqual(mine.json["id"], account)
        listed, = self.call("GET", "", None, token).json["passkeys"]
        self.assertEqual((listed["name"], listed["is_valid"]), ("Soft key", True))
        self.assertIsNotNone(listed["last_used_at"])
        # No message was sent for it.
        self.assertEqual(len(self.server.sent(NUMBER)), 1)
        export = self.server.client.call("GET", "/v1/accounts/me/export", None, token).json
        record, = export["records"]
        self.assertEqual((record["kind"], record["name"], record["counter"]), ("passkey", "Soft key", 1))
        self.assertEqual(
            [entry["action"] for entry in export["audit"]][-2:], ["add_sign_in_key", "sign_in_by_key"],
        )

    def test_a_key_that_verifies_nobody_is_refused(self):
        self.start()
        _, token = self.signed_up()
        device = Device(self.origin, verifies=False)
        refused = self.call("POST", "", {"credential": device.register(self.call("POST", "/options", {}, token).json)}, token)
        self.assertEqual((refused.status, refused.json["field"]), (422, "credential"))
        self.assertIn("without the person verified", refused.json["detail"])
        device = self.registered(token)
        device.verifies = False
        self.assertEqual(self.sign_in(device).status, 401)

    def test_a_restart_and_an_erasure(self):
        self.start()
        _, token = self.signed_up()
        device = self.registered(token)
        _, other = self.signed_up(OTHER)
        kept = self.registered(other)
        self.server.stop()
        self.server = self.serve(port=self.server.port, TOKENS_ISSUER=self.origin, PASSKEYS_ENABLED="true")
        self.assertEqual(self.sign_in(device).status, 200)
        self.assertRegex(self.run_program("erase", NUMBER, "--yes")[1], r"Passkey +1\n")
        self.assertEqual(self.sign_in(device).status, 401)
        self.assertEqual(self.sign_in(kept).status, 200)

    def test_postgresql_keeps_them_as_well(self):
        database = PostgreSQL()
        self.addCleanup(database.close)
        self.done("keys", "make", KEYS_FILE=f"{self.folder}/keys")
        self.start(DATABASE_URL=database.url, KEYS_FILE=f"{self.folder}/keys", VERIFICATION_RESEND_COOLDOWNS_SECONDS=0)
        account, token = self.signed_up()
        device = self.registered(token)
        proof = {"credential": device.prove(self.call("POST", "/sign-in/options").json)}
        answers = at_once(lambda _: self.call("POST", "/sign-in", proof).status, range(8))
        self.assertEqual(sorted(answers), [200] + 7 * [401])
        record, = self.server.client.call("GET", "/v1/accounts/me/export", None, token).json["records"]
        self.assertEqual((record["backup_eligible"], record["counter"]), (False, 1))
        listed, = self.call("GET", "", None, token).json["passkeys"]
        self.assertEqual(self.call("DELETE", "/" + listed["id"], None, token).status, 204)
        self.assertEqual(self.sign_in(device).status, 401)
        _, other = self.signed_up(OTHER)
        made = [Device(self.origin).register(self.call("POST", "/options", {}, other).json) for _ in range(30)]
        answers = at_once(lambda credential: self.call("POST", "", {"credential": credential}, other).status, made)
        self.assertEqual(sorted(answers), 20 * [201] + 10 * [422])
        self.assertEqual(len(self.call("GET", "", None, other).json["passkeys"]), 20)
        # PostgreSQL stores no NUL.
        browser = Browser(self.server, self.origin)
        browser.sign_in(browser.open(self.origin + "/signup"), self.server.client, NUMBER)
        token = browser.open(self.origin + "/passkeys").forms[0]["fields"]["form_token"]
        for action, expected in (("rename_key", 200), ("remove_key", 200), ("confirm_key", 403)):
            form = {"action": action, "id": "a\0b", "name": "a", "form_token": token}
            status, _, text = browser.request("POST", self.origin + "/passkeys", form)
            self.assertEqual(status, expected, text)


class PasskeyFormTests(PasskeyTestCase):
    """The forms of the pages, as somebody may send them who is no browser with a finger on its reader."""

    def test_a_sign_in_goes_on_with_the_request_that_it_was_for_alone(self):
        self.start(VERIFICATION_RESEND_COOLDOWNS_SECONDS=0)
        client = self.create_client("--public", "--name", "Bank", "--redirect-uri", "http://127.0.0.1:9/callback")

        def url(**more):
            return self.origin + "/signup?" + urllib.parse.urlencode({
                "client_id": client["client_id"], "redirect_uri": "http://127.0.0.1:9/callback", "response_type": "code",
                "scope": "openid", "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
                "code_challenge_method": "S256", **more,
            })

        browser = Browser(self.server, self.origin)
        page = browser.submit(browser.open(url(prompt="login", state="own")), phone_text=NUMBER)
        page = browser.submit(page, code_text=self.server.client.code(NUMBER), can_key="1")
        self.assertEqual(page.heading, "Skip the code next time")
        skip = next(form["fields"] for form in page.forms if form["fields"]["action"] == "skip_key")
        keys = browser.open(self.origin + "/passkeys").forms[0]["fields"]
        for more in (
            {"prompt": "login"}, {"prompt": "consent"}, {"prompt": "select_account"}, {"prompt": "create"}, {"max_age": "0"},
            {"prompt": "none", "max_age": "0"}, {"login_hint": OTHER}, {"login_hint": OTHER, "scope": "openid phone"},
        ):
            for action in ("skip_key", "add_key", "rename_key", "remove_key", "confirm_key"):
                for token in (skip["form_token"], keys["form_token"]):
                    form = {"action": action, "id": "AAAA", "credential": "{}", "form_token": token}
                    _, headers, _ = browser.request("POST", url(**more), form)
                    self.assertNotIn("code=", headers["Location"] or "", (more, action))
        status, headers, _ = browser.request("POST", url(prompt="login", state="own"), skip)
        self.assertEqual(status, 303)
        self.assertRegex(headers["Location"], r"^http://127\.0\.0\.1:9/callback\?code=ac_.*&state=own&")

    def test_a_form_that_comes_twice_shows_that_somebody_is_signed_in(self):
        self.start()
        _, token = self.signed_up()
        device = self.registered(token)
        browser, second = Browser(self.server, self.origin), Browser(self.server, self.origin)
        page = browser.open(self.origin + "/signup")
        form = next(form["fields"] for form in page.forms if form["fields"].get("action") == "key")
        form["credential"] = json.dumps(device.prove(self.call("POST", "/sign-in/options").json))
        # Sent before the browser had the answer to the first.
        second.cookies = dict(browser.cookies)
        self.assertEqual(browser.open(self.origin + "/signup", form).heading, "You're signed in")
        status, headers, _ = second.request("POST", self.origin + "/signup", form)
        self.assertEqual((status, headers["Location"]), (303, "signup"))
        self.assertEqual(browser.open(self.origin + "/signup").heading, "You're signed in")
        self.assertEqual(self.audited("sign_in_by_key"), "1")

    def test_a_form_of_another_page_signs_nobody_in(self):
        self.start()
        _, token = self.signed_up()
        device = self.registered(token)
        proof = device.prove(self.call("POST", "/sign-in/options").json)
        form = urllib.parse.urlencode({"action": "key", "credential": json.dumps(proof), "form_token": "AAAA"})
        for fields in ({}, {"Sec-Fetch-Site": "cross-site"}, {"Cookie": "phoneproof_signup=x"}):
            answer = self.server.client.call(
                "POST", "/signup", form, **{"Content-Type": "application/x-www-form-urlencoded", **fields},
            )
            self.assertEqual(answer.status, 403, answer.text)
            self.assertNotIn("phoneproof_session", str(answer.headers))
        self.assertEqual(self.audited("sign_in_by_key"), "0")
