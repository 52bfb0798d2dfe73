"""A service that sends by NAVER Cloud SENS and by Solapi, to vendors that check every signature; and Twilio's reports."""

import base64
import hashlib
import hmac
import json
import urllib.parse

import support
from peer import Peer
from support import ServiceTestCase, code_in, wait_for

NUMBER = "+821012345678"
SENS = {
    "SMS_SENS_SERVICE_ID": "ncp:sms:kr:000000000000:demo",
    "SMS_SENS_ACCESS_KEY": "AKDEMO",
    "SMS_SENS_SECRET_KEY": "SKDEMO-of-the-test",
    "SMS_SENS_FROM": "02-1234-5678",
}
SOLAPI = {
    "SMS_SOLAPI_API_KEY": "KEYDEMO",
    "SMS_SOLAPI_API_SECRET": "SECRETDEMO-of-the-test",
    "SMS_SOLAPI_FROM": "1588-1234",
}
TWILIO = {
    **support.TWILIO,
    "SMS_TWILIO_STATUS_CALLBACK_URL": "https://phone.example/v1/receipts/twilio",
}


class FakeSENS:
    """Accepts or refuses messages, and has their receipts."""

    def __init__(self, status="COMPLETED", code="0", name="success"):
        self.sent, self.asked, self.faults, self.refusal = [], [], [], None
        self.result = {"status": status, "statusCode": code, "statusName": name}

    def __call__(self, request):
        text = f"{request.method} {request.path}\n{request.headers['x-ncp-apigw-timestamp']}\nAKDEMO"
        wanted = hmac.new(SENS["SMS_SENS_SECRET_KEY"].encode(), text.encode(), hashlib.sha256).digest()
        if request.headers["x-ncp-apigw-signature-v2"] != base64.b64encode(wanted).decode():
            self.faults.append(request.path)
            return 401, '{"error":{"errorCode":"200"}}'
        if request.method == "GET":
            [identifier] = urllib.parse.parse_qs(urllib.parse.urlsplit(request.path).query)["requestId"]
            self.asked.append(identifier)
            return 200, json.dumps({"messages": [{"requestId": identifier, "messageId": "m", **self.result}]})
        if self.refusal:
            return self.refusal, "{}"
        self.sent.append(request.json)
        answer = {"requestId": f"RSSA-{len(self.sent)}", "statusCode": "202", "statusName": "success"}
        return 202, json.dumps(answer)


class FakeSolapi:
    """Accepts messages, and has their receipts."""

    def __init__(self, code="4000"):
        self.sent, self.asked, self.faults, self.code = [], [], [], code

    def __call__(self, request):
        scheme, rest = request.headers["Authorization"].split(" ", 1)
        fields = dict(part.split("=", 1) for part in rest.split(", "))
        text = fields["date"] + fields["salt"]
        wanted = hmac.new(SOLAPI["SMS_SOLAPI_API_SECRET"].encode(), text.encode(), hashlib.sha256).hexdigest()
        if (scheme, fields["apiKey"], fields["signature"]) != ("HMAC-SHA256", "KEYDEMO", wanted):
            self.faults.append(request.path)
            return 401, '{"errorCode":"SignatureDoesNotMatch"}'
        if request.method == "GET":
            query = urllib.parse.parse_qs(urllib.parse.urlsplit(request.path).query)
            names = [value for name, [value] in query.items() if name.startswith("messageIds[")]
            self.asked += names
            found = {name: {"messageId": name, "type": "SMS", "statusCode": self.code} for name in names}
            return 200, json.dumps({"messageList": found})
        self.sent += request.json["messages"]
        message = {"messageId": f"M4V{len(self.sent)}", "statusCode": "2000"}
        return 200, json.dumps({"failedMessageList": [], "groupInfo": {}, "messageList": [message]})


class KoreanGatewayTests(ServiceTestCase):
    settings = {"LOCALE_LANGUAGE": "ko"}

    def vendor(self, answer):
        return self.enter(Peer(answer)).url

    def begin(self, server):
        return server.client.begin(NUMBER).json["id"]

    def check(self, server, identifier, code):
        answer = server.client.check(identifier, code)
        self.assertEqual(answer.json["status"], "approved")

    def assertQuiet(self, server, *secrets):
        for secret in secrets:
            self.assertNotIn(secret, server.log_text)

    def test_sens_sends_and_reports_the_delivery(self):
        sens = FakeSENS()
        server = self.serve(SMS_GATEWAY="sens", SMS_SENS_BASE_URL=self.vendor(sens), **SENS)
        identifier = self.begin(server)
        wait_for(lambda: "delivered" in self.outbox_table(), "the receipt")
        [message] = sens.sent
        self.assertEqual(
            (message["type"], message["contentType"], message["countryCode"], message["from"], message["messages"]),
            ("SMS", "COMM", "82", "0212345678", [{"to": "01012345678"}]),
        )
        code = code_in(message["content"])
        self.check(server, identifier, code)
        self.assertEqual((sens.faults, sens.asked), ([], ["RSSA-1"]))
        self.assertQuiet(server, SENS["SMS_SENS_SECRET_KEY"], code, "01012345678", "1012345678")

    def test_solapi_sends_what_sens_refuses_and_reports_the_loss(self):
        sens, solapi = FakeSENS(), FakeSolapi(code="3043")
        sens.refusal = 400
        server = self.serve(
            SMS_GATEWAY="sens,solapi", SMS_SENS_BASE_URL=self.vendor(sens),
            SMS_SOLAPI_BASE_URL=self.vendor(solapi), **SENS, **SOLAPI,
        )
        identifier = self.begin(server)
        wait_for(lambda: "lost in transit (3043)" in self.outbox_table(), "the receipt")
        [message] = solapi.sent
        self.assertEqual(
            {key: value for key, value in message.items() if key != "text"},
            {"to": "01012345678", "from": "15881234", "type": "SMS", "country": "82", "autoTypeDetect": False},
        )
        self.check(server, identifier, code_in(message["text"]))
        self.assertEqual((sens.faults, sens.sent, solapi.faults, solapi.asked), ([], [], [], ["M4V1"]))

    def test_a_code_goes_to_kakaotalk_first(self):
        solapi = FakeSolapi()
        path = self.write(
            "settings.yaml",
            "sms:\n  solapi:\n    alimtalk:\n      channel_id: KA01PF1\n      template_id: KA01TP1\n"
            '      variables: ["#{인증번호}={{code}}", "#{서비스}={{service}} {{minutes}}"]\n',
        )
        server = self.serve(
            command=("serve", "--config", path), SMS_GATEWAY="solapi", LOCALE_LANGUAGE=None,
            SMS_SOLAPI_BASE_URL=self.vendor(solapi), MESSAGES_SERVICE_NAME="Acme", **SOLAPI,
        )
        identifier = self.begin(server)
        [message] = wait_for(lambda: solapi.sent, "the message")
        options, [instead] = message["kakaoOptions"], message["replacements"]
        code = options["variables"]["#{인증번호}"]
        self.assertEqual(
            (message["type"], options["pfId"], options["templateId"], options["disableSms"]),
            ("ATA", "KA01PF1", "KA01TP1", False),
        )
        self.assertEqual(options["variables"]["#{서비스}"], "Acme 10")
        self.assertEqual((instead["to"], code_in(instead["text"])), ("01012345678", code))
        self.check(server, identifier, code)
        self.assertQuiet(server, code, SOLAPI["SMS_SOLAPI_API_SECRET"])

    def report(self, server, fields, signed=None, address=TWILIO["SMS_TWILIO_STATUS_CALLBACK_URL"], **headers):
        text = address + "".join(name + value for name, value in sorted((signed or fields).items()))
        token = TWILIO["SMS_TWILIO_AUTH_TOKEN"].encode()
        signature = base64.b64encode(hmac.new(token, text.encode(), hashlib.sha1).digest()).decode()
        return server.client.post_form("/v1/receipts/twilio", fields, **{"X-Twilio-Signature": signature, **headers})

    def test_twilio_reports_and_nobody_else(self):
        sent = []

        def answer(request):
            sent.append(urllib.parse.parse_qs(request.body))
            return 201, json.dumps({"sid": "SM" + "0" * 32, "status": "queued"})

        server = self.serve(SMS_GATEWAY="twilio", SMS_TWILIO_BASE_URL=self.vendor(answer), **TWILIO)
        self.begin(server)
        wait_for(lambda: "SM" + "0" * 32 in self.run_program("outbox", "list", "--json")[1], "the message")
        self.assertEqual(sent[0]["StatusCallback"], [TWILIO["SMS_TWILIO_STATUS_CALLBACK_URL"]])
        report = {"MessageSid": "SM" + "0" * 32, "MessageStatus": "delivered", "To": NUMBER, "New": "x"}
        for answer in [
            self.report(server, report, signed={**report, "MessageStatus": "sent"}),
            self.report(server, report, address="https://evil.example/v1/receipts/twilio", Host="evil.example"),
        ]:
            self.assertEqual((answer.status, answer.json["code"]), (403, "signature_invalid"))
        self.assertNotIn("delivered", self.outbox_table())
        self.assertEqual(self.report(server, report).status, 204)
        self.assertIn("delivered", self.outbox_table())
        self.assertQuiet(server, TWILIO["SMS_TWILIO_AUTH_TOKEN"], "1012345678")
