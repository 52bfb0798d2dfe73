"""Events over PostgreSQL: as over a file, and two instances tell each once."""

import collections
import threading
import unittest

import test_webhooks
from receiver import Receiver
from support import Server, wait_for
from test_postgresql import OnPostgreSQL
from test_webhooks import OLD, SETTINGS


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
        settings = self.settings(receiver, WEBHOOKS_EVENTS="verification.approved")
        servers = [self.serve(receiver, WEBHOOKS_EVENTS="verification.approved") for _ in range(2)]
        self.assertEqual(settings["WEBHOOKS_URL"], receiver.url)
        lock, approved = threading.Lock(), set()

        def work(worker):
            server = servers[worker % 2]
            for turn in range(15):
                number = f"+82101{worker:03d}{turn:04d}"
                begun = server.client.call("POST", "/v1/verifications", {"phone_number": number}).json
                # Each has a stub of its own, and either may have sent it.
                code = wait_for(lambda: next((c for c in (self.code(s, number) for s in servers) if c), None), "a code")
                checked = servers[turn % 2].client.call("POST", f"/v1/verifications/{begun['id']}/checks", {"code": code})
                self.assertEqual(checked.status, 200)
                with lock:
                    approved.add(begun["id"])

        workers = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(len(approved), 60)
        wait_for(lambda: len(receiver.all) >= 60, "sixty events")
        for server in servers:
            self.assertEqual(server.stop(), 0)
        told = collections.Counter(told.json["data"]["id"] for told in receiver.all)
        self.assertEqual(set(told), approved)
        self.assertEqual(set(told.values()), {1})
        # Both did their part.
        self.assertEqual([s.log_text.count("An event was delivered") > 0 for s in servers], [True, True])
        self.assertEqual(receiver.wrong, [])

    @staticmethod
    def code(server, number):
        from support import code_in

        return next((code_in(body) for body in server.client.messages(number, 1)), None)


if __name__ == "__main__":
    unittest.main()
