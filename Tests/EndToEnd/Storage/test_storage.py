"""The service whose disk is full, whose database is locked, whose files are taken away, or whose name servers are silent."""

import collections
import fcntl
import os
import pathlib
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time

from support import PROGRAM, Server, ServiceTestCase, at_once, beside, environment, wait_for


def number(index):
    return f"010{20_000_000 + index}"


def errors(log):
    return [line for line in log.splitlines() if " error " in line]


class StorageTests(ServiceTestCase):
    def begin(self, client, index):
        return client.begin(number(index))

    def open(self, path=None):
        database = sqlite3.connect(path or f"{self.folder}/phoneproof.sqlite", isolation_level=None)
        self.addCleanup(database.close)
        return database


class FullDiskTests(StorageTests):
    def serve_on_a_small_disk(self, size):
        """A service with a small disk of its own; gives it, and the disk as we see it."""
        disk, prefix = self.small_disk(size)
        # The disk is what refuses, not a limit: as many starts fit on it as the write-ahead log lets.
        server = Server(
            self.folder, prefix=prefix, DATABASE_URL=f"sqlite:{disk}/phoneproof.sqlite", SMS_TIMEOUT_SECONDS=1,
            LIMITS_ENABLED="false",
        )
        self.addCleanup(server.close)
        return server, pathlib.Path(f"/proc/{server.process.pid}/root{disk}")

    def fill(self, disk, leaving):
        space = os.statvfs(disk)
        with open(disk / "filler", "ab") as filler:
            filler.write(b"x" * max(0, space.f_bavail * space.f_frsize - leaving))

    def copy_if_all_is_sent(self, disk):
        """A copy of the database, since SQLite would follow the path to the disk out of its namespace."""
        folder = tempfile.mkdtemp(dir=self.folder)
        for suffix in ["", "-wal"]:
            shutil.copy(disk / f"phoneproof.sqlite{suffix}", folder)
        database = self.open(f"{folder}/phoneproof.sqlite")
        owed = database.execute("SELECT count(*) FROM outbox_message WHERE status = 'queued'").fetchone()
        return database if owed == (0,) else None

    def test_nothing_is_half_written_and_all_is_well_when_there_is_room_again(self):
        server, disk = self.serve_on_a_small_disk("4m")
        client = server.client
        first = self.begin(client, 0)
        self.assertEqual(first.status, 201)
        self.fill(disk, leaving=500_000)

        lock, turn = threading.Lock(), iter(range(1, 1_000_000))
        answers = {}
        refusals = collections.Counter()

        def work():
            while sum(refusals.values()) < 400 and len(answers) < 20_000:
                with lock:
                    index = next(turn)
                if index % 2:
                    answer, key = self.begin(client, index), number(index)
                else:
                    answer, key = client.call("POST", "/v1/signups", {"region": "KR"}), f"signup {index}"
                with lock:
                    answers[key] = answer
                    if answer.status != 201:
                        refusals[answer.status] += 1

        at_once(lambda _: work(), range(8))
        acknowledged = {key: answer for key, answer in answers.items() if answer.status == 201}
        self.assertGreater(len(acknowledged), 10)
        self.assertEqual(set(refusals), {503})
        for answer in answers.values():
            if answer.status != 201:
                self.assert_unavailable(answer)

        # While it is full: what there is can be read, and the log says why without saying it of each request.
        self.assertEqual(client.call("GET", f"/v1/verifications/{first.json['id']}").status, 200)
        self.assertEqual(client.call("GET", "/health/live").status, 200)
        self.assertIn("full", server.log_text)
        # However little of it may still fit.
        for _ in range(3):
            self.assert_unavailable(client.call("GET", "/health/ready"))
        self.assertEqual(sorted(file.name for file in disk.glob("*-probe")), [])
        self.assertLess(len(errors(server.log_text)), 20, "\n".join(errors(server.log_text)[:20]))

        (disk / "filler").unlink()
        again = wait_for(lambda: self.begin(client, 999_999) if self.begin(client, 888_888).status < 500 else None, "room")
        self.assertEqual(again.status, 201)
        self.assertEqual(client.call("GET", "/health/ready").status, 200)
        acknowledged[number(999_999)] = again
        database = wait_for(lambda: self.copy_if_all_is_sent(disk), "the last message")
        self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
        kept = dict(database.execute("SELECT e164, 'ver_' || lower(hex(id)) FROM verification").fetchall())
        for key, answer in answers.items():
            if key.startswith("010"):
                expected = answer.json["id"] if answer.status == 201 else None
                self.assertEqual(kept.get("+82" + key[1:]), expected, key)
        sent = {
            row[0] for row in database.execute(
                "SELECT 'ver_' || lower(hex(verification_id)) FROM outbox_message WHERE status IN ('sent', 'delivered')"
            )
        }
        self.assertEqual(sent, set(kept.values()))
        self.assertEqual(
            {row[0] for row in database.execute("SELECT 'sgn_' || lower(hex(id)) FROM signup")},
            {answer.json["id"] for key, answer in acknowledged.items() if key.startswith("signup")},
        )
        bodies = collections.Counter(m["to"] for m in client.call("GET", "/stub/messages?limit=1000").json["messages"])
        self.assertEqual(set(bodies.values()), {1})
        self.assertEqual(server.stop(), 0)
        print(f"full disk: {len(acknowledged)} acknowledged, {refusals[503]} refused, none of them half", flush=True)


class LinkedDatabaseTests(StorageTests):
    def test_the_database_may_be_a_link_to_a_file_elsewhere(self):
        elsewhere, link = f"{self.folder}/elsewhere", f"{self.folder}/link.sqlite"
        os.symlink("elsewhere/phone.sqlite", link)
        server = self.serve(DATABASE_URL=f"sqlite:{link}")
        begun = self.begin(server.client, 0)
        self.assertEqual((begun.status, server.stop()), (201, 0))
        # By its own name it is the same database, with the same keys.
        self.assertEqual(sorted(os.listdir(elsewhere)), ["phone.keys", "phone.sqlite"])
        client = self.serve(DATABASE_URL=f"sqlite:{elsewhere}/phone.sqlite").client
        self.assertEqual(client.call("GET", f"/v1/verifications/{begun.json['id']}").status, 200)


class LockedFolderTests(StorageTests):
    def test_it_says_for_whom_it_waited(self):
        self.serve().stop()
        folder = os.open(self.folder, os.O_RDONLY)
        self.addCleanup(os.close, folder)
        fcntl.flock(folder, fcntl.LOCK_EX)
        # A rotation of keys that cannot be recorded is not done.
        for command in [
            ("serve", "--port", "0"), ("outbox", "list"), ("migrate",), ("accounts", "show", "01012345678"), ("keys", "rotate"),
        ]:
            err = self.refused(69, *command, DATABASE_BUSY_TIMEOUT_SECONDS=0)
            self.assertIn(f"process {os.getpid()} holds the lock on the database folder, {self.folder}/", err)
        fcntl.flock(folder, fcntl.LOCK_UN)
        os.mkdir(f"{self.folder}/elsewhere")
        keys = {"KEYS_FILE": f"{self.folder}/elsewhere/keys", "DATABASE_BUSY_TIMEOUT_SECONDS": 0}
        self.assertEqual(self.run_program("keys", "make", **keys)[0], 0)
        elsewhere = os.open(f"{self.folder}/elsewhere", os.O_RDONLY)
        self.addCleanup(os.close, elsewhere)
        fcntl.flock(elsewhere, fcntl.LOCK_EX)
        self.assertIn("another process keeps a lock on its directory", self.refused(78, "keys", "rotate", **keys))


class SilentNameServerTests(StorageTests):
    """The name servers take everything and answer nothing: a lookup takes minutes."""

    def prefix(self):
        server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(server.close)
        try:
            server.bind(("127.0.0.53", 53))
        except OSError as error:
            self.skipTest(f"no name server can be played here: {error}")
        file = pathlib.Path(self.folder, "resolv.conf")
        file.write_text("nameserver 127.0.0.53\noptions timeout:30 attempts:5\n")
        prefix = ["unshare", "--mount", "sh", "-c", 'mount --bind "$0" /etc/resolv.conf && exec "$@"', str(file)]
        tried = subprocess.run([*prefix, "true"], capture_output=True, text=True)
        if tried.returncode != 0:
            self.skipTest("no file can be mounted here: " + tried.stderr.strip())
        return prefix

    def test_a_gateway_whose_name_is_not_found_in_time_is_passed_over(self):
        settings = {
            "SMS_GATEWAY": "http,stub", "SMS_HTTP_URL": "https://sms.example.com/", "SMS_TIMEOUT_SECONDS": 1,
            "SMS_HTTP_BODY": '{"to": "{{to}}", "text": "{{body}}"}',
        }
        server = self.serve(prefix=self.prefix(), **settings)
        for index in range(3):
            self.assertEqual(self.begin(server.client, index).status, 201)
            self.assertTrue(server.client.code(number(index)))
        self.assertIn("the gateway was not reached in time", server.log_text)
        self.assertEqual(server.stop(), 0)

    def test_a_database_whose_name_is_not_found_in_time_is_out_of_reach(self):
        settings = {"DATABASE_URL": "postgresql://nobody@db.example/proof", "DATABASE_BUSY_TIMEOUT_SECONDS": 1}
        start = time.monotonic()
        done = subprocess.run(
            [*self.prefix(), PROGRAM, "limits", "list"], capture_output=True, text=True, timeout=60, cwd=self.folder,
            env=environment(self.folder, **settings),
        )
        print(f"silent name servers: given up after {time.monotonic() - start:.1f} s", flush=True)
        self.assertEqual(done.returncode, 69, done.stderr)
        self.assertIn("the name servers do not answer for db.example", done.stderr)


class LockedDatabaseTests(StorageTests):
    def test_writing_is_refused_reading_goes_on_and_it_comes_back_by_itself(self):
        server = self.serve(DATABASE_BUSY_TIMEOUT_SECONDS=1)
        client = server.client
        begun = self.begin(client, 0)
        path = f"/v1/verifications/{begun.json['id']}"
        client.code(number(0))
        other = self.open()
        other.execute("BEGIN IMMEDIATE")
        answers = []

        def work(worker):
            for turn in range(3):
                answers.append(self.begin(client, 100 + 10 * worker + turn))

        with beside(work, range(40)):
            for _ in range(20):
                self.assertEqual(client.call("GET", path).status, 200)
            self.assert_unavailable(client.call("GET", "/health/ready"))
            self.assertEqual(client.call("GET", "/health/live").status, 200)
        self.assertEqual(len(answers), 120)
        for answer in answers:
            self.assert_unavailable(answer)
        self.assertLess(len(errors(server.log_text)), 10)

        other.execute("ROLLBACK")
        self.assertEqual(client.call("GET", "/health/ready").status, 200)
        self.assertEqual(self.begin(client, 1).status, 201)
        self.assertEqual(other.execute("SELECT count(*) FROM verification").fetchone(), (2,))


class MovedFilesTests(StorageTests):
    def test_what_is_acknowledged_is_on_the_disk_at_that_path(self):
        """The files go away in the middle of work: what was acknowledged is in the files."""
        server = self.serve(DATABASE_SYNCHRONOUS="normal")
        acknowledged, stop = {}, threading.Event()

        def work(worker):
            turn = 0
            while not stop.is_set():
                turn += 1
                index = 10_000 * (worker + 1) + turn
                answer = self.begin(server.client, index)
                if answer.status == 201:
                    acknowledged[answer.json["id"]] = index
                else:
                    self.assert_unavailable(answer)

        with beside(work, range(4)):
            wait_for(lambda: len(acknowledged) > 50, "the load")
            for suffix in ["-shm", "-wal", ""]:
                os.rename(f"{self.folder}/phoneproof.sqlite{suffix}", f"{self.folder}/moved.sqlite{suffix}")
            wait_for(lambda: "is gone" in server.log_text, "the line that says so")
            self.assert_unavailable(server.client.call("GET", "/health/ready"))
            stop.set()
        server.kill()
        kept = {row[0] for row in self.open(f"{self.folder}/moved.sqlite").execute("SELECT 'ver_' || lower(hex(id)) FROM verification")}
        self.assertEqual(set(acknowledged) - kept, set())
