"""CAMARA's One Time Password SMS, as a program sees it that has a client ID and a secret. Its scenarios are in
Tests/Docks/OneTimePasswordSMS/OneTimePasswordSMSTests."""

import base64
import json
import pathlib
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "EndToEnd"))
from support import ServiceTestCase, wait_for  # noqa: E402

SCOPE = "one-time-password-sms:send-validate"
GRANT = ("clients", "create", "--name", "Shop", "--grant", "client_credentials")


class Camara(ServiceTestCase):
    settings = {"CAMARA_ENABLED": "true", "TOKENS_ACCESS_TTL_SECONDS": 120, "SERVER_INSECURE_NO_KEYS": None}

    def client(self, *arguments):
        client = self.create_client(*GRANT[2:], *(arguments or ("--scope", SCOPE)))
        return client["client_id"], client["client_secret"]

    def token(self, server, id, secret, scope=None, **form):
        basic = base64.b64encode(f"{id}:{secret}".encode()).decode()
        form = {"grant_type": "client_credentials", **({"scope": scope} if scope else {}), **form}
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Authorization": f"Basic {basic}"}
        return server.client.call("POST", "/oauth2/token", urllib.parse.urlencode(form), **headers)

    def call(self, server, operation, body, token):
        return server.client.call("POST", f"/one-time-password-sms/v1/{operation}", body, token, **{"x-correlator": "a-1"})

    def test_a_number_is_proven_by_a_code_in_a_text_of_the_programs_own(self):
        server = self.serve()
        answer = self.token(server, *self.client())
        self.assertEqual(answer.status, 200, answer.text)
        token = answer.json.pop("access_token")
        self.assertEqual(
            {name: value for name, value in answer.json.items() if name != "access_token"},
            {"token_type": "Bearer", "expires_in": 120, "scope": SCOPE},
        )
        claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
        self.assertEqual((claims["scope"], claims["exp"] - claims["iat"]), (SCOPE, 120))
        text = "Acme: {{code}}\nDo not share it."
        sent = self.call(server, "send-code", {"phoneNumber": "+821012345678", "message": text}, token)
        self.assertEqual((sent.status, sent.headers["x-correlator"]), (200, "a-1"), sent.text)
        code = server.client.code("+821012345678")
        self.assertEqual(server.sent("+821012345678"), [text.replace("{{code}}", code)])
        body = {"authenticationId": sent.json["authenticationId"], "code": code}
        valid = self.call(server, "validate-code", body, token)
        self.assertEqual((valid.status, valid.text, valid.headers.get_all("x-correlator")), (204, "", ["a-1"]))
        again = self.call(server, "validate-code", body, token)
        self.assertEqual((again.status, again.json["code"]), (400, "ONE_TIME_PASSWORD_SMS.VERIFICATION_EXPIRED"))
        self.assertNotIn(code, server.log_text)

    def test_check_config_names_its_path(self):
        self.assertIn("camara    off\n", self.run_program("check-config", CAMARA_ENABLED="false")[1])
        self.assertIn("camara    /one-time-password-sms/v1\n", self.run_program("check-config")[1])

    def test_a_huge_body_is_an_error_like_others(self):
        server = self.serve()
        token = self.token(server, *self.client()).json["access_token"]
        refused = self.call(server, "send-code", {"phoneNumber": "+821012345678", "message": "{{code}}" + "a" * 2**20}, token)
        self.assertEqual((refused.status, refused.json["status"], refused.headers["x-correlator"]), (413, 413, "a-1"))

    def test_a_second_message_ends_the_first_code_before_it_is_sent(self):
        server = self.serve()
        token = self.token(server, *self.client()).json["access_token"]
        ids = []
        for text in ["1 {{code}}", "2 {{code}}"]:
            body = {"phoneNumber": "+821012345678", "message": text}
            ids.append(self.call(server, "send-code", body, token).json["authenticationId"])
        self.assertEqual(len(set(ids)), 2)
        code = wait_for(lambda: [m for m in server.client.messages("+821012345678") if m[0] == "2"], "2")[0][2:]
        for id, status in zip(ids, [400, 204]):
            answer = self.call(server, "validate-code", {"authenticationId": id, "code": code}, token)
            self.assertEqual(answer.status, status, answer.text)

    def test_a_client_gets_the_scopes_that_it_has_and_no_more(self):
        server = self.serve()
        id, secret = self.client("--scope", SCOPE, "--scope", "other:read")
        self.assertEqual(self.token(server, id, secret).json["scope"], f"{SCOPE} other:read")
        self.assertEqual(self.token(server, id, secret, f"openid dpv:Fraud {SCOPE}").json["scope"], SCOPE)
        for scope in ["openid", "account", "another"]:
            refused = self.token(server, id, secret, scope)
            self.assertEqual((refused.status, refused.json["error"]), (400, "invalid_scope"))
        self.assertEqual(self.token(server, id, "x").json["error"], "invalid_client")
        signing = self.create_client("--name", "S", "--redirect-uri", "https://shop.example/")
        refused = self.token(server, signing["client_id"], signing["client_secret"])
        self.assertEqual((refused.status, refused.json["error"]), (400, "unauthorized_client"))
        # It is no person's token, and signs nobody in.
        token = self.token(server, id, secret).json["access_token"]
        for path in ["/v1/accounts/me", "/oauth2/userinfo", "/v1/sessions"]:
            self.assertEqual(server.client.call("GET", path, None, token).status, 401)
        shown = json.loads(self.done("clients", "show", id))
        self.assertEqual((shown["scopes"], shown["redirect_uris"]), ([SCOPE, "other:read"], []))
        asked = server.client.call(
            "GET", f"/oauth2/authorize?client_id={id}&response_type=code&scope=openid&redirect_uri=https://shop.example/"
        )
        self.assertEqual(asked.status, 400)

    def test_what_does_not_fit_together_makes_no_client(self):
        for arguments in [
            (), ("--scope", "account"), ("--scope", "openid"), ("--scope", "a b"), ("--scope", SCOPE, "--public"),
            ("--scope", SCOPE, "--redirect-uri", "https://shop.example/"),
        ]:
            code, out, _ = self.run_program(*GRANT, *arguments)
            self.assertEqual((code, out), (64, ""), arguments)
        code, out, _ = self.run_program("clients", "create", "--name", "S", "--redirect-uri", "https://a.example/", "--scope", "b")
        self.assertEqual((code, out), (64, ""))
