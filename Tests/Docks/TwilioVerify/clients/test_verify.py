"""Twilio Verify's interface by Twilio's own library: every call that it has for text messages."""

import datetime
import json
import os
import tempfile

from support import other_than, wait_for
from verify import NUMBER, OTHER, VerifyTestCase

UTC = datetime.timezone.utc


class ServiceTests(VerifyTestCase):
    def test_services_are_made_seen_changed_listed_and_taken_away(self):
        made = self.verify.services.create(
            friendly_name="Acme Bank", code_length=8, lookup_enabled=True, skip_sms_to_landlines=True,
            do_not_share_warning_enabled=True, custom_code_enabled=True,
        )
        self.assertEqual((made.account_sid, made.friendly_name, made.code_length), (self.account, "Acme Bank", 8))
        self.assertEqual(
            (made.lookup_enabled, made.skip_sms_to_landlines, made.do_not_share_warning_enabled, made.custom_code_enabled),
            (True, True, True, True),
        )
        for date in (made.date_created, made.date_updated):
            self.assertEqual(date.utcoffset(), datetime.timedelta(0))
        changed = made.update(friendly_name="Acme", custom_code_enabled=False)
        self.assertEqual((changed.friendly_name, changed.custom_code_enabled), ("Acme", False))
        self.assertEqual(made.fetch().friendly_name, "Acme")
        for number in range(2):
            self.service(friendly_name=f"Service {number}")
        names = [service.friendly_name for service in self.verify.services.list(page_size=2)]
        self.assertEqual(sorted(names), ["Acme", "Service 0", "Service 1"])
        page = self.verify.services.page(page_size=2)
        self.assertEqual((len(list(page)), len(list(page.next_page()))), (2, 1))
        self.assertIs(made.delete(), True)
        self.refused(made.fetch, 404, 20404)


class VerificationTests(VerifyTestCase):
    def test_a_number_is_proven(self):
        service = self.service()
        sent = self.send(service)
        self.assertEqual(
            (sent.service_sid, sent.account_sid, sent.to, sent.status, sent.valid, str(sent.channel)),
            (service.fetch().sid, self.account, NUMBER, "pending", False, "sms"),
        )
        self.assertIsInstance(sent.date_created, datetime.datetime)
        self.assertEqual([attempt["channel"] for attempt in sent.send_code_attempts], ["SMS"])
        self.assertIn("Acme", self.body())
        self.assertEqual(service.verifications(sent.sid).fetch().sid, sent.sid)
        code = self.server.client.code(NUMBER)
        checked = self.check(service, other_than(code))
        self.assertEqual((checked.sid, checked.status, checked.valid), (sent.sid, "pending", False))
        checked = service.verification_checks.create(verification_sid=sent.sid, code=code)
        self.assertEqual((checked.status, checked.valid, checked.to), ("approved", True, NUMBER))
        gone = self.refused(lambda: self.check(service, code), 404, 20404)
        self.assertIn("was not found", gone.msg)
        other = service.verifications(self.send(service, to=OTHER).sid)
        self.assertEqual(other.update(status="canceled").status, "canceled")
        self.refused(lambda: other.update(status="canceled"), 404, 20404)


class TestNumberTests(VerifyTestCase):
    settings = {"TEST_NUMBERS_NUMBERS": f"{NUMBER}=246810", "TEST_NUMBERS_UNTIL": "2100-01-01T00:00:00Z"}

    def test_what_twilio_has_not_a_number_with_a_known_code(self):
        service = self.service()
        self.assertEqual(self.send(service).send_code_attempts, [])
        self.assertTrue(self.check(service, "246810").valid)
        self.assertEqual(self.server.sent(), [])


class WaitTests(VerifyTestCase):
    settings = {"TWILIO_VERIFY_RESEND_COOLDOWNS_SECONDS": "30,60"}

    def test_a_cooldown_between_messages_can_be_configured(self):
        service = self.service()
        self.send(service)
        self.refused(lambda: self.send(service), 429, 60212)
        self.send(service, to=OTHER)


class ListTests(VerifyTestCase):
    def test_rate_limits_and_buckets(self):
        service = self.service()
        limit = service.rate_limits.create(unique_name="end_user_ip", description="By address")
        self.assertEqual((limit.unique_name, limit.description), ("end_user_ip", "By address"))
        self.assertEqual(limit.update(description="Other").description, "Other")
        self.assertEqual([found.sid for found in service.rate_limits.list()], [limit.sid])
        self.assertEqual(service.rate_limits(limit.sid).fetch().description, "Other")
        buckets = service.rate_limits(limit.sid).buckets
        bucket = buckets.create(max=2, interval=60)
        self.assertEqual((bucket.max, bucket.interval, bucket.rate_limit_sid), (2, 60, limit.sid))
        self.assertIsInstance(bucket.date_created, datetime.datetime)
        self.refused(lambda: buckets.create(max=5, interval=60), 409, 60211)
        self.assertEqual(buckets(bucket.sid).update(max=1).max, 1)
        values = json.dumps({"end_user_ip": "192.0.2.1"})
        self.send(service, rate_limits=values)
        self.refused(lambda: self.send(service, to=OTHER, rate_limits=values), 429, 20429)
        self.assertEqual([found.sid for found in buckets.list()], [bucket.sid])
        self.assertIs(buckets(bucket.sid).delete(), True)
        self.refused(buckets(bucket.sid).fetch, 404, 20404)
        self.assertIs(limit.delete(), True)
        self.refused(limit.fetch, 404, 20404)

    def test_the_safe_list(self):
        number = "+14155550100"
        service = self.service()
        self.refused(lambda: self.send(service, to=number), 403, 60605)
        safe = self.verify.safelist.create(phone_number=number)
        self.assertEqual(safe.phone_number, number)
        self.assertEqual(self.verify.safelist(number).fetch().sid, safe.sid)
        self.assertEqual(self.send(service, to=number).status, "pending")
        self.assertIs(self.verify.safelist(number).delete(), True)
        self.refused(self.verify.safelist(number).fetch, 404, 20404)

    def test_attempts_and_their_summary(self):
        service = self.service()
        sid = service.fetch().sid
        for number in (NUMBER, OTHER, OTHER):
            self.send(service, to=number)
        self.check(service, self.server.client.code(NUMBER))
        attempts = self.verify.verification_attempts
        found = wait_for(
            lambda: (a := attempts.list(page_size=2)) and all(
                one.channel_data["message_status"] == "delivered" for one in a
            ) and a, "the messages to be delivered",
        )
        self.assertEqual([one.channel_data["to"] for one in found], [OTHER, OTHER, NUMBER])
        self.assertEqual([str(one.conversion_status) for one in found], ["unconverted", "unconverted", "converted"])
        one = found[2]
        self.assertEqual((one.service_sid, one.account_sid, str(one.channel)), (sid, self.account, "sms"))
        self.assertEqual(attempts(one.sid).fetch().verification_sid, one.verification_sid)
        self.refused(attempts("VL" + "0" * 32).fetch, 404, 20404)
        self.assertEqual(len(attempts.list(channel_data_to=OTHER)), 2)
        self.assertEqual(len(attempts.list(status="converted", verification_sid=one.verification_sid)), 1)
        self.assertEqual(len(attempts.list(verify_service_sid=sid, channel="sms", country="KR", limit=2)), 2)
        now = datetime.datetime.now(UTC)
        hour = datetime.timedelta(hours=1)
        self.assertEqual(len(attempts.list(date_created_after=now - hour, date_created_before=now + hour)), 3)
        self.assertEqual(len(attempts.list(date_created_after=now + hour)), 0)
        summary = self.verify.verification_attempts_summary().fetch(verify_service_sid=sid)
        self.assertEqual((summary.total_attempts, summary.total_converted, summary.total_unconverted), (3, 1, 2))
        self.assertEqual(float(summary.conversion_rate_percentage), 33.33)
        summary = self.verify.verification_attempts_summary().fetch(destination_prefix=OTHER[:-4])
        self.assertEqual(summary.total_attempts, 2)

    def test_templates(self):
        templates = self.verify.templates.list()
        self.assertEqual(templates[0].friendly_name, "default")
        self.assertIn("{{code}}", templates[0].translations["en"]["text"])
        self.assertIn("{{friendly_name}}", templates[0].translations["ko"]["text"])
        self.assertEqual(self.verify.templates.list(friendly_name="none"), [])
        service = self.service(default_template_sid=templates[0].sid)
        self.assertEqual(service.fetch().default_template_sid, templates[0].sid)
        self.send(service, template_sid=templates[0].sid)


class TemplateTests(VerifyTestCase):
    def test_a_set_of_texts_of_ones_own(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        place = os.path.join(folder.name, "templates", "receipt", "en")
        os.makedirs(place)
        with open(os.path.join(place, "verification.txt"), "w") as file:
            file.write("{{friendly_name}}: {{code}} pays {{amount}}.\n")
        self.settings = {"MESSAGES_DIRECTORY": folder.name}
        self.setUp()
        receipt = self.verify.templates.list(friendly_name="receipt")[0]
        self.assertIn("{{amount}}", receipt.translations["en"]["text"])
        service = self.service(default_template_sid=receipt.sid)
        self.refused(lambda: self.send(service, locale="en"), 400, 60224)
        self.send(service, locale="en", template_custom_substitutions=json.dumps({"amount": "5 EUR"}))
        self.assertRegex(self.body(), r"^Acme: \d{6} pays 5 EUR\.$")
