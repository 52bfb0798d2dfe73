"""What Twilio's own library reads in the SMS stub's status callbacks."""

from messages import ACCOUNT, NUMBER, SENDER, TOKEN, MessagesTestCase
from peer import Peer
from support import wait_for
from twilio.request_validator import RequestValidator

SIGNATURE = "X-Twilio-Signature"


class CallbackTests(MessagesTestCase):
    def receiver(self, answer=lambda told: 204):
        return self.enter(Peer(answer))

    def told(self, receiver, count):
        """The first of what was posted, once so much has come."""
        return wait_for(lambda: receiver.requests[:] if len(receiver.requests) >= count else None, f"{count} callbacks")

    def test_each_change_is_reported_and_signed(self):
        receiver = self.receiver()
        url = receiver.url + "/status?from=phoneproof&name=%ED%99%8D"
        sent = self.send(status_callback=url)
        told = self.told(receiver, 3)
        common = {
            "MessageSid": sent.sid, "SmsSid": sent.sid, "AccountSid": ACCOUNT, "From": SENDER, "To": NUMBER,
            "ApiVersion": "2010-04-01",
        }
        done = sent.fetch().date_updated.strftime("%y%m%d%H%M")
        self.assertEqual([request.form for request in told], [
            {**common, "MessageStatus": "sending", "SmsStatus": "sending"},
            {**common, "MessageStatus": "sent", "SmsStatus": "sent"},
            {**common, "MessageStatus": "delivered", "SmsStatus": "delivered", "RawDlrDoneDate": done},
        ])
        validator = RequestValidator(TOKEN)
        for request in told:
            self.assertEqual(request.url, url)
            self.assertEqual(request.headers["Content-Type"], "application/x-www-form-urlencoded")
            signature = request.headers[SIGNATURE]
            self.assertIs(validator.validate(url, request.form, signature), True)
            self.assertIs(RequestValidator("another").validate(url, request.form, signature), False)
            self.assertIs(validator.validate(url + "0", request.form, signature), False)
            self.assertIs(validator.validate(url, {**request.form, "To": SENDER}, signature), False)
            self.assertIs(validator.validate(url, {**request.form, "Further": ""}, signature), False)

    def test_what_a_receiver_does_costs_nobody_else_anything(self):
        receiver = self.receiver()
        elsewhere = self.receiver(lambda told: (307, "", {"Location": receiver.url}))
        hanging = self.receiver(lambda told: "hang")
        self.send(status_callback=elsewhere.url)
        self.send(status_callback=hanging.url)
        self.send(status_callback="http://127.0.0.1:1/")
        self.told(elsewhere, 3)
        self.told(hanging, 1)
        sent = self.send(status_callback=receiver.url)
        # Nothing came by way of the redirect, and each was reported once.
        self.assertEqual([told.form["MessageSid"] for told in self.told(receiver, 3)], [sent.sid] * 3)
        self.assertEqual(len(elsewhere.requests), 3)
        self.assertEqual(len(hanging.requests), 1)
        self.assertEqual(self.messages(sent.sid).fetch().status, "delivered")
        self.assertEqual(self.server.stop(), 0)
        for secret in [TOKEN, NUMBER, NUMBER[3:], hanging.url, elsewhere.url]:
            self.assertNotIn(secret, self.server.log_text)
        self.assertIn("the receiver rejected it (307)", self.server.log_text)

    def test_the_stub_within_the_service_does_the_same(self):
        self.begin(self.serve())
        receiver = self.receiver()
        self.send(status_callback=receiver.url)
        told = self.told(receiver, 3)[2]
        validator = RequestValidator(TOKEN)
        self.assertIs(validator.validate(receiver.url, told.form, told.headers[SIGNATURE]), True)
