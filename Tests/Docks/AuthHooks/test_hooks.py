"""The SMS arm of other authentication servers: a request as one of them sends it, to a service with the stub."""

import base64
import hashlib
import hmac
import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "EndToEnd"))
from support import ServiceTestCase, wait_for  # noqa: E402

KEY = b"thirty-two-bytes-of-a-secret-key"


class Hooks(ServiceTestCase):
    settings = {
        "AUTH_HOOKS_SUPABASE_SECRET": "v1,whsec_" + base64.b64encode(KEY).decode(),
        "AUTH_HOOKS_GENERIC_SECRET": "a-secret-of-the-hook",
    }

    def signed(self, body):
        id, now = "msg_1", str(int(time.time()))
        mac = hmac.new(KEY, f"{id}.{now}.{body}".encode(), hashlib.sha256).digest()
        signature = "v1," + base64.b64encode(mac).decode()
        return {"webhook-id": id, "webhook-timestamp": now, "webhook-signature": signature}

    def test_check_config_names_the_servers(self):
        out = self.run_program("check-config", AUTH_HOOKS_AUTH0_SECRET="s3cr3t" * 3)[1]
        self.assertRegex(out, r"(?m)^hooks     .*/v1/hooks/auth0\b")
        self.assertNotIn("s3cr3t", out)
        without = {key: "" for key in self.settings}
        self.assertIn("hooks     off\n", self.run_program("check-config", **without)[1])

    def test_supabase_has_its_code_sent_in_the_services_own_text(self):
        server = self.serve()
        body = json.dumps({"metadata": {"name": "send-sms"}, "user": {}, "sms": {"otp": "482913", "phone": "821012345678"}})
        for _ in range(2):
            answer = server.client.call("POST", "/v1/hooks/supabase", body, **self.signed(body))
            self.assertEqual((answer.status, answer.text), (200, "{}"), answer.text)
        self.assertEqual(server.client.code("+821012345678"), "482913")
        self.assertEqual(len(server.sent("+821012345678")), 1)
        again = body.replace("482913", "111222")
        refused = server.client.call("POST", "/v1/hooks/supabase", again, **self.signed(again))
        self.assertEqual((refused.status, refused.json["error"]["http_code"]), (200, 429))
        self.assertNotIn("482913", server.log_text)

    def test_a_text_goes_out_as_the_server_wrote_it(self):
        server = self.serve()
        text = "482913 is your code.\n\n@auth.example #482913"
        headers = {"Authorization": "Bearer a-secret-of-the-hook"}
        answer = server.client.call("POST", "/v1/hooks/generic", {"to": "+821012345678", "text": text}, **headers)
        self.assertEqual(answer.status, 200, answer.text)
        self.assertEqual(wait_for(lambda: server.client.messages("+821012345678"), "a message"), [text])
        huge = server.client.call("POST", "/v1/hooks/generic", {"to": "x" * 2**20}, **headers)
        self.assertEqual(huge.status, 413)
