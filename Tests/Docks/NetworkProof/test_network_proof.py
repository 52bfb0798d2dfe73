"""CAMARA Number Verification and Twilio's Silent Network Auth."""

import base64
import concurrent.futures
import http.client
import pathlib
import sys
import time
import urllib.parse
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "EndToEnd"))
from network_providers import ACCOUNT, CLIENT, LINK, NUMBER, OTHER, SECRET, SERVICE, Network, Twilio  # noqa: E402
from peer import Receiver  # noqa: E402
from support import ServiceTestCase, sql, wait_for  # noqa: E402

from cryptography.hazmat.primitives import serialization  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import rsa  # noqa: E402


class ProofTestCase(ServiceTestCase):
    def ask(self, client, number=NUMBER, signup=None, key=None, **more):
        """For the URL of a proof."""
        body = {"kind": "network", **more}
        if signup:
            return client.call("POST", f"{signup[0]}/proof", {"phone_text": number, **body}, signup[1])
        return client.call("POST", "/v1/verifications/proof", {"phone_number": number, **body}, key)

    def begun(self, client, *arguments, **named):
        begun = self.ask(client, *arguments, **named)
        self.assertEqual((begun.status, begun.json["kind"], begun.json["expires_in"]), (200, "network", 300), begun.text)
        return begun.json

    def asked(self, path):
        """How often the provider was asked there."""
        return sum(path in request.path for request in self.provider.requests)

    def begin(self, client, token, number=NUMBER, key=None, nonce=None, **more):
        proof = {"kind": "network", "token": token, **({"nonce": nonce} if nonce else {})}
        return client.begin(number, key, {"proof": proof, **more})

    def send(self, client, token, signup, number=NUMBER):
        body = {"phone_text": number, "proof": {"kind": "network", "token": token}}
        return client.call("POST", f"{signup[0]}/send", body, signup[1])

    def outcome(self, begun):
        return begun.status, begun.json.get("reason") or begun.json.get("code") or begun.json["status"]

    def refused(self, begun, reason="invalid"):
        self.assertEqual(self.outcome(begun), (422, reason), begun.text)

    def proven_without_a_message(self, client, token):
        """A verification by this token, and a guided signup of another number, which needs no code."""
        begun = self.begin(client, token, "010-1234-5678")
        self.assertEqual((begun.status, begun.json["status"], begun.json["channel"]), (201, "approved", "sim"), begun.text)
        self.provider.number = OTHER
        signup = client.begin_signup()
        sent = self.send(client, self.token(client, OTHER, signup), signup, OTHER)
        self.assertEqual((sent.status, sent.json["verification"]["status"]), (202, "approved"), sent.text)
        done = client.call("POST", f"{signup[0]}/sign-up", {"code_text": ""}, signup[1])
        self.assertEqual((done.status, done.json["account"]["phone_number"]), (201, OTHER), done.text)
        self.assertEqual(client.messages(), [])

    def incomplete(self, secret, *changes):
        """Settings that are named as wrong, without the secret."""
        for change in changes:
            with self.subTest(change):
                code, out, err = self.run_program("check-config", **change)
                self.assertEqual(code, 1, out)
                self.assertIn("proofs.network.", out + err)
                self.assertNotIn(secret, out + err)


class NetworkProof(ProofTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.key = rsa.generate_private_key(65537, 2048)
        form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        cls.pem = cls.key.private_bytes(*form).decode()

    def setUp(self):
        super().setUp()
        self.use("private_key_jwt")

    def use(self, method):
        self.provider = self.enter(Network(method, self.key))
        self.settings = {
            "PROOFS_NETWORK_CLIENT_ID": CLIENT, "PROOFS_NETWORK_AUTHENTICATION": method, "PROOFS_NETWORK_KEY_ID": "k1",
            "PROOFS_NETWORK_CREDENTIAL": SECRET if "secret" in method else self.pem, "PROOFS_NETWORK_REDIRECT_URI": LINK,
            "PROOFS_NETWORK_AUTHORIZATION_URL": self.provider.url + "/oauth2/auth",
            "PROOFS_NETWORK_TOKEN_URL": self.provider.url + "/oauth2/token", "PROOFS_NETWORK_VERIFY_URL": self.provider.url + "/nv/verify",
        }

    def open(self, url):
        """What the app gets on its link after the phone has opened the URL: the query."""
        parts = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection(parts.netloc, timeout=30)
        connection.request("GET", f"{parts.path}?{parts.query}")
        link = connection.getresponse().headers["Location"]
        connection.close()
        return link.removeprefix(f"{LINK}?")

    def token(self, client, *arguments, **named):
        return self.open(self.begun(client, *arguments, **named)["url"])

    def test_the_network_confirms_a_number_without_a_message(self):
        secret = "whsec_" + base64.b64encode(bytes(24)).decode()
        hook = self.enter(Receiver(secret))
        server = self.serve(WEBHOOKS_URL=hook.hooks, WEBHOOKS_SECRETS=secret)
        client = server.client
        url = self.begun(client)["url"]
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
        self.assertEqual(query["login_hint"], "tel:" + NUMBER)
        self.assertNotIn(NUMBER[-8:], query["state"])
        token = self.open(url)
        self.proven_without_a_message(client, token)
        wait_for(lambda: hook.types().count("verification.approved") == 2, "both approvals")
        actions = [action for action, in sql(self.folder, "SELECT action FROM audit_entry ORDER BY id")]
        self.assertEqual([action for action in actions if action in ("begin", "approve")], 2 * ["begin", "approve"])
        server.stop()
        for text in (NUMBER[-8:], query["state"], urllib.parse.parse_qs(token)["code"][0][:16]):
            self.assertNotIn(text, server.log_text)

    def test_each_way_of_a_provider_to_know_the_client_is_there(self):
        for method in ("client_secret_basic", "client_secret_post", "vonage_jwt"):
            with self.subTest(method):
                self.use(method)
                client = self.serve(self.new_folder(), PROOFS_NETWORK_LOGIN_HINT="number").client
                url = self.begun(client)["url"]
                self.assertIn("&login_hint=%2B821012345678", url)
                self.assertEqual(self.outcome(self.begin(client, self.open(url))), (201, "approved"))

    def test_another_number_than_the_phones_tells_nothing(self):
        client = self.serve().client
        client.sign_up(OTHER)
        answers = []
        for number in (OTHER, "+821011112222"):
            signup = client.begin_signup()
            for token in (self.token(client, number, signup), "code=x&state=y"):
                refused = self.send(client, token, signup, number)
                answers.append((refused.status, refused.json["code"], refused.json["reason"], refused.json["detail"]))
        self.assertEqual(set(answers), {(422, "challenge_failed", "invalid", answers[0][3])})
        self.assertEqual(self.asked("/nv/verify"), 2)

    def test_a_token_of_the_network_counts_once(self):
        clients = [self.serve().client, self.serve().client]
        token = self.token(clients[0])
        self.assertEqual(self.outcome(self.begin(clients[0], token)), (201, "approved"))
        for client in clients:
            self.refused(self.begin(client, token), "used")
            self.refused(self.begin(client, f"x=1&{token}"), "used")
        self.assertEqual(self.asked("/oauth2/token"), 1)
        # At the same moment a single one has it.
        token = self.token(clients[0])
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            outcomes = list(pool.map(lambda client: self.begin(client, token).status, clients * 4))
        self.assertEqual(sorted(outcomes)[1:], 7 * [422])
        self.assertIn(min(outcomes), (200, 201))

    def test_a_state_is_for_its_signup_and_its_number(self):
        client = self.serve().client
        mine, theirs = client.begin_signup(), client.begin_signup()
        token = self.token(client, NUMBER, mine)
        self.refused(self.send(client, token, theirs))
        self.refused(self.send(client, token, mine, OTHER))
        self.refused(self.begin(client, token))
        # Of two programs neither can use the other's; a program binds its own to what it likes.
        key = self.make_key()
        of_key = self.token(client, key=key, nonce="session 1")
        for other, nonce in ((None, "session 1"), (key, "session 2"), (key, None)):
            self.refused(self.begin(client, of_key, key=other, nonce=nonce))
        self.assertEqual(self.asked("/oauth2/token"), 0)
        self.assertEqual(self.send(client, token, mine).status, 202)
        self.assertEqual(self.outcome(self.begin(client, of_key, key=key, nonce="session 1")), (201, "approved"))

    def test_the_network_is_not_asked_about_what_did_not_begin_here(self):
        client = self.serve(VERIFICATION_ALLOWED_REGIONS="KR").client
        token = self.token(client)
        values = dict(urllib.parse.parse_qsl(token))
        code, state = values["code"], values["state"]
        later = f"{int(time.time() * 1000) + 900_000:016x}" + state[16:]
        tokens = ["", "x", "code=x", f"state={state}", f"code=&state={state}", f"code=x&code=y&state={state}", f"{token}&state={state}"]
        tokens += [f"error=login_required&state={state}", f"code=%ff&state={state}", "&" * 4000, "code=x&state=" + 91 * "%00"]
        for forged in (later, state[:-1], state[:70], state + "A", state[:48] + 43 * "A", state.upper(), state[:47] + "é" + state[49:]):
            tokens.append(urllib.parse.urlencode({"code": code, "state": forged}))
        for text in tokens:
            with self.subTest(text[:100]):
                self.refused(self.begin(client, text))
        self.refused(self.begin(client, "x" * 5000))
        foreign = client.call("POST", "/v1/verifications/proof", {"phone_number": "+14155552671", "kind": "network"})
        self.assertEqual((foreign.status, foreign.json["code"]), (403, "region_not_allowed"))
        self.assertEqual(self.begin(client, token, "+14155552671").status, 403)
        self.assertEqual(self.asked("/oauth2/token"), 0)
        self.assertEqual(self.outcome(self.begin(client, token)), (201, "approved"))

    def test_a_network_that_does_not_answer_leaves_the_code(self):
        server = self.serve()
        client = server.client
        for index, path in enumerate(("/oauth2/token", "/nv/verify")):
            # Of one number only ten are asked about a day.
            number = self.provider.number = f"+82105555000{index}"
            for answer in (500, 302, (401, {"error": "invalid_client"}), (200, "<html>"), (200, {"devicePhoneNumberVerified": "true"}), "cut", "hang"):
                with self.subTest(path, answer=answer):
                    token = self.token(client, number)
                    self.provider.instead = {path: answer}
                    start = time.monotonic()
                    self.refused(self.begin(client, token, number), "unavailable")
                    self.assertLess(time.monotonic() - start, 8)
                    self.provider.instead = {}
        self.assertIn("the number cannot be verified", server.log_text)
        # A phone on Wi-Fi, in both versions of the API.
        for name in ("NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK", "USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK"):
            token = self.token(client)
            self.provider.instead = {"/nv/verify": (403, {"status": 403, "code": name, "message": "x"})}
            self.refused(self.begin(client, token))
            self.provider.instead = {}
        self.assertEqual(self.outcome(client.begin(NUMBER)), (201, "pending"))
        self.assertTrue(client.code(NUMBER))

    def test_limits_count_before_the_network_is_asked(self):
        client = self.serve(LIMITS_ADDRESS_SENDS="3/1h").client
        state = dict(urllib.parse.parse_qsl(self.token(client)))["state"]
        guess = lambda index, address: self.outcome(self.begin(client, f"code=guess{index}&state={state}", client_address=address))
        outcomes = [guess(index, "203.0.113.7") for index in range(5)]
        self.assertEqual(outcomes, 3 * [(422, "invalid")] + 2 * [(429, "rate_limited")])
        self.assertEqual(self.asked("/oauth2/token"), 3)
        # Many addresses do not help: a number has ten a day, as of messages from the person.
        outcomes = [guess(index, f"198.51.{index}.7") for index in range(10)]
        self.assertEqual(outcomes, 7 * [(422, "invalid")] + 3 * [(429, "rate_limited")])
        self.assertEqual(self.asked("/oauth2/token"), 10)

    def test_what_an_approval_by_the_network_counts_is_counted_once(self):
        client = self.serve(LIMITS_ADDRESS_SENDS="2/1h").client
        for expected in (201, 201, 429):
            begun = self.begin(client, self.token(client), client_address="203.0.113.7")
            self.assertEqual(begun.status, expected, begun.text)

    def test_a_service_without_a_provider_begins_no_proof(self):
        client = self.serve(PROOFS_NETWORK_CLIENT_ID=None, PROOFS_NETWORK_CREDENTIAL=None).client
        missing = client.call("POST", "/v1/verifications/proof", {"phone_number": NUMBER, "kind": "network"})
        self.assertEqual((missing.status, missing.json["field"]), (422, "kind"))
        self.refused(self.begin(client, "code=x&state=y"))
        for body, field in (({}, "kind"), ({"kind": "network", "nonce": 257 * "x"}, "nonce"), ({"kind": 1}, "kind")):
            wrong = client.call("POST", "/v1/verifications/proof", {"phone_number": NUMBER, **body})
            self.assertEqual((wrong.status, wrong.json["field"]), (422, field))
        path, secret = client.begin_signup()
        self.assertEqual(client.call("POST", f"{path}/proof", {"kind": "network"}, "sgt_x").status, 404)
        self.assertEqual(client.call("POST", f"{path}/proof", {"kind": "network"}, secret).json["code"], "invalid_phone_number")

    def test_settings_of_a_provider_that_are_not_whole_are_named(self):
        self.incomplete(
            "PRIVATE KEY", {"PROOFS_NETWORK_TOKEN_URL": None}, {"PROOFS_NETWORK_TOKEN_URL": "http://operator.example/token"},
            {"PROOFS_NETWORK_VERIFY_URL": "ftp://operator.example"}, {"PROOFS_NETWORK_CREDENTIAL": "no key"},
            {"PROOFS_NETWORK_CREDENTIAL": None}, {"PROOFS_NETWORK_REDIRECT_URI": "app:/x"}, {"PROOFS_NETWORK_AUTHENTICATION": "none"},
        )
        code, out, err = self.run_program("check-config")
        self.assertIn(f"as {CLIENT}", out + err)


class SilentNetworkAuth(ProofTestCase):
    def setUp(self):
        super().setUp()
        self.provider = self.enter(Twilio())
        self.settings = {
            "PROOFS_NETWORK_CLIENT_ID": ACCOUNT, "PROOFS_NETWORK_CREDENTIAL": SECRET,
            "PROOFS_NETWORK_TWILIO_SERVICE_SID": SERVICE, "PROOFS_NETWORK_TWILIO_URL": self.provider.url,
            "PROOFS_NETWORK_TWILIO_CLIENT_TOKEN": "false",
        }

    def open(self, url):
        """What the phone is answered."""
        with urllib.request.urlopen(url, timeout=30) as answer:
            return dict(urllib.parse.parse_qsl(answer.read().decode()))

    def token(self, client, *arguments, **named):
        """Of a proof whose URL the phone has opened."""
        begun = self.begun(client, *arguments, **named)
        self.open(begun["url"])
        return begun["token"]

    def test_twilio_confirms_a_number_without_a_message(self):
        server = self.serve()
        client = server.client
        begun = self.begun(client)
        self.assertTrue(begun["url"].startswith(f"{self.provider.url}/open/VE"), begun)
        self.assertRegex(begun["token"], r"^state=[0-9a-f]{48}[\w-]{43}$")
        self.open(begun["url"])
        self.proven_without_a_message(client, begun["token"])
        server.stop()
        for text in (NUMBER[-8:], begun["token"][6:], begun["url"][-32:]):
            self.assertNotIn(text, server.log_text)

    def test_a_number_that_twilio_does_not_confirm_is_refused(self):
        client = self.serve().client
        begun = self.begun(client)
        self.refused(self.begin(client, begun["token"]))
        self.provider.number = OTHER
        self.open(begun["url"])
        self.refused(self.begin(client, begun["token"]))
        # What it confirms of another number is nothing.
        self.provider.instead = {"VerificationCheck": (200, self.provider.shown("VE", OTHER, "approved"))}
        self.refused(self.begin(client, begun["token"]))
        self.provider.number, self.provider.instead = NUMBER, {}
        self.open(begun["url"])
        self.assertEqual(self.outcome(self.begin(client, begun["token"])), (201, "approved"))
        # A token is asked about five times.
        token = self.begun(client)["token"]
        outcomes = [self.outcome(self.begin(client, token)) for _ in range(6)]
        self.assertEqual(outcomes, 5 * [(422, "invalid")] + [(429, "rate_limited")])
        self.assertEqual(self.asked("VerificationCheck"), 9)

    def test_twilio_is_asked_about_a_state_by_whom_it_was_begun_for(self):
        client = self.serve().client
        mine, theirs = client.begin_signup(), client.begin_signup()
        token, other = self.token(client, NUMBER, mine), self.token(client, NUMBER, theirs)
        self.refused(self.send(client, token, theirs))
        self.refused(self.send(client, token, mine, OTHER))
        self.refused(self.begin(client, token))
        sids = list(self.provider.verifications)
        for text in ("", "state=", token[6:], token + "A", f"state=f{token[7:]}", token.replace(sids[0][2:], sids[1][2:])):
            self.refused(self.send(client, text, mine))
        self.assertEqual(self.asked("VerificationCheck"), 0)
        self.assertEqual(self.send(client, token, mine).status, 202)
        self.assertEqual(self.send(client, other, theirs).status, 202)
        self.assertEqual(self.asked("VerificationCheck"), 2)

    def test_a_twilio_that_does_not_answer_leaves_the_code(self):
        server = self.serve()
        client = server.client
        answers = [500, 302, 429, (401, {"code": 20003}), "cut", "hang"]
        start = self.provider.shown("VE" + 32 * "a", NUMBER, "pending")
        wrong = [(201, "<html>"), (201, start), (201, {**start, "sna": {"url": "x"}}), (201, {"sna": {"url": "https://example.com"}})]
        wrong += [(201, {**start, "sid": "VE" + 32 * "A", "sna": {"url": "https://example.com"}})]
        for resource, more in (("Verifications", wrong), ("VerificationCheck", [(200, "<html>"), (200, {"status": 1})])):
            for index, answer in enumerate(answers + more):
                with self.subTest(resource, answer=answer):
                    # Of one number only ten are asked about a day.
                    number = self.provider.number = f"+8210555500{index:02}"
                    token = self.token(client, number) if resource == "VerificationCheck" else None
                    self.provider.instead = {resource: answer}
                    begun = time.monotonic()
                    self.refused(self.begin(client, token, number) if token else self.ask(client, number), "unavailable")
                    self.assertLess(time.monotonic() - begun, 30)
                    self.provider.instead = {}
        self.assertIn("no proof can begin", server.log_text)
        self.assertEqual(self.outcome(client.begin(NUMBER)), (201, "pending"))
        self.assertTrue(client.code(NUMBER))

    def test_limits_count_before_twilio_is_asked(self):
        client = self.serve(LIMITS_ADDRESS_SENDS="3/1h", VERIFICATION_ALLOWED_REGIONS="KR").client
        begun = [self.ask(client, client_address="203.0.113.7") for _ in range(5)]
        self.assertEqual([answer.status for answer in begun], 3 * [200] + 2 * [429])
        self.assertEqual(begun[3].json["violated_policies"], ["address-sends-1h"])
        self.assertEqual(self.asked("Verifications"), 3)
        # What was counted then is not counted again.
        for answer in begun[:3]:
            self.open(answer.json["url"])
            approved = self.begin(client, answer.json["token"], client_address="203.0.113.7")
            self.assertIn(self.outcome(approved), [(201, "approved"), (200, "approved")])
        # Many addresses do not help: a number has ten a day.
        begun = [self.ask(client, client_address=f"198.51.{index}.7").status for index in range(10)]
        self.assertEqual(begun, 7 * [200] + 3 * [429])
        self.assertEqual(self.ask(client, "+14155552671").json["code"], "region_not_allowed")
        self.assertEqual(self.asked("Verifications"), 10)

    def test_twilio_is_not_asked_about_a_test_number(self):
        client = self.serve(TEST_NUMBERS_NUMBERS=f"{OTHER}=123456", TEST_NUMBERS_UNTIL="2099-01-01T00:00:00Z").client
        self.refused(self.ask(client, OTHER))
        self.assertEqual(self.provider.requests, [])
        self.assertEqual(self.outcome(client.begin(OTHER)), (201, "pending"))

    def test_only_the_phone_that_opened_the_url_goes_on_unless_told_otherwise(self):
        client = self.serve(PROOFS_NETWORK_TWILIO_CLIENT_TOKEN=None).client
        begun = self.begun(client)
        given, state = self.open(begun["url"])["ClientToken"], begun["token"]
        self.refused(self.begin(client, state))
        self.assertEqual(self.asked("VerificationCheck"), 0)
        self.refused(self.begin(client, f"code=guess&{state}"))
        self.assertEqual(self.outcome(self.begin(client, f"code={urllib.parse.quote(given)}&{state}")), (201, "approved"))

    def test_settings_of_twilio_that_are_not_whole_are_named(self):
        self.incomplete(
            SECRET, {"PROOFS_NETWORK_CLIENT_ID": None}, {"PROOFS_NETWORK_CREDENTIAL": None},
            {"PROOFS_NETWORK_TWILIO_SERVICE_SID": "VA1"}, {"PROOFS_NETWORK_TWILIO_URL": "http://twilio.example"},
        )
        code, out, err = self.run_program("check-config")
        self.assertIn(f"as {ACCOUNT}", out + err)
