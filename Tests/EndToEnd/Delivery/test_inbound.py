"""A number that is proven by a message from the person: by the API, through a vendor, and on the page without a script."""

import base64
import hashlib
import hmac
import urllib.parse

from browser import Browser
from support import ServiceTestCase, wait_for

NUMBER, TYPED = "+821012345678", "010-1234-5678"
STUB = 'sms:\n  inbound: {KR: "+82215881234"}\n'
VENDORS = """
sms:
  gateway: [twilio, http]
  twilio:
    account_sid: AC00000000000000000000000000000000
    auth_token_file: {secret}
    from: "+15005550006"
    inbound_url: https://phone.example.com/v1/inbound/twilio
  http:
    url: https://sms.example.com/v1
    body: '{{"to": "{{{{to}}}}", "text": "{{{{body}}}}"}}'
    inbound:
      sender_pointer: /from
      text_pointer: /text
      sender_format: national
      secret_file: {secret}
  inbound: {{KR: "+82215881234", "*": "12345"}}
verification: {{allowed_regions: [KR, US]}}
"""
SECRET = "secret-of-the-vendors"


class InboundTests(ServiceTestCase):
    def serving(self, config):
        return self.serve(command=("serve", "--config", self.write("inbound.yaml", config)))

    def send(self, server, text, number=NUMBER):
        return server.client.call("POST", "/stub/inbound", {"from": number, "text": text})

    def test_the_stub_plays_the_vendor(self):
        server = self.serving(STUB)
        begun = server.client.begin(NUMBER, more={"channel": "inbound"})
        self.assertEqual((begun.status, begun.json["channel"], begun.json["status"]), (201, "inbound", "pending"))
        inbound, path = begun.json["inbound"], f"/v1/verifications/{begun.json['id']}"
        self.assertEqual(inbound["to"], "+82215881234")
        self.assertRegex(inbound["text"], r"^PhoneProof [2-9A-HJ-NP-Z]{6}$")
        again = server.client.begin(NUMBER, more={"channel": "inbound"})
        self.assertEqual((again.status, again.json["inbound"]), (200, inbound))
        self.assertEqual(self.send(server, inbound["text"], "+821087654321").json["code"], "verification_not_found")
        self.assertEqual(self.send(server, "PhoneProof 222222").status, 404)
        # What is on the screen is no code.
        self.assertEqual(server.client.check(begun.json["id"], "222222").json["code"], "code_incorrect")
        self.assertEqual(self.send(server, inbound["text"].lower()).json, {"verification": begun.json["id"]})
        shown = server.client.call("GET", path).json
        self.assertEqual((shown["status"], shown.get("inbound")), ("approved", None))
        self.assertEqual(server.sent(), [])
        self.assertEqual(self.outbox(), [])
        refused = server.client.begin("+14155552671", more={"channel": "inbound"})
        self.assertEqual((refused.json["code"], refused.json["channels"]), ("channel_unavailable", ["sms"]))
        self.assertNotIn(inbound["text"].split()[1], server.log_text)

    def test_vendors_pass_messages_on(self):
        secret = self.write("secret", SECRET, mode=0o600)
        server = self.serving(VENDORS.format(secret=secret))
        begun = server.client.begin(NUMBER, more={"channel": "inbound"}).json
        fields = {"From": NUMBER, "To": begun["inbound"]["to"], "Body": begun["inbound"]["text"], "MessageSid": "SM1"}
        signed = "https://phone.example.com/v1/inbound/twilio" + "".join(name + fields[name] for name in sorted(fields))
        right = base64.b64encode(hmac.digest(SECRET.encode(), signed.encode(), hashlib.sha1)).decode()

        def post(path, fields, **headers):
            return server.client.post_form(path, fields, **headers).status

        def status(verification):
            return server.client.call("GET", f"/v1/verifications/{verification['id']}").json["status"]

        forged = {**fields, "From": "+821011112222"}
        self.assertEqual(post("/v1/inbound/twilio", fields), 403)
        self.assertEqual(post("/v1/inbound/twilio", forged, **{"X-Twilio-Signature": right}), 403)
        self.assertEqual(post("/v1/inbound/sens", fields, **{"X-Twilio-Signature": right}), 404)
        self.assertEqual(status(begun), "pending")
        self.assertEqual(post("/v1/inbound/twilio", fields, **{"X-Twilio-Signature": right}), 204)
        self.assertEqual(status(begun), "approved")
        self.assertEqual(post("/v1/inbound/twilio", fields, **{"X-Twilio-Signature": right}), 204)

        other = server.client.begin("+14155552671", more={"channel": "inbound"}).json
        self.assertEqual(other["inbound"]["to"], "12345")
        body = {"from": "+14155552671", "text": other["inbound"]["text"]}
        self.assertEqual(server.client.call("POST", "/v1/inbound/http", body).status, 403)
        token = {"Authorization": f"Bearer {SECRET}"}
        self.assertEqual(server.client.call("POST", "/v1/inbound/http", body, **token).status, 204)
        self.assertEqual(status(other), "approved")

    def test_a_guided_signup_needs_no_code(self):
        server = self.serving(STUB)
        path, token = server.client.begin_signup(TYPED)
        sent = server.client.call("POST", path + "/send", {"channel": "inbound"}, token)
        self.assertEqual((sent.status, sent.json["verification"]["channel"]), (202, "inbound"))
        self.assertTrue(sent.json["state"]["is_sign_up_enabled"])
        early = server.client.call("POST", path + "/sign-up", {"code_text": ""}, token)
        self.assertEqual((early.status, early.json["code"]), (422, "invalid_request"), early.json)
        self.send(server, sent.json["verification"]["inbound"]["text"])
        shown = server.client.call("GET", path, None, token)
        self.assertEqual(shown.json["verification"]["status"], "approved")
        done = server.client.call("POST", path + "/sign-up", {"code_text": ""}, token)
        self.assertEqual((done.status, done.json["account"]["phone_number"]), (201, NUMBER))

    def test_the_page_without_a_script(self):
        server = self.serving(STUB)
        browser = Browser(server, server.url)
        page = browser.submit(browser.open(server.url + "/signup"), phone_text=TYPED)
        self.assertIn("I'll text you instead", page.said)
        wait_for(lambda: len(server.client.messages()) == 1, "the message")
        page = browser.submit(page, 2, channel="inbound")
        self.assertEqual((page.heading, "+82 2-1588-1234" in page.said), ("Send us a text", True))
        [link] = [link for link in page.links if link.startswith("sms:")]
        text = urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)["body"][0]
        waiting = browser.submit(page)
        self.assertIn("We haven't received your text yet.", waiting.said)
        # Another channel is there all the same, and has the code that was sent before.
        self.assertIn("Text me instead", waiting.said)
        self.send(server, text)
        self.assertIn("We received your text.", browser.open(server.url + "/signup").said)
        done = browser.submit(waiting)
        self.assertEqual(done.heading, "You're signed in")
        self.assertEqual(len(server.sent()), 1)
