"""The recipes of the article on vendors with templates, as they stand there. The vendors are played after their
documentation, and verify what is signed by themselves."""

import base64
import datetime
import hashlib
import hmac
import json
import re
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

from peer import Peer
from recipes import RecipeTestCase
from support import MODULES, ServiceTestCase, code_in, wait_for

KOREA, CHINA, INDIA, IRAN = "+821012345678", "+8613812345678", "+919876543210", "+989123456789"
# One that takes any text.
OTHER = "    other: {kind: http, url: 'http://127.0.0.1:9/', body: '{\"to\": \"{{to}}\", \"text\": \"{{body}}\"}'}\n"


def hexadecimal(text):
    return hashlib.sha256(text if isinstance(text, bytes) else text.encode()).hexdigest()


def mac(key, text):
    return hmac.new(key if isinstance(key, bytes) else key.encode(), text.encode(), hashlib.sha256).digest()


def authorization(request, algorithm, separator):
    """The parts of such a header."""
    scheme, rest = request.headers["Authorization"].split(" ", 1)
    assert scheme == algorithm, scheme
    return dict(part.split("=", 1) for part in rest.split(separator))


def canonical(request, names, lower=()):
    """Method, path, sorted query, signed headers, their names, and the digest of the body."""
    path, _, query = request.path.partition("?")
    pairs = sorted(urllib.parse.parse_qsl(query, keep_blank_values=True, strict_parsing=True)) if query else []
    quote = lambda text: urllib.parse.quote(text, safe="-_.~")
    values = [(name, request.headers[name].strip()) for name in names.split(";")]
    fields = [f"{name}:{value.lower() if name in lower else value}\n" for name, value in values]
    query = "&".join(f"{quote(name)}={quote(value)}" for name, value in pairs)
    return "\n".join([request.method, path, query, "".join(fields), names, hexadecimal(request.bytes)])


def aliyun_signature(request, names, secret):
    """https://www.alibabacloud.com/help/en/sdk/product-overview/v3-request-structure-and-signature"""
    return mac(secret, "ACS3-HMAC-SHA256\n" + hexadecimal(canonical(request, names))).hex()


def tencent_signature(request, names, secret, service, moment):
    """https://cloud.tencent.com/document/api/213/30654"""
    day = datetime.datetime.fromtimestamp(moment, datetime.timezone.utc).strftime("%Y-%m-%d")
    key = mac(mac(mac("TC3" + secret, day), service), "tc3_request")
    text = hexadecimal(canonical(request, names, lower=("x-tc-action",)))
    return mac(key, f"TC3-HMAC-SHA256\n{moment}\n{day}/{service}/tc3_request\n{text}").hex()


class Example:
    """A request of a vendor's documentation."""

    def __init__(self, path, headers, body=""):
        self.method, self.path, self.headers, self.bytes = "POST", path, headers, body.encode()


class PlayerTests(unittest.TestCase):
    """What the players verify with agrees with the vendors' own examples."""

    def test_aliyun(self):
        request = Example(
            "/?ImageId=win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd&RegionId=cn-shanghai",
            {
                "host": "ecs.cn-shanghai.aliyuncs.com", "x-acs-action": "RunInstances", "x-acs-version": "2014-05-26",
                "x-acs-content-sha256": hexadecimal(""), "x-acs-date": "2023-10-26T10:22:32Z",
                "x-acs-signature-nonce": "3156853299f313e23d1673dc12e1703d",
            },
        )
        names = "host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version"
        expected = "06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0"
        self.assertEqual(aliyun_signature(request, names, "YourAccessKeySecret"), expected)

    def test_tencent(self):
        body = r'{"Limit": 1, "Filters": [{"Values": ["\u672a\u547d\u540d"], "Name": "instance-name"}]}'
        headers = {"content-type": "application/json; charset=utf-8", "host": "cvm.tencentcloudapi.com"}
        secret, expected = "Gu5t9xGARNpq86cd98joQYCN3*******", "2230eefd229f582d8b1b891af7107b91597240707d778ab3738f756258d7652c"
        made = tencent_signature(Example("/", headers, body), "content-type;host", secret, "cvm", 1551113065)
        self.assertEqual(made, expected)


class VendorTests(RecipeTestCase):
    article = MODULES["phoneproof"] / "phoneproof.docc" / "Delivery" / "Vendors.md"
    settings = {"VERIFICATION_ALLOWED_REGIONS": "KR,CN,IN,IR"}

    def vendor(self, answer):
        return self.enter(Peer(answer))

    def sent(self, server, vendor, number, **body):
        """The verification, and the one request that the vendor has of it."""
        verification = self.begin(server, number, **body)
        wait_for(lambda: vendor.requests, "the message")
        wait_for(lambda: self.statuses()[0] in ("sent", "delivered", "failed"), "the result")
        self.assertEqual(len([request for request in vendor.requests if request.method == "POST"]), 1)
        return verification, vendor.requests[0]

    def report(self, server, name, content, token=None):
        url = f"http://127.0.0.1:{server.port}/v1/receipts/{name}?token={token or self.secret}"
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(url, json.dumps(content).encode(), headers, method="POST")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.read().decode()

    def check(self, server, verification, code):
        """The code is right, and nowhere but in the request."""
        super().check(server, verification, code)
        shown = self.done("outbox", "list", "--json") + self.done("gateways", "list", "--json") + self.done("audit", "--json")
        self.assertNotIn(code, shown)
        self.assertEqual(server.stop(), 0)
        self.assertNotIn(code, server.log_text)

    def aliyun(self, secret, times):
        def answer(request):
            parts = authorization(request, "ACS3-HMAC-SHA256", ",")
            self.assertEqual(parts["Credential"], "LTAI5tExampleKeyID")
            # All of these must be signed.
            signed = sorted(name.lower() for name in request.headers if name.lower().startswith("x-acs-")) + ["host"]
            self.assertEqual(parts["SignedHeaders"].split(";"), sorted(signed))
            moment = datetime.datetime.strptime(request.headers["x-acs-date"], "%Y-%m-%dT%H:%M:%SZ")
            age = time.time() - moment.replace(tzinfo=datetime.timezone.utc).timestamp()
            expected = aliyun_signature(request, parts["SignedHeaders"], secret)
            if not hmac.compare_digest(parts["Signature"], expected) or abs(age) > 900:
                return 400, {"Code": "SignatureDoesNotMatch", "Message": "…", "RequestId": "1"}
            if request.headers["x-acs-signature-nonce"] in times or len(request.headers["x-acs-signature-nonce"]) != 32:
                return 400, {"Code": "SignatureNonceUsed", "Message": "…", "RequestId": "1"}
            times.append(request.headers["x-acs-signature-nonce"])
            return 200, {"Code": "OK", "Message": "OK", "BizId": "900619746936498440^0", "RequestId": "F655A8D5"}

        return answer

    def test_aliyun_has_a_signed_request_and_its_reports_are_taken(self):
        vendor, collector = self.vendor(self.aliyun(self.secret, [])), self.vendor(lambda _: 200)
        server = self.recipe(
            "aliyun", {"https://dysmsapi.aliyuncs.com": vendor.url}, LOG_LEVEL="trace",
            TRACING_OTLP_ENDPOINT=collector.url, TRACING_SAMPLE_RATIO=1,
        )
        verification, request = self.sent(server, vendor, CHINA)
        self.assertEqual((request.headers["x-acs-action"], request.headers["x-acs-version"]), ("SendSms", "2017-05-25"))
        query = dict(urllib.parse.parse_qsl(request.path.partition("?")[2], strict_parsing=True))
        code = json.loads(query.pop("TemplateParam"))["code"]
        wanted = {"PhoneNumbers": CHINA[1:], "SignName": "阿里云", "TemplateCode": "SMS_154950909"}
        self.assertEqual((query, request.body), (wanted, ""))
        content = [{"phone_number": CHINA[3:], "success": True, "err_code": "DELIVERED", "biz_id": "900619746936498440^0"}]
        self.assertEqual(self.report(server, "aliyun", content), (200, '{"code": 0}'))
        self.assertEqual(self.statuses(), ["delivered"])
        self.check(server, verification, code)
        exported = b"".join(request.bytes for request in collector.requests)
        self.assertIn(b"phoneproof.send", exported)
        self.assertNotIn(code.encode(), exported)

    def tencent(self, secret):
        def answer(request):
            parts = authorization(request, "TC3-HMAC-SHA256", ", ")
            moment = int(request.headers["X-TC-Timestamp"])
            day = datetime.datetime.fromtimestamp(moment, datetime.timezone.utc).strftime("%Y-%m-%d")
            self.assertEqual(parts["Credential"], f"AKIDExampleSecretID/{day}/sms/tc3_request")
            expected = tencent_signature(request, parts["SignedHeaders"], secret, "sms", moment)
            if not hmac.compare_digest(parts["Signature"], expected) or abs(time.time() - moment) > 300:
                error = {"Code": "AuthFailure.SignatureFailure", "Message": "…"}
                return 200, {"Response": {"Error": error, "RequestId": "ed93f3cb"}}
            status = {"SerialNo": "5000:1045710669157053657849499619", "PhoneNumber": request.json["PhoneNumberSet"][0]}
            if status["PhoneNumber"] != CHINA:
                status = {**status, "SerialNo": "", "Code": "InvalidParameterValue.IncorrectPhoneNumber"}
            return 200, {"Response": {"SendStatusSet": [{"Code": "Ok", "Fee": 1, **status}], "RequestId": "a0aabda6"}}

        return answer

    def test_tencent_has_a_signed_request(self):
        vendor = self.vendor(self.tencent(self.secret))
        server = self.recipe("tencent", {"https://sms.tencentcloudapi.com": vendor.url}, LOG_LEVEL="trace")
        verification, request = self.sent(server, vendor, CHINA)
        self.assertEqual((request.method, request.path), ("POST", "/"))
        self.assertEqual((request.headers["X-TC-Action"], request.headers["X-TC-Version"]), ("SendSms", "2021-01-11"))
        body = request.json
        code, minutes = body.pop("TemplateParamSet")
        wanted = {"SmsSdkAppId": "1400006666", "SignName": "腾讯云", "TemplateId": "449739", "PhoneNumberSet": [CHINA]}
        self.assertEqual((body, minutes), (wanted, "10"))
        content = [{"mobile": CHINA[3:], "nationcode": "86", "report_status": "SUCCESS", "errmsg": "DELIVRD"}]
        content[0]["sid"] = "5000:1045710669157053657849499619"
        self.assertEqual(self.report(server, "tencent", content), (200, '{"result": 0}'))
        self.assertEqual(self.statuses(), ["delivered"])
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.report(server, "tencent", content, token="guessed-16-characters")
        self.assertEqual(refused.exception.code, 403)
        self.check(server, verification, code)

    def test_tencent_refuses_another_secret_and_a_bad_number(self):
        for secret, number, error in [
            ("an0ther-secret", CHINA, "the gateway refused the message (200, AuthFailure.SignatureFailure)"),
            # Of which the code is longer than what is kept.
            (self.secret, KOREA, "the gateway refused the number (200)"),
        ]:
            with self.subTest(error):
                self.folder = self.new_folder()
                vendor = self.vendor(self.tencent(secret))
                server = self.recipe("tencent", {"https://sms.tencentcloudapi.com": vendor.url})
                self.sent(server, vendor, number)
                self.assertEqual(self.statuses(), ["failed"])
                self.assertIn(error, self.outbox()[0]["failure"])

    def test_msg91_has_the_template_of_the_language(self):
        vendor = self.vendor(lambda _: (200, {"type": "success", "message": "3763646c3058373530393938"}))
        server = self.recipe("msg91", {"https://control.msg91.com": vendor.url})
        verification, request = self.sent(server, vendor, INDIA, locale="hi-IN")
        self.assertEqual((request.path, request.headers["authkey"]), ("/api/v5/flow", self.secret))
        [recipient] = request.json.pop("recipients")
        self.assertEqual(request.json["template_id"], "64a1e2d0d6fc05123456789b")
        self.assertEqual(recipient["mobiles"], INDIA[1:])
        content = {"requestId": "3763646c3058373530393938", "status": "1", "desc": "DELIVERED", "number": INDIA[1:]}
        self.assertEqual(self.report(server, "msg91", content)[0], 204)
        self.assertEqual(self.statuses(), ["delivered"])
        self.check(server, verification, recipient["otp"])

    def test_kavenegar_has_the_key_in_the_path(self):
        def answer(request):
            if request.form["receptor"] != "09123456789":
                return 411, {"return": {"status": 411, "message": "…"}, "entries": None}
            return 200, {"return": {"status": 200, "message": "…"}, "entries": [{"messageid": 8792343, "status": 5}]}

        vendor = self.vendor(answer)
        server = self.recipe("kavenegar", {"https://api.kavenegar.com": vendor.url}, LOG_LEVEL="trace")
        verification, request = self.sent(server, vendor, IRAN, locale="fa")
        self.assertEqual(request.path, f"/v1/{self.secret}/verify/lookup.json")
        form = request.form
        code = form.pop("token")
        self.assertEqual(form, {"receptor": "09123456789", "template": "login-fa"})
        self.assertEqual([message["gateway_message_id"] for message in self.outbox()], ["8792343"])
        self.begin(server, KOREA)
        wait_for(lambda: self.statuses()[0] == "failed", "the refusal")
        self.check(server, verification, code)

    def test_plivo_verify_sends_our_code(self):
        def answer(_):
            session = "8e712097-8090-4644-81e7-8f4265d8354e"
            return 202, {"api_id": "3335cb16", "message": "Session initiated", "session_uuid": session}

        vendor = self.vendor(answer)
        server = self.recipe("plivo", {"https://api.plivo.com": vendor.url}, secret="MAXX:t0ken")
        verification, request = self.sent(server, vendor, KOREA)
        self.assertEqual(request.path, "/v1/Account/MAXXXXXXXXXXXXXXXXXX/Verify/Session/")
        self.assertEqual(request.headers["Authorization"], "Basic " + base64.b64encode(b"MAXX:t0ken").decode())
        body = request.json
        code = body.pop("otp")
        app = "bd772d6d-7882-4e77-b2b1-d84c7f73713a"
        self.assertEqual(body, {"app_uuid": app, "channel": "sms", "recipient": KOREA[1:]})
        self.check(server, verification, code)

    def test_twilio_verify_sends_our_code(self):
        def answer(request):
            if request.form.get("Status") == "approved":
                return 200, {"sid": "VE" + 32 * "a", "status": "approved"}
            if request.form["To"] == KOREA:
                return 201, {"sid": "VE" + 32 * "a", "to": KOREA, "channel": "sms", "status": "pending", "valid": False}
            return 403, {"code": 60410, "message": "Verification delivery attempt blocked", "status": 403}

        vendor = self.vendor(answer)
        server = self.recipe(
            "verify", {"https://verify.twilio.com": vendor.url}, secret="ACXX:t0ken", VERIFICATION_RESEND_COOLDOWNS_SECONDS=0,
        )
        verification, request = self.sent(server, vendor, KOREA)
        self.assertEqual(request.path, f"/v2/Services/VA{32 * '0'}/Verifications")
        self.assertEqual(request.headers["Authorization"], "Basic " + base64.b64encode(b"ACXX:t0ken").decode())
        form = request.form
        code = form.pop("CustomCode")
        self.assertEqual(form, {"To": KOREA, "Channel": "sms"})
        # Twilio goes on with the verification that is pending, and names the second message like the first.
        resent = server.client.begin(KOREA)
        self.assertEqual((resent.status, resent.json["id"]), (200, verification), resent.text)
        wait_for(lambda: len(vendor.requests) == 2 and self.statuses() == ["sent", "sent"], "the second message")
        self.assertEqual(vendor.requests[1].form["CustomCode"], code)
        self.begin(server, INDIA)
        wait_for(lambda: self.statuses()[0] == "failed", "the refusal")
        checked = server.client.check(verification, code)
        self.assertEqual((checked.status, checked.json["status"]), (200, "approved"), checked.text)
        wait_for(lambda: len(vendor.requests) == 4, "the feedback")
        feedback = vendor.requests[-1]
        self.assertEqual(feedback.path, f"/v2/Services/VA{32 * '0'}/Verifications/VE{32 * 'a'}")
        self.assertEqual(feedback.headers["Authorization"], request.headers["Authorization"])
        self.assertEqual(feedback.form, {"Status": "approved"})

    def test_a_reseller_of_whatsapp_has_the_template(self):
        name = "wamid.HBgMODIxMDEyMzQ1Njc4FQIAERgSMTIzNDU2Nzg5MAA="
        vendor = self.vendor(lambda _: (200, {"messaging_product": "whatsapp", "messages": [{"id": name}]}))
        server = self.recipe("dialog", {"https://waba-v2.360dialog.io": vendor.url})
        verification, request = self.sent(server, vendor, KOREA, channel="whatsapp", locale="ko")
        self.assertEqual((request.path, request.headers["D360-API-KEY"]), ("/messages", self.secret))
        body = request.json
        self.assertEqual((body["to"], body["type"]), (KOREA, "template"))
        self.assertEqual((body["template"]["name"], body["template"]["language"]), ("login_code", {"code": "ko"}))
        codes = {part["parameters"][0]["text"] for part in body["template"]["components"]}
        statuses = [{"id": name, "status": "read", "recipient_id": KOREA[1:]}]
        content = {"object": "whatsapp_business_account", "entry": [{"changes": [{"value": {"statuses": statuses}}]}]}
        self.assertEqual(self.report(server, "dialog", content)[0], 204)
        self.assertEqual(self.statuses(), ["delivered"])
        [code] = codes
        self.check(server, verification, code)

    def test_rcs_goes_on_by_sms_once_vonage_reports_that_the_phone_has_none(self):
        """https://developer.vonage.com/en/api/messages, https://developer.vonage.com/en/messages/concepts/messages-status-callbacks"""
        name = "aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab"
        vendor, other = self.vendor(lambda _: (202, {"message_uuid": name})), self.vendor(lambda _: 200)
        more = OTHER.replace("http://127.0.0.1:9", other.url)
        server = self.recipe("vonage-rcs", {"https://api.nexmo.com": vendor.url, "sms:\n  gateways:\n": "sms:\n  gateways:\n" + more})
        verification, request = self.sent(server, vendor, KOREA)
        self.assertEqual(request.path, "/v1/messages")
        self.assertEqual(request.headers["Authorization"], "Basic " + base64.b64encode(self.secret.encode()).decode())
        body = request.json
        self.assertEqual(
            {name: body[name] for name in ("channel", "message_type", "from", "to")},
            {"channel": "rcs", "message_type": "text", "from": "AcmeAgent", "to": KOREA[1:]},
        )
        shown = server.client.call("GET", f"/v1/verifications/{verification}").json
        self.assertEqual((shown["channel"], shown["next_channels"], other.requests), ("rcs", ["sms"], []))
        status = {"message_uuid": name, "to": KOREA[1:], "from": "AcmeAgent", "channel": "rcs", "timestamp": "2026-11-28T09:00:00Z"}
        self.report(server, "vonage-rcs", {**status, "status": "submitted"})
        self.assertEqual(self.statuses(), ["sent"])
        self.report(server, "vonage-rcs", {**status, "status": "rejected", "error": {"title": 1380, "detail": "Not supported"}})
        [sms] = wait_for(lambda: other.requests, "the SMS")
        self.assertEqual(sms.json["text"], body["text"])
        self.check(server, verification, code_in(body["text"]))


TELEGRAM = """
sms:
  gateway: [telegram, other]
  telegram:
    access_token_file: {secret}
    ttl_seconds: 30
    callback_url: https://phone.example.com/v1/receipts/telegram
    base_url: {telegram}
    check_first: {check}
  gateways: {{other: {{kind: http, url: "{other}", body: '{{"to": "{{{{to}}}}", "text": "{{{{body}}}}"}}'}}}}
  channels: {{"*": [telegram, sms]}}
  fallback: take
"""


class TelegramTests(ServiceTestCase):
    """https://core.telegram.org/gateway/api"""

    token = "AAEAAAD-token_of_the_account"

    def telegram(self, request):
        """Telegram: it takes back and refunds what did not arrive in time, and charges for a check."""
        form = request.json
        if request.headers["Authorization"] != f"Bearer {self.token}":
            return 200, {"ok": False, "error": "ACCESS_TOKEN_INVALID"}
        if request.path == "/checkVerificationStatus":
            return 200, {"ok": True, "result": {"request_id": form["request_id"], "delivery_status": {"status": "sent"}}}
        if form["phone_number"] == INDIA:
            return 200, {"ok": False, "error": "PHONE_NUMBER_NOT_AVAILABLE"}
        if request.path == "/checkSendAbility":
            self.checks.append(form["phone_number"])
            return 200, {"ok": True, "result": {"request_id": f"9{len(self.checks)}", "request_cost": 0.01}}
        if "request_id" in form and form["request_id"] != f"9{len(self.checks)}":
            return 200, {"ok": False, "error": "REQUEST_ID_INVALID"}
        assert re.fullmatch("[0-9]{4,8}", form["code"]) and 30 <= form["ttl"] <= 3600
        result = {"request_id": form.get("request_id", "1043210998765"), "phone_number": form["phone_number"][1:], "request_cost": 0.01}
        return 200, {"ok": True, "result": result}

    def serving(self, check=False):
        self.checks = []
        self.vendor, self.other = self.enter(Peer(self.telegram)), self.enter(Peer())
        text = TELEGRAM.format(
            secret=self.write("token", self.token, mode=0o600), telegram=self.vendor.url, other=self.other.url,
            check=str(check).lower(),
        )
        return self.serve(command=("serve", "--config", self.write("telegram.yaml", text)), VERIFICATION_ALLOWED_REGIONS="KR,IN")

    def sent(self):
        return [request for request in self.vendor.requests if request.path == "/sendVerificationMessage"]

    def report(self, server, name, status, token=None, moment=None):
        content = {"request_id": name, "phone_number": KOREA[1:], "delivery_status": {"status": status, "updated_at": 1}, "is_refunded": True}
        body, moment = json.dumps(content), str(moment or int(time.time()))
        key = hashlib.sha256((token or self.token).encode()).digest()
        headers = {"X-Request-Timestamp": moment, "X-Request-Signature": mac(key, f"{moment}\n{body}").hex()}
        return server.client.call("POST", "/v1/receipts/telegram", body, **headers, **{"Content-Type": "application/json"})

    def test_a_message_that_does_not_arrive_in_time_is_followed_by_an_sms(self):
        server = self.serving()
        begun = server.client.begin(KOREA).json
        [request] = wait_for(self.sent, "the message")
        self.assertEqual(begun["channel"], "telegram")
        code = request.json["code"]
        expected = {"phone_number": KOREA, "code": code, "ttl": 30, "callback_url": "https://phone.example.com/v1/receipts/telegram"}
        self.assertEqual(request.json, expected)
        wait_for(lambda: [row["status"] for row in self.outbox()] == ["sent"], "its result")
        forged = [
            self.report(server, "1043210998765", "expired", token="other"),
            self.report(server, "1043210998765", "expired", moment=int(time.time()) - 7200),
            server.client.call("POST", "/v1/receipts/telegram", "{}", **{"Content-Type": "application/json"}),
        ]
        self.assertEqual([answer.status for answer in forged], [403] * 3)
        self.assertEqual(self.other.requests, [])
        answer = self.report(server, "1043210998765", "expired")
        # Telegram repeats what is answered by anything but 200.
        self.assertEqual(answer.status, 200)
        [sms] = wait_for(lambda: self.other.requests, "the SMS")
        self.assertIn(code, sms.json["text"])
        self.assertEqual(self.report(server, "1043210998765", "expired").status, 200)
        approved = server.client.check(begun["id"], code).json
        self.assertEqual((approved["status"], approved["channel"], len(self.other.requests)), ("approved", "sms", 1))
        self.assertEqual(self.checks, [])
        self.assertEqual(server.stop(), 0)
        for secret in (self.token, code):
            self.assertNotIn(secret, server.log_text)

    def test_who_is_not_on_telegram_has_an_sms_and_a_check_is_paid_once(self):
        server = self.serving(check=True)
        server.client.begin(INDIA)
        [sms] = wait_for(lambda: self.other.requests, "the SMS")
        self.assertEqual(([request.path for request in self.vendor.requests], sms.json["to"]), (["/checkSendAbility"], INDIA))
        begun = server.client.begin(KOREA).json
        [request] = wait_for(self.sent, "the message")
        self.assertEqual((request.json["request_id"], self.checks), ("91", [KOREA]))
        wait_for(lambda: self.outbox()[0]["status"] == "sent", "its result")
        self.assertEqual(self.report(server, "91", "delivered").status, 200)
        wait_for(lambda: self.outbox()[0]["status"] == "delivered", "the report")
        self.assertEqual(server.client.check(begun["id"], request.json["code"]).json["status"], "approved")
