"""The service killed in the middle of work: what it has acknowledged is there when it is back."""

import threading

from support import ServiceTestCase, beside, wait_for


class CrashTests(ServiceTestCase):
    # The wait before another message is off, so that a test need not wait; and a message that the killed one was about to
    # send is free again after six seconds. The load is what limits are made to refuse.
    settings = {"VERIFICATION_RESEND_COOLDOWNS_SECONDS": 0, "SMS_TIMEOUT_SECONDS": 1, "LIMITS_ENABLED": "false"}

    def test_kill_9_under_load_loses_nothing_acknowledged(self):
        first = self.serve()
        client = first.client
        # For numbers under +8210999 the carrier is too busy, until the end: those messages stay owed.
        busy = {"mode": "reject", "error_code": 20429, "to_prefix": "+8210999"}
        self.assertEqual(client.call("PUT", "/stub/behavior", busy).status, 200)

        lock = threading.Lock()
        signed_up, pending, unsent = [], [], []
        enough = threading.Event()

        def note(ledger, entry):
            with lock:
                ledger.append(entry)
                if len(signed_up) >= 60 and len(pending) >= 20 and len(unsent) >= 10:
                    enough.set()

        def begin(number):
            path, token = client.begin_signup()
            sent = client.call("POST", f"{path}/send", {"phone_text": number}, token)
            return (path, token) if sent.status == 202 else None

        def work(worker):
            turn = 0
            try:
                while True:
                    turn += 1
                    digits = f"{worker}{turn:03d}"
                    if turn % 5 == 0 and len(unsent) < 40:
                        if begin("0109990" + digits):
                            note(unsent, "+82109990" + digits)
                        continue
                    number, begun = "+82101000" + digits, begin("0101000" + digits)
                    if not begun:
                        continue
                    path, token = begun
                    code = client.code(number)
                    if turn % 3 == 0:
                        note(pending, (path, token, number, code))
                        continue
                    done = client.enter_code(path, token, code)
                    if done.status == 201:
                        note(signed_up, (path, token, done.json["account"]))
            except (OSError, AssertionError, IndexError, ValueError, KeyError):
                # The server is gone, maybe in the middle of an answer: what was not acknowledged does not count.
                pass
            except Exception as error:  # http.client's own errors
                if not type(error).__module__.startswith("http"):
                    raise

        with beside(work, range(1, 9)):
            self.assertTrue(enough.wait(timeout=120), "the load did not get going")
            first.kill()

        client = self.serve().client
        for path, token, account in signed_up:
            answer = client.call("GET", path, token=token)
            self.assertEqual((answer.status, answer.json["account"]), (200, account))
        for path, token, number, code in pending:
            done = client.enter_code(path, token, code)
            self.assertEqual(done.status, 201, done.text)
            self.assertEqual(done.json["account"]["phone_number"], number)
        for number in unsent:
            body = wait_for(lambda: client.messages(number, 1), f"the message to {number}", seconds=60)[0]
            self.assertRegex(body, r"\b\d{6}\b")
        print(
            f"killed with {len(signed_up)} signups, {len(pending)} pending verifications and {len(unsent)} unsent "
            "messages acknowledged; all were there afterwards", flush=True,
        )
