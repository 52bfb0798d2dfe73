"""A hundred thousand rows, or a million, that nobody needs any more are deleted while the service serves."""

import os
import sqlite3
import time

from support import FULL, ServiceTestCase

COUNT = 1_000_000 if FULL else 100_000

FILL = """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = OFF;
    BEGIN;
    CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {last}) SELECT i FROM n;
    INSERT INTO verification (
        id, e164, owner, channel, language, code_key_id, code_mac, code_ciphertext, created_at, expires_at, next_send_at,
        sends_left, checks_left, status, updated_at, accepted_at, sent_at, code_ttl, is_test, has_custom_code
    ) SELECT
        id(i), '+8210' || (40000000 + i), 'local', 'sms', 'ko', 'k', x'00', x'00',
        {ended} - 600000 + i, {ended} + i, {ended}, 4, 5, CASE i % 3 WHEN 0 THEN 'approved' ELSE 'pending' END, {ended} - 600000,
        {ended} - 600000, {ended} - 600000, 600000, 0, 0
        FROM n;
    INSERT INTO outbox_message (
        id, verification_id, created_at, status, attempts, next_attempt_at, gateway, gateway_message_id, forgiven_attempts,
        is_withheld
    ) SELECT
        id(i), id(i), {ended} - 600000, 'sent', 1, {ended}, 'stub', 'SM', 0, 0 FROM n;
    INSERT INTO number_activity (
        e164, recent_sends, recent_send_count, senders, sends_in_run, consecutive_failures, silent_since
    ) SELECT '+8210' || (40000000 + i), {ended}, 1, '', 1, 0, {ended} FROM n;
    COMMIT;
"""


# One machine signs up more people here than limits let through.
WITHOUT_LIMITS = {
    f"LIMITS_{name}": "off" for name in ["ADDRESS_SENDS", "ADDRESS_CHECKS", "ADDRESS_SIGNUPS", "PREFIX_SENDS"]
}


class PurgeTests(ServiceTestCase):
    def longest_of_a_signup(self, client, index):
        """The longest that a request of a signup took, in seconds."""
        took = []

        def call(*arguments, status):
            start = time.monotonic()
            answer = client.call(*arguments)
            took.append(time.monotonic() - start)
            self.assertEqual(answer.status, status, answer.text)
            return answer

        number = f"010{20_000_000 + index}"
        begun = call("POST", "/v1/signups", {"region": "KR"}, status=201)
        path, token = begun.headers["Location"], begun.json["token"]
        call("POST", f"{path}/send", {"phone_text": number}, token, status=202)
        code = client.code("+82" + number[1:])
        call("POST", f"{path}/sign-up", {"code_text": code}, token, status=201)
        return max(took)

    def test_old_rows_go_while_people_sign_up(self):
        self.assertEqual(self.run_program("migrate")[0], 0)
        path = f"{self.folder}/phoneproof.sqlite"
        start = time.monotonic()
        database = sqlite3.connect(path)
        self.addCleanup(database.close)
        database.create_function("id", 1, lambda number: number.to_bytes(16, "big"), deterministic=True)
        three_days_ago = int(time.time() - 3 * 86_400) * 1000
        database.executescript(FILL.format(last=COUNT - 1, ended=three_days_ago - COUNT))
        filled = time.monotonic() - start

        server = self.serve(RETENTION_DAYS=2, LOG_LEVEL="warning", SERVER_INSECURE_NO_KEYS=None, **WITHOUT_LIMITS)
        start = time.monotonic()
        longest, signups, left = 0, 0, COUNT
        while left > 0 and time.monotonic() < start + 240:
            longest = max(longest, self.longest_of_a_signup(server.client, signups))
            signups += 1
            if signups % 20 == 0:
                left = sum(
                    1 for table in ["verification", "outbox_message", "number_activity"]
                    for _ in database.execute(f"SELECT 1 FROM {table} ORDER BY 1 LIMIT 1 OFFSET {signups}")
                )
        self.assertEqual(left, 0, "the purge did not come to its end")
        self.assertEqual(database.execute("SELECT count(*) FROM verification").fetchone(), (signups,))
        self.assertEqual(database.execute("SELECT count(*) FROM account").fetchone(), (signups,))
        self.assertEqual(server.log_text, "")
        print(
            f"filled in {filled:.0f} s, purged in {time.monotonic() - start:.0f} s under {signups} signups, of which no "
            f"request took longer than {longest * 1000:.0f} ms; the file has {os.stat(path).st_size >> 20} MiB", flush=True,
        )
