"""Events over PostgreSQL: as over a file, and two instances tell each once."""

import collections
import threading

import test_webhooks
from support import at_once, wait_for
from test_postgresql import OnPostgreSQL


class WebhooksOnPostgreSQLTests(OnPostgreSQL, test_webhooks.WebhookTests):
    # What they do, they do without a database, or in the dispatcher alone.
    test_an_event_that_was_not_accepted_is_retried_with_the_same_id = None
    test_an_example_is_sent_and_says_that_it_is_one = None
    test_a_receiver_that_hangs_is_given_up = None
    test_a_secret_is_made_and_good = None
    test_invalid_settings_are_reported = None
    test_sigterm_waits_for_the_receiver_and_what_it_did_not_say_comes_after_the_restart = None

    def test_kill_9_under_load_loses_no_event(self):
        super().test_kill_9_under_load_loses_no_event()

    def test_two_instances_send_each_event_once(self):
        receiver = self.receive()
        servers = [self.serve(receiver, WEBHOOKS_EVENTS="verification.approved") for _ in range(2)]
        lock, approved = threading.Lock(), set()

        def work(worker):
            server = servers[worker % 2]
            for turn in range(15):
                number = f"+82101{worker:03d}{turn:04d}"
                begun = server.client.begin(number).json
                # Each has a stub of its own, and either may have sent it.
                code = wait_for(lambda: next((code for s in servers for code in s.client.codes(number)), None), "a code")
                checked = servers[turn % 2].client.check(begun["id"], code)
                self.assertEqual(checked.status, 200)
                with lock:
                    approved.add(begun["id"])

        at_once(work, range(4))
        self.assertEqual(len(approved), 60)
        wait_for(lambda: len(receiver.requests) >= 60, "sixty events")
        for server in servers:
            self.assertEqual(server.stop(), 0)
        told = collections.Counter(told.json["data"]["id"] for told in receiver.requests)
        self.assertEqual(set(told), approved)
        self.assertEqual(set(told.values()), {1})
        # Both did their part.
        self.assertEqual([s.log_text.count("An event was delivered") > 0 for s in servers], [True, True])
        self.assertEqual(receiver.wrong, [])
