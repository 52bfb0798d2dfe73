"""The SMS stub by Twilio's own library."""

import datetime

from messages import ACCOUNT, NUMBER, SENDER, SERVICE, TOKEN, MessagesTestCase
from twilio.base.exceptions import TwilioException

OTHER = "+821087654321"
UTC = datetime.timezone.utc


class MessageTests(MessagesTestCase):
    def test_creates_and_fetches(self):
        before = datetime.datetime.now(UTC).replace(microsecond=0)
        sent = self.send()
        after = datetime.datetime.now(UTC)
        self.assertRegex(sent.sid, "^SM[0-9a-f]{32}$")
        self.assertEqual(
            (sent.status, sent.date_sent, sent.error_code, sent.error_message), ("queued", None, None, None)
        )
        got = sent.fetch()
        for message in (sent, got, self.messages(sent.sid).fetch()):
            self.assertEqual(
                (message.sid, message.account_sid, message.api_version, message.direction, message.to, message.from_),
                (sent.sid, ACCOUNT, "2010-04-01", "outbound-api", NUMBER, SENDER),
            )
            self.assertEqual(
                (message.body, message.num_segments, message.num_media, message.price, message.price_unit),
                ("[PhoneProof] 314159 & more", "1", "0", None, "USD"),
            )
            self.assertEqual(message.messaging_service_sid, None)
            self.assertEqual(message.uri, f"/2010-04-01/Accounts/{ACCOUNT}/Messages/{sent.sid}.json")
            for date in (message.date_created, message.date_updated):
                self.assertIsInstance(date, datetime.datetime)
                self.assertTrue(before <= date <= after, date)
        self.assertEqual((got.status, got.error_code), ("delivered", None))
        self.assertIsInstance(got.date_sent, datetime.datetime)

    def test_takes_whatever_the_library_can_say(self):
        sent = self.send(
            application_sid="AP" + "0" * 32, max_price=0.5, provide_feedback=True, attempt=2, validity_period=36000,
            force_delivery=True, content_retention="retain", address_retention="obfuscate", smart_encoded=True,
            persistent_action=["geo:37.5,127.0"], traffic_type="free", shorten_urls=True, send_as_mms=False,
            content_variables='{"1":"a"}', message_intent="otp", risk_check="disable", fallback_from=SENDER,
            status_callback="http://127.0.0.1:1/nobody", messaging_service_sid=SERVICE,
        )
        self.assertEqual((sent.status, sent.messaging_service_sid, sent.from_), ("accepted", SERVICE, SENDER))

    def test_refusals_and_losses_as_they_are_ordered(self):
        self.behave(mode="reject", error_code=21610)
        self.assertEqual(self.refused(self.send)[:2], (21610, 400))
        self.behave(mode="reject", error_code=20429)
        self.assertEqual(self.refused(self.send)[:2], (20429, 429))
        self.behave(mode="fail", error_code=30003)
        got = self.send().fetch()
        self.assertEqual(
            (got.status, got.error_code, got.error_message), ("undelivered", 30003, "The message was not delivered")
        )

    def test_lists_by_number_and_date(self):
        first = self.send(to=NUMBER, from_="Acme")
        second = self.send(to=OTHER)
        third = self.send(to=NUMBER)

        def found(**values):
            return [message.sid for message in self.messages.list(**values)]

        everything = [third.sid, second.sid, first.sid]
        self.assertEqual(found(), everything)
        self.assertEqual(found(to=NUMBER), [third.sid, first.sid])
        self.assertEqual(found(from_="Acme"), [first.sid])
        self.assertEqual(found(to=NUMBER, from_=SENDER), [third.sid])
        self.assertEqual(found(to="+1"), [])
        now = datetime.datetime.now(UTC)
        hour = datetime.timedelta(hours=1)
        # Across midnight the day is one of two.
        days = {message.date_sent.date() for message in self.messages.list()}
        on_days = [sid for day in sorted(days, reverse=True) for sid in found(date_sent=day)]
        self.assertEqual(on_days, everything)
        self.assertEqual(found(date_sent=now.date() - datetime.timedelta(days=2)), [])
        self.assertEqual(found(date_sent_after=now - hour), everything)
        self.assertEqual(found(date_sent_after=now + hour), [])
        self.assertEqual(found(date_sent_before=now + hour), everything)
        self.assertEqual(found(date_sent_before=now - hour), [])
        self.assertEqual(found(date_sent_after=now - hour, date_sent_before=now + hour), everything)
        exactly = self.messages(third.sid).fetch().date_sent
        self.assertIn(third.sid, found(date_sent_after=exactly, date_sent_before=exactly))
        # The library passes text on as it is.
        self.assertEqual(found(date_sent_before=str(now.date() - datetime.timedelta(days=1))), [])
        self.assertEqual(found(date_sent_after=str(now.date() - datetime.timedelta(days=1))), everything)
        # Of a list the library throws no more than this.
        with self.assertRaisesRegex(TwilioException, r'Unable to fetch page.*HTTP 400 {"code":20001,'):
            self.messages.list(date_sent="yesterday")

    def test_pages(self):
        sids = [self.send(body=f"number {number}").sid for number in range(7)][::-1]
        self.assertEqual([message.sid for message in self.messages.list(page_size=2)], sids)
        self.assertEqual([message.sid for message in self.messages.list(limit=5, page_size=2)], sids[:5])
        self.assertEqual([message.sid for message in self.messages.stream(limit=3, page_size=1)], sids[:3])
        self.assertEqual([message.sid for message in self.messages.stream(page_size=7)], sids)
        pages = [self.messages.page(page_size=3)]
        while (page := pages[-1].next_page()) is not None:
            pages.append(page)
        self.assertEqual([[message.sid for message in page] for page in pages], [sids[:3], sids[3:6], sids[6:]])
        self.assertEqual([message.sid for message in self.messages.get_page(pages[0].next_page_url)], sids[3:6])
        self.assertEqual([page.previous_page_url for page in pages], [None] * 3)

    def test_who_is_not_there_is_not_found(self):
        self.assertEqual(self.refused(self.messages("SM" + "0" * 32).fetch)[:2], (20404, 404))
        stranger = self.twilio("nobody", TOKEN)
        self.assertEqual(self.refused(stranger.messages.create, to=NUMBER, from_=SENDER, body="a")[:2], (20404, 404))
