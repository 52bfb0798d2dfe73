"""A service that sends by vendors abroad, whom the tests play, and Amazon, whom moto plays."""

import json
import os
import re
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from peer import Peer
from pypi import installed
from support import ROOT, ServiceTestCase, code_in, wait_for

NUMBER = "+821012345678"
SNS = {
    "SMS_SNS_REGION": "ap-northeast-2",
    "SMS_SNS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE",
    "SMS_SNS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
}
VONAGE = {"SMS_VONAGE_API_KEY": "abcd1234", "SMS_VONAGE_API_SECRET": "s3cret-of-it", "SMS_VONAGE_FROM": "Acme"}
HTTP = {
    "SMS_HTTP_BODY": '{"to": "{{to_national}}", "text": "{{body}}", "reference": "{{id}}"}',
    "SMS_HTTP_HEADERS": "Authorization: Bearer {{secret}}",
    "SMS_HTTP_SECRET": "s3cret-of-it",
    "SMS_HTTP_ANSWER_SUCCESS_POINTER": "/result/ok",
    "SMS_HTTP_ANSWER_SUCCESS_VALUES": "true",
    "SMS_HTTP_ANSWER_ID_POINTER": "/result/id",
    "SMS_HTTP_ANSWER_CODE_POINTER": "/result/code",
    "SMS_HTTP_ANSWER_REFUSE_CODES": "17,18",
}


class Moto:
    """Amazon on a port that the system gives."""

    def __init__(self):
        packages = installed(ROOT / "Tests/EndToEnd/Requirements/moto-requirements.txt", "moto")
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"],
            env={**kept, "PYTHONPATH": str(packages), "PYTHONUNBUFFERED": "1", "NO_COLOR": "1"},
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )
        seen = []
        for line in self.process.stderr:
            seen.append(line)
            if found := re.search(r"Running on http://127\.0\.0\.1:(\d+)", line):
                self.port = int(found.group(1))
                break
        else:
            self.process.wait()
            raise AssertionError(f"moto does not run: {''.join(seen)}")

    def messages(self):
        """The text messages that its SNS has published."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/moto-api/data.json", timeout=30) as answer:
            return json.load(answer).get("sns", {}).get("SMS", [])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()


class GatewayTests(ServiceTestCase):
    def vendor(self, answer):
        return self.enter(Peer(answer))

    def begin(self, server, number=NUMBER):
        begun = server.client.begin(number)
        self.assertEqual(begun.status, 201, begun.text)
        return begun.json["id"]

    def check(self, server, verification, body):
        """The code that came by a vendor is the right one; nothing of it is in the log, nor any secret."""
        code = code_in(body)
        checked = server.client.check(verification, code)
        self.assertEqual((checked.status, checked.json["status"]), (200, "approved"), checked.text)
        self.assertEqual(server.stop(), 0)
        secrets = [code, "1012345678", "10-1234-5678", "s3cret-of-it", SNS["SMS_SNS_SECRET_ACCESS_KEY"]]
        for secret in secrets:
            self.assertNotIn(secret, server.log_text)

    def test_amazon_has_the_message(self):
        moto = self.enter(Moto())
        server = self.serve(SMS_GATEWAY="sns", SMS_SNS_BASE_URL=f"http://127.0.0.1:{moto.port}", **SNS)
        verification = self.begin(server)
        [message] = wait_for(moto.messages, "a message")
        self.assertEqual(message["phone_number"], NUMBER)
        wait_for(lambda: message["message_id"] in str(self.outbox()), "the receipt")
        self.check(server, verification, message["message"])

    def test_vonage_has_the_message(self):
        taken = '{"message-count":"1","messages":[{"status":"0","message-id":"0A00000012345678"}]}'
        vendor = self.vendor(lambda _: (200, taken))
        server = self.serve(SMS_GATEWAY="vonage", SMS_VONAGE_BASE_URL=vendor.url, LOCALE_LANGUAGE="ko", **VONAGE)
        verification = self.begin(server)
        wait_for(lambda: "0A00000012345678" in str(self.outbox()), "the receipt")
        [request] = vendor.requests
        self.assertEqual((request.method, request.path), ("POST", "/sms/json"))
        self.assertEqual(request.headers["Authorization"], "Basic YWJjZDEyMzQ6czNjcmV0LW9mLWl0")
        form = request.form
        self.assertEqual((form["from"], form["to"], form["type"]), ("Acme", NUMBER[1:], "unicode"))
        self.check(server, verification, form["text"])

    def test_a_vendor_that_needs_configuration_only_has_the_message(self):
        vendor = self.vendor(lambda _: (201, '{"result": {"ok": true, "id": "v-77"}}'))
        server = self.serve(SMS_GATEWAY="http", SMS_HTTP_URL=f"{vendor.url}/v1?account=7", **HTTP)
        verification = self.begin(server)
        wait_for(lambda: "v-77" in str(self.outbox()), "the receipt")
        [request] = vendor.requests
        self.assertEqual((request.method, request.path), ("POST", "/v1?account=7"))
        self.assertEqual((request.headers["Authorization"], request.headers["Content-Type"]), ("Bearer s3cret-of-it", "application/json"))
        sent = request.json
        self.assertEqual(sent["to"], "01012345678")
        self.assertRegex(sent["reference"], "^msg_[0-9a-f]{32}$")
        self.check(server, verification, sent["text"])

    def reported(self, vendor, path):
        """The requests by which a vendor was notified that a code was entered."""
        return [request for request in vendor.requests if path in request.path]

    def approve(self, server):
        """A number that is proven by the message that its vendor has."""
        verification = self.begin(server)
        wait_for(lambda: [message["status"] for message in self.outbox()] == ["sent"], "the acceptance")
        return verification

    def amazon(self, **changes):
        """What the environment of a role has, and AWS End User Messaging, after Amazon's documents."""
        sent = []

        def answer(request):
            if request.path == "/role":
                self.assertEqual(request.headers["Authorization"], "r0le-t0ken")
                end = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3600))
                keys = {"AccessKeyId": "ASIAEXAMPLE01", "SecretAccessKey": "s3cret-of-it", "Token": "s3ssion"}
                return 200, {**keys, "Expiration": end}
            self.assertRegex(
                request.headers["Authorization"],
                r"^AWS4-HMAC-SHA256 Credential=ASIAEXAMPLE01/\d{8}/ap-northeast-2/sms-voice/aws4_request, "
                r"SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, Signature=[0-9a-f]{64}$",
            )
            self.assertEqual(request.headers["X-Amz-Security-Token"], "s3ssion")
            sent.append((request.headers["X-Amz-Target"].partition(".")[2], request.json))
            name = request.json.get("MessageId") or f"a1b2c3d4-{len(sent)}"
            return 200, {"MessageId": name, **changes}

        vendor = self.vendor(answer)
        variables = {
            "AWS_CONTAINER_CREDENTIALS_FULL_URI": f"{vendor.url}/role",
            "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": str(self.write("role", "r0le-t0ken\n")),
        }
        settings = {
            "SMS_GATEWAY": "aws", "SMS_AWS_REGION": "ap-northeast-2", "SMS_AWS_BASE_URL": vendor.url,
            "SMS_AWS_ORIGINATION_IDENTITY": "pool-1", "SMS_AWS_CONFIGURATION_SET": "codes", "SMS_AWS_FEEDBACK": "true",
            "SMS_AWS_RECEIPTS_SECRET": "r3ceipts-of-this-test",
        }
        return vendor, sent, {**settings, "variables": variables}

    def event(self, server, body, token="r3ceipts-of-this-test"):
        """What SNS posts, which declares its JSON as text."""
        url = f"http://127.0.0.1:{server.port}/v1/receipts/aws?token={token}"
        headers = {"Content-Type": "text/plain; charset=UTF-8", "x-amz-sns-message-type": body.get("Type", "")}
        request = urllib.request.Request(url, json.dumps(body).encode(), headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    def test_amazon_has_messages_by_a_role_and_reports_on_them_and_learns_of_an_entered_code(self):
        vendor, sent, settings = self.amazon()
        server = self.serve(**settings)
        verification = self.approve(server)
        [(action, message)] = sent
        self.assertEqual(action, "SendTextMessage")
        code = code_in(message.pop("MessageBody"))
        self.assertEqual(message, {
            "DestinationPhoneNumber": NUMBER, "MessageType": "TRANSACTIONAL", "OriginationIdentity": "pool-1",
            "ConfigurationSetName": "codes", "MessageFeedbackEnabled": True,
        })
        event = {"eventType": "TEXT_DELIVERED", "isFinal": True, "messageId": "a1b2c3d4-1", "messageStatus": "DELIVERED"}
        notification = {"Type": "Notification", "TopicArn": "arn:aws:sns:x", "Message": json.dumps(event)}
        self.assertEqual(self.event(server, notification, token="another-of-16-letters"), 403)
        self.assertEqual([message["status"] for message in self.outbox()], ["sent"])
        self.assertEqual(self.event(server, notification), 204)
        self.assertEqual([message["status"] for message in self.outbox()], ["delivered"])
        elsewhere = {"Type": "SubscriptionConfirmation", "SubscribeURL": f"{vendor.url}/?Action=ConfirmSubscription"}
        self.assertEqual(self.event(server, elsewhere), 400)
        self.assertFalse(self.reported(vendor, "ConfirmSubscription"))
        checked = server.client.check(verification, code)
        self.assertEqual((checked.status, checked.json["status"]), (200, "approved"), checked.text)
        wait_for(lambda: len(sent) == 2, "the feedback")
        self.assertEqual(sent[1], ("PutMessageFeedback", {"MessageId": "a1b2c3d4-1", "MessageFeedbackStatus": "RECEIVED"}))
        # The credentials of the role were fetched once for all of it.
        self.assertEqual(len(self.reported(vendor, "/role")), 1)
        self.assertEqual(server.stop(), 0)
        for secret in [code, "1012345678", "s3cret-of-it", "s3ssion", "r0le-t0ken", "r3ceipts"]:
            self.assertNotIn(secret, server.log_text)

    def test_twilio_learns_of_an_entered_code_though_it_was_down_and_the_service_was_killed(self):
        sid = "SM" + 32 * "1"
        is_up = threading.Event()

        def answer(request):
            if "Feedback" in request.path:
                return (201, {"message_sid": sid, "outcome": "confirmed"}) if is_up.is_set() else 503
            self.assertEqual(request.form["ProvideFeedback"], "true")
            return 201, {"sid": sid, "status": "queued", "error_code": None}

        vendor = self.vendor(answer)
        account = "AC" + 32 * "0"
        settings = {
            "SMS_GATEWAY": "twilio", "SMS_TWILIO_ACCOUNT_SID": account, "SMS_TWILIO_AUTH_TOKEN": "s3cret-of-it",
            "SMS_TWILIO_FROM": "+15005550006", "SMS_TWILIO_BASE_URL": vendor.url, "SMS_TWILIO_FEEDBACK": "true",
        }
        server = self.serve(**settings)
        verification = self.approve(server)
        code = code_in(vendor.requests[0].form["Body"])
        wrong = server.client.check(verification, "000000" if code != "000000" else "000001")
        self.assertEqual(wrong.status, 422)
        checked = server.client.check(verification, code)
        self.assertEqual((checked.status, checked.json["status"]), (200, "approved"), checked.text)
        [request] = wait_for(lambda: self.reported(vendor, "Feedback"), "the feedback")
        self.assertEqual(request.path, f"/2010-04-01/Accounts/{account}/Messages/{sid}/Feedback.json")
        self.assertEqual(request.form, {"Outcome": "confirmed"})
        server.kill()
        is_up.set()
        server = self.serve(**settings)
        wait_for(lambda: len(self.reported(vendor, "Feedback")) > 1, "the feedback again")
        wait_for(lambda: 'feedback_total{gateway="twilio",outcome="accepted"} 1' in server.client.call("GET", "/metrics").text, "its count")
        # Which an operator sees at the message.
        wait_for(lambda: [each["feedback"] for each in self.outbox()] == ["accepted"], "its answer at the message")
        self.assertEqual(server.stop(), 0)
        self.assertEqual(len(self.reported(vendor, "Feedback")), 2)
