"""The service over PostgreSQL when its server fails, is replaced, is cut off, halts, or is not there to begin with."""

import datetime
import subprocess
import sys
import threading
import time
from pathlib import Path

from postgresql import ADMIN, USER, PostgreSQL
from support import FULL, ServiceTestCase, at_once, wait_for

sys.path.append(str(Path(__file__).resolve().parents[2] / "Cluster"))
from parts import DatabaseLinks, MachineClock  # noqa: E402

PASSWORD = "not-to-be-told"
# How long a call may wait for the database; and how long a client waits for an answer at most, whatever happens.
WAIT, PATIENCE = 1, 15


def number(index):
    return f"010{40_000_000 + index}"


class Load:
    """Verifications begun without a break, and what became of each."""

    def __init__(self, client, first):
        self.acknowledged, self.refused, self.others = {}, 0, []
        # When each answer came, in seconds.
        self.moments = {}
        self._client, self._stop, self._lock = client, threading.Event(), threading.Lock()
        self._numbers = iter(range(first, first + 100_000))
        self._workers = [threading.Thread(target=self._work) for _ in range(8)]
        for worker in self._workers:
            worker.start()

    def _work(self):
        while not self._stop.is_set():
            with self._lock:
                index = next(self._numbers)
            answer = self._client.begin(number(index))
            with self._lock:
                if answer.status == 201:
                    self.acknowledged[answer.json["id"]] = answer.json["phone_number"]
                    self.moments[answer.json["id"]] = time.monotonic()
                elif (answer.status, answer.json["code"]) == (503, "unavailable"):
                    self.refused += 1
                else:
                    self.others.append(answer.text)
            if answer.status != 201:
                self._stop.wait(0.01)

    def wait_for_more(self, count=30):
        """Until N more are acknowledged than there are now."""
        goal = len(self.acknowledged) + count
        wait_for(lambda: len(self.acknowledged) >= goal, "the load")

    def stop(self):
        self._stop.set()
        for worker in self._workers:
            worker.join()


class DatabaseTests(ServiceTestCase):
    def setUp(self):
        super().setUp()
        self.settings = {
            "DATABASE_BUSY_TIMEOUT_SECONDS": WAIT, "KEYS_FILE": f"{self.folder}/keys", "LIMITS_ENABLED": "false",
        }

    def serve_on(self, url):
        server = self.serve(DATABASE_URL=url)
        server.client.timeout = PATIENCE
        return server

    def begin_signup(self, client, index):
        """Its path and token, and the code that was sent."""
        return *client.begin_signup(number(index)), client.code(number(index))

    def end_signup(self, client, path, token, code):
        """The account."""
        done = client.enter_code(path, token, code)
        self.assertEqual(done.status, 201, done.text)
        return done.json["account"]

    def assert_all_unavailable(self, client, signup, verification):
        """Of every call that needs the database; all at once, since each may wait."""
        path, token, code = signup
        calls = [
            ("POST", "/v1/signups", {"region": "KR"}),
            ("GET", path, None, token),
            ("PATCH", path, {"phone_text": number(999_999)}, token),
            ("POST", f"{path}/send", {"phone_text": number(999_999)}, token),
            ("POST", f"{path}/sign-up", {"code_text": code}, token),
            ("POST", "/v1/verifications", {"phone_number": number(999_998)}),
            ("GET", verification),
            ("POST", f"{verification}/checks", {"code": "000000"}),
            ("DELETE", verification),
            ("GET", "/health/ready"),
        ]
        answers = at_once(lambda call: client.call(*call), calls)
        seen = {
            call[:2]: (answer.status, answer.json.get("code"), answer.headers["Retry-After"])
            for call, answer in zip(calls, answers)
        }
        self.assertEqual(seen, {call[:2]: (503, "unavailable", "5") for call in calls})
        self.assertEqual(client.call("GET", "/health/live").status, 200)
        self.assertEqual(client.call("GET", "/v1/phone-numbers/01012345678").status, 200)

    def wait_until_ready(self, client):
        """Until it takes whatever it is asked: each of its connections tries anew in its own time."""

        def is_back():
            if client.call("GET", "/health/ready").status != 200:
                return False
            begun = client.call("POST", "/v1/signups", {"region": "KR"})
            if begun.status != 201:
                return False
            path, token = begun.headers["Location"], begun.json["token"]
            return client.call("PATCH", path, {"phone_text": number(999_997)}, token).status == 200

        wait_for(is_back, "the service")

    def assert_kept(self, client, acknowledged):
        for id, phone_number in acknowledged.items():
            found = client.call("GET", f"/v1/verifications/{id}")
            self.assertEqual((found.status, found.json.get("phone_number")), (200, phone_number))

    def assert_says_little(self, server):
        """Why, but not once for each request, and no secret."""
        log = server.log_text
        lines = [line for line in log.splitlines() if " error " in line]
        self.assertTrue(lines)
        self.assertLess(len(lines), 40, "\n".join(lines[:40]))
        self.assertNotIn(PASSWORD, log)
        self.assertNotIn("Fatal", log)

    def assert_refuses_to_start(self, url, code, *words):
        exit_code, output, errors = self.run_program("serve", "--port", "0", DATABASE_URL=url)
        self.assertEqual((exit_code, output), (code, ""), errors)
        for word in words:
            self.assertIn(word, errors)
        self.assertNotIn(PASSWORD, errors)
        # What to do is in the last line, alone: no trace of a crash, and no list of settings.
        self.assertLess(len(errors.splitlines()), 5, errors)


class FailoverTests(DatabaseTests):
    def setUp(self):
        super().setUp()
        self.primary = self.enter(PostgreSQL(password=PASSWORD))
        self.standby = self.enter(self.primary.standby(synchronous=True))
        self.url = self.primary.url_of(USER, self.standby, target_session_attrs="read-write")

    def test_the_standby_takes_over_and_nothing_acknowledged_is_lost(self):
        primary, standby = self.primary, self.standby
        server = self.serve_on(self.url)
        client = server.client
        first = self.begin_signup(client, 1)
        account = self.end_signup(client, *first)
        begun = self.begin_signup(client, 2)
        load = Load(client, first=1000)
        self.addCleanup(load.stop)
        load.wait_for_more()

        # The machine of the primary fails. The replica answers, but nothing can be written there.
        primary.kill()
        wait_for(lambda: client.call("GET", "/health/ready").status == 503, "the outage")
        load.stop()
        self.assertEqual(load.others, [])
        self.assertGreater(load.refused, 0)
        self.assert_all_unavailable(client, begun, f"/v1/verifications/{next(iter(load.acknowledged))}")
        self.assert_refuses_to_start(self.url, 69, "is read-only")
        self.assert_refuses_to_start(standby.url_of(USER), 69, "is read-only")

        standby.promote()
        self.wait_until_ready(client)
        self.assertEqual(client.call("GET", first[0], token=first[1]).json["account"], account)
        self.assertEqual(self.end_signup(client, *begun)["phone_number"], "+82" + number(2)[1:])
        self.assert_kept(client, load.acknowledged)
        self.end_signup(client, *self.begin_signup(client, 3))
        self.assert_says_little(server)
        self.assertEqual(server.stop(), 0)
        print(
            f"fail-over: {len(load.acknowledged)} acknowledged and all there, {load.refused} refused meanwhile", flush=True
        )

    def test_a_primary_that_halts_is_skipped_and_not_returned_to(self):
        """As one does that the network is cut off from: it takes connections as far as anybody can tell."""
        server = self.serve_on(self.url)
        client = server.client
        begun = self.begin_signup(client, 1)
        self.primary.pause()
        self.standby.promote()
        self.wait_until_ready(client)
        account = self.end_signup(client, *begun)
        another = self.serve_on(self.url)
        self.end_signup(another.client, *self.begin_signup(another.client, 2))
        # It does not know what happened, and has open connections.
        self.primary.resume()
        self.end_signup(client, *self.begin_signup(client, 3))
        self.assertGreater(self.standby.end_connections(), 0)
        self.wait_until_ready(client)
        self.end_signup(client, *self.begin_signup(client, 4))
        kept = client.call("GET", begun[0], token=begun[1])
        self.assertEqual((kept.status, kept.json["account"]), (200, account))
        self.assertEqual(self.standby.sql("SELECT count(*) FROM account"), "4")
        self.assertEqual(self.primary.sql("SELECT count(*) FROM account"), "0")

    def test_without_the_synchronous_standby_nothing_is_acknowledged(self):
        server = self.serve_on(self.url)
        client = server.client
        begun = self.begin_signup(client, 1)
        path, token, code = begun
        self.standby.stop()
        self.assert_unavailable(client.call("POST", f"{path}/sign-up", {"code_text": code}, token))
        self.assert_unavailable(client.begin(number(2)))
        # What is there can be read.
        self.assertEqual(client.call("GET", path, token=token).status, 200)
        self.standby.start()
        # Whether it was kept was unknown: it was, so the account is known.
        done = wait_for(lambda: self.answer_unless_503(client, "POST", f"{path}/sign-up", {"code_text": code}, token), "it")
        self.assertIn(done.status, (200, 201))
        self.wait_until_ready(client)
        self.assertEqual(self.primary.sql("SELECT count(*) FROM account"), "1")
        self.end_signup(client, *self.begin_signup(client, 3))

    def answer_unless_503(self, client, *call):
        answer = client.call(*call)
        return answer if answer.status != 503 else None


class AsynchronousStandbyTests(DatabaseTests):
    # How long after an answer the standby may still not have what was answered, besides the time that the test makes it wait.
    SLACK = 2

    def test_what_the_standby_had_not_got_is_lost_and_nothing_before_it(self):
        for lag in (0, 0.1, 0.5, 2) if FULL else (0, 0.5):
            with self.subTest(lag=lag), PostgreSQL(password=PASSWORD) as primary:
                links = DatabaseLinks([primary], 1)
                self.addCleanup(links.close)
                with primary.standby(port=links.ports[0]) as standby:
                    self.fail_over(primary, standby, links, lag)

    def fail_over(self, primary, standby, links, lag):
        server = self.serve_on(primary.url_of(USER, standby))
        load = Load(server.client, first=1000)
        self.addCleanup(load.stop)
        load.wait_for_more()
        links.set(0, "delay", lag)
        load.wait_for_more(200)
        failed = time.monotonic()
        primary.kill()
        load.stop()
        standby.promote()
        self.wait_until_ready(server.client)
        self.assertEqual(load.others, [])
        there = {id for id in load.acknowledged if server.client.call("GET", f"/v1/verifications/{id}").status == 200}
        lost = [failed - moment for id, moment in load.moments.items() if id not in there]
        self.assertLess(max(lost, default=0), lag + self.SLACK)
        self.assertTrue(there)
        if lag >= 0.5:
            # Else this would be a test of nothing.
            self.assertTrue(lost)
        self.end_signup(server.client, *self.begin_signup(server.client, 3))
        self.assertEqual(server.stop(), 0)
        print(
            f"asynchronous standby {lag} s behind: {len(lost)} of {len(load.acknowledged)} acknowledged lost, "
            f"the first {max(lost, default=0):.2f} s before the failure", flush=True,
        )


class ClockTests(DatabaseTests):
    def test_a_machine_whose_clock_is_another_than_the_database_s_goes_by_that_and_says_so(self):
        database, clock = self.enter(PostgreSQL()), MachineClock(self.new_folder(), ahead=300)
        server = self.serve(DATABASE_URL=database.url, prefix=clock.prefix)
        begun = server.client.begin(number(1)).json
        moment = datetime.datetime.fromisoformat(begun["expires_at"]).timestamp()
        self.assertLess(abs(moment - time.time() - 600), 10)
        self.assertEqual(
            database.sql("SELECT abs(created_at - extract(epoch FROM now()) * 1000) < 5000 FROM verification"), "t"
        )
        _, key, _ = self.run_program("keys", "create", "--name", "chief", "--scope", "admin", DATABASE_URL=database.url)
        health = server.client.call("GET", "/v1/admin/health", token=key.strip())
        self.assertRegex(health.text, "the machine's clock is (299|300) s ahead of the database's, which the service goes by")


class OutageTests(DatabaseTests):
    @classmethod
    def setUpClass(cls):
        cls.database = cls.enter_for_all(PostgreSQL(password=PASSWORD))

    def setUp(self):
        super().setUp()
        self.url = self.database.create_database()
        self.name = self.url.rsplit("/", 1)[1]

    def begun(self):
        """A service, and a signup and a verification that were begun there."""
        server = self.serve_on(self.url)
        verification = server.client.begin(number(1))
        self.assertEqual(verification.status, 201, verification.text)
        return server, self.begin_signup(server.client, 2), f"/v1/verifications/{verification.json['id']}"

    def assert_goes_on(self, server, signup):
        """As if nothing had been."""
        self.wait_until_ready(server.client)
        self.end_signup(server.client, *signup)
        self.end_signup(server.client, *self.begin_signup(server.client, 3))
        self.assertEqual(server.stop(), 0)

    def test_a_server_that_is_stopped_and_started(self):
        for mode in ["fast", "immediate"]:
            with self.subTest(mode):
                self.url = self.database.create_database()
                server, signup, verification = self.begun()
                self.database.stop(mode)
                self.addCleanup(lambda: self.database.process.poll() is None or self.database.start())
                self.assert_all_unavailable(server.client, signup, verification)
                self.database.start()
                self.assert_goes_on(server, signup)
                self.assert_says_little(server)

    def test_connections_that_are_cut_under_load(self):
        server, signup, _ = self.begun()
        load = Load(server.client, first=2000)
        self.addCleanup(load.stop)
        cut = 0
        for _ in range(5):
            load.wait_for_more(20)
            cut += self.database.end_connections(self.name)
        load.wait_for_more(20)
        load.stop()
        self.assertGreaterEqual(cut, 5)
        self.assertEqual(load.others, [])
        self.assert_kept(server.client, load.acknowledged)
        # Each number has one verification, whatever was tried again.
        self.assertEqual(self.database.sql("SELECT count(*) - count(DISTINCT e164) FROM verification", self.name), "0")
        self.assert_goes_on(server, signup)
        print(f"{cut} connections cut: {len(load.acknowledged)} acknowledged, {load.refused} refused", flush=True)

    def test_a_server_that_does_not_answer(self):
        server, signup, verification = self.begun()
        another = self.serve_on(self.url)
        self.database.pause()
        self.addCleanup(self.database.resume)
        # What was connected before, and then what has to connect anew.
        for _ in range(2):
            self.assert_all_unavailable(server.client, signup, verification)
        self.assert_refuses_to_start(self.url, 69, "127.0.0.1")
        self.assertEqual(another.stop(), 0)
        self.database.resume()
        self.assert_goes_on(server, signup)
        self.assert_says_little(server)

    def test_a_primary_that_becomes_read_only_under_open_connections(self):
        """As managed databases do when they change places."""
        server, signup, _ = self.begun()
        self.addCleanup(self.database.configure, "default_transaction_read_only", None)
        self.database.configure("default_transaction_read_only", "on")
        wait_for(lambda: server.client.call("GET", "/health/ready").status == 503, "the refusal")
        path, token, code = signup
        for call in [("POST", "/v1/signups", {"region": "KR"}), ("POST", f"{path}/sign-up", {"code_text": code}, token)]:
            self.assert_unavailable(server.client.call(*call))
        self.database.configure("default_transaction_read_only", None)
        self.assert_goes_on(server, signup)
        self.assert_says_little(server)

    def test_a_server_that_lets_nobody_in_any_more(self):
        for change, back, code, word in [
            ("CONNECTION LIMIT 0", "CONNECTION LIMIT -1", 69, "too many connections"),
            ("PASSWORD 'new'", f"PASSWORD '{PASSWORD}'", 78, "28P01"),
        ]:
            with self.subTest(change):
                self.url = self.database.create_database()
                server, signup, verification = self.begun()
                self.addCleanup(self.database.sql, f"ALTER ROLE {USER} {back}")
                self.database.sql(f"ALTER ROLE {USER} {change}")
                self.database.end_connections(self.url.rsplit("/", 1)[1])
                self.assert_all_unavailable(server.client, signup, verification)
                self.assert_refuses_to_start(self.url, code, word)
                self.database.sql(f"ALTER ROLE {USER} {back}")
                self.assert_goes_on(server, signup)
                self.assert_says_little(server)

    def test_a_table_that_another_holds(self):
        server, signup, _ = self.begun()
        holder = subprocess.Popen(
            [self.database.programs / "psql", "--no-psqlrc", "--quiet", "--no-align", "--tuples-only",
             self.database.url_of(self.name, user=ADMIN)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        )
        self.addCleanup(holder.communicate)
        holder.stdin.write("BEGIN; LOCK TABLE verification, signup; SELECT 'held';\n")
        self.assertEqual(holder.stdout.readline(), "held\n")
        self.assert_unavailable(server.client.begin(number(5)))
        self.assertEqual(server.client.call("GET", "/health/live").status, 200)
        holder.stdin.write("ROLLBACK; SELECT 'free';\n")
        self.assertEqual(holder.stdout.readline(), "free\n")
        self.assert_goes_on(server, signup)
