"""An installation is moved to another database, in the middle of a signup, and the person finishes it there."""

import contextlib
import json
import os
import re
import signal
import sqlite3
import subprocess

import pexpect

from postgresql import PostgreSQL
from support import MODULES, PROGRAM, ROOT, ServiceTestCase, environment

DOCKS = [path.name for path in sorted((ROOT / "Tests").glob("Docks/*"))]
KINDS = ["number_activity", "outbox_message", "verification", "account", "account_number", "account_external_id", "session", "number_change",
         "event", "signup", "idempotent_request", *(table for dock in DOCKS for path in sorted(MODULES[dock].rglob("*.swift"))
          for table in re.findall(r'\bTable\(\s*"(\w+)"', path.read_text())),
         "used_proof", "api_key", "client", "authorization_code", "device_authorization",
         "rate_meter", "traffic", "guard_rule", "signing_key", "setting_override", "daily_figure", "figure_progress", "instance",
         "sender_queue", "waiting_message", "audit_entry"]


def table(out):
    """The rows of the table that was printed, without its head."""
    lines = out.splitlines()
    return {row[0]: row[1:] for row in (re.split(r"  +", line) for line in lines[1:]) if row[0] in KINDS}


class CopyTests(ServiceTestCase):
    def setUp(self):
        super().setUp()
        self.source = f"sqlite:{self.folder}/phoneproof.sqlite"
        self.target = f"sqlite:{self.folder}/new.sqlite"

    def copy(self, *arguments, target=None):
        return self.run_program("copy", "--to", target or self.target, *arguments)

    @contextlib.contextmanager
    def begun(self, *command, place, **settings):
        """A command that has come to this place of what it reports; what it writes then is `outcome`."""
        process = subprocess.Popen(
            [PROGRAM, *command], cwd=self.folder, text=True, env=environment(self.folder, **settings),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for line in process.stderr:
            if line.startswith(place):
                break
        yield process
        self.outcome = process.communicate(timeout=60)

    def assert_refused(self, outcome, code, *words):
        """One line that says what to do, and nothing else but how far it came."""
        found, out, err = outcome
        lines = [line for line in err.splitlines() if not line.startswith("verifying ")]
        self.assertEqual((found, out, len(lines)), (code, "", 1), err)
        for word in words:
            self.assertIn(word, err)

    def copy_to_the_new(self, *arguments):
        """As one does whose new database has a password: it is the service's already, and the old one is named."""
        return self.run_program("copy", "--from", self.source, *arguments, DATABASE_URL=self.target)

    def ask(self, sql, name="phoneproof.sqlite"):
        """The first value; the file is closed again, since one that is open is not copied."""
        with contextlib.closing(sqlite3.connect(f"{self.folder}/{name}", isolation_level=None)) as database:
            return (database.execute(sql).fetchone() or [None])[0]

    def fill(self, count, name="phoneproof.sqlite"):
        """A database of N verifications, accounts and lines of the audit trail."""
        self.assertEqual(self.run_program("migrate", DATABASE_URL=f"sqlite:{self.folder}/{name}")[0], 0)
        database = sqlite3.connect(f"{self.folder}/{name}", isolation_level=None)
        database.execute("BEGIN")
        for index in range(count):
            e164 = f"+8210{10_000_000 + index}"
            account = verification = bytes.fromhex(f"{index:032x}")
            database.execute("INSERT INTO account VALUES (?, ?, 1, 1, ?, 1, '{}', NULL, 0, NULL, NULL, NULL, NULL)", (account, e164, verification))
            database.execute("INSERT INTO account_number VALUES (?, ?)", (e164, account))
            database.execute(
                "INSERT INTO verification VALUES (?, ?, 'caller:shop', 'sms', 'ko', 'k1', x'0102', x'0304', 1, 600000, 0, 0, NULL, 2, "
                "1, 2, 3, 4, 5, NULL, 'approved', 6, ?, NULL, NULL, NULL, NULL, NULL, NULL)",
                (verification, e164, account),
            )
            database.execute(
                "INSERT INTO audit_entry (id, at, action, verification_id, reasons) VALUES (?1 << 20, ?1, 'begin', ?2, '')",
                (1_767_225_600_000 + index, verification),
            )
        database.execute("COMMIT")
        database.close()


class MovingTests(CopyTests):
    def test_a_signup_that_was_begun_before_the_move_is_finished_after_it(self):
        with self.serve() as server:
            client = server.client
            signup = client.call("POST", "/v1/signups", {"region": "KR"}).json
            path, token = f"/v1/signups/{signup['id']}", signup["token"]
            sent = client.call("POST", f"{path}/send", {"phone_text": "010-1234-5678"}, token=token)
            self.assertEqual(sent.status, 202)
            code = client.code("+821012345678")
            once = ({"phone_number": "010-8765-4321"}, None)
            done = client.call("POST", "/v1/verifications", *once, **{"Idempotency-Key": '"once"'}).json
            client.check(done["id"], client.code("+821087654321"))
            before = client.call("GET", path, token=token).json
            trail = self.run_program("audit", "--json")[1]
            self.assertEqual(server.stop(), 0)

        code_, out, err = self.copy_to_the_new()
        self.assertEqual(code_, 0, err)
        rows = table(out)
        self.assertEqual(list(rows), KINDS)
        self.assertEqual(rows["verification"][:2] + rows["verification"][3:], ["2", "2", "same"])
        for kind, (source, target, digest, result) in rows.items():
            self.assertEqual((source, result), (target, "same"), kind)
            self.assertRegex(digest, r"^[0-9a-f]{16}$")
        self.assertIn(f"keys.file: {self.folder}/phoneproof.keys", err)

        settings = {"DATABASE_URL": self.target, "KEYS_FILE": f"{self.folder}/phoneproof.keys"}
        os.rename(f"{self.folder}/phoneproof.sqlite", f"{self.folder}/old.sqlite")
        self.assertEqual(self.run_program("audit", "--json", **settings)[1], trail)
        with self.serve(**settings) as server:
            client = server.client
            after = client.call("GET", path, token=token).json
            for answer in (before, after):
                # These count down.
                del answer["verification"]["expires_in"], answer["verification"]["next_send_in"]
            self.assertEqual(after, before)
            again = client.call("POST", f"{path}/send", token=token)
            self.assertEqual((again.status, again.json["code"]), (429, "resend_too_soon"))
            signed_up = client.call("POST", f"{path}/sign-up", {"code_text": code}, token=token)
            self.assertEqual(signed_up.status, 201)
            self.assertEqual(signed_up.json["account"]["phone_number"], "+821012345678")
            # What came before the move and comes again is answered as before, and not done twice.
            replayed = client.call("POST", "/v1/verifications", *once, **{"Idempotency-Key": '"once"'})
            self.assertEqual((replayed.status, replayed.json), (201, done))
            self.assertEqual(server.sent("+821087654321"), [])
            approved = client.call("GET", f"/v1/verifications/{done['id']}").json
            self.assertEqual(approved["status"], "approved")
            self.assertEqual(server.stop(), 0)
        actions = [entry["action"] for entry in json.loads(self.run_program("audit", "--json", **settings)[1])["items"]]
        self.assertEqual(actions[:2], ["sign_up", "approve"])
        self.assertEqual(len(actions), len(json.loads(trail)["items"]) + 2)

    def test_a_copy_of_the_copy_is_the_same(self):
        self.fill(2500)
        first = json.loads(self.copy_to_the_new("--json")[1])
        self.assertEqual((first["is_complete"], first["held_before"]), (True, 0))
        code, out, err = self.run_program(
            "copy", "--to", f"sqlite:{self.folder}/third.sqlite", "--json", DATABASE_URL=self.target
        )
        self.assertEqual(code, 0, err)
        self.assertEqual(json.loads(out), first)
        # The same command once more has nothing to do, and says so.
        code, out, err = self.copy_to_the_new("--json")
        self.assertEqual(code, 0, err)
        self.assertEqual(json.loads(out), {**first, "held_before": 10_000})


class MovingToPostgreSQLTests(MovingTests):
    """The same into a database on a server, and back."""

    @classmethod
    def setUpClass(cls):
        cls.server = cls.enter_for_all(PostgreSQL())

    def setUp(self):
        super().setUp()
        self.target = self.server.create_database()

    def test_a_database_that_an_instance_is_connected_to_is_left_alone(self):
        self.fill(3)
        with self.serve(DATABASE_URL=self.target, KEYS_FILE=f"{self.folder}/phoneproof.keys") as server:
            self.assertEqual(server.client.call("GET", "/health/ready").status, 200)
            code, out, err = self.copy_to_the_new()
            self.assertEqual((code, out), (1, ""))
            self.assertRegex(err, r"^phoneproof: \d connections? of this program to postgresql://.* stop every instance")
            self.assertNotIn(self.server.password, err)
            self.assertEqual(server.stop(), 0)
        # It has made itself a key to sign with, and would not know the tokens of the other.
        code, out, err = self.copy_to_the_new()
        self.assertEqual((code, out), (1, ""))
        self.assertRegex(err, r"^phoneproof: the target is not empty: it contains records \(signing_key\) .* name an empty database")
        self.target = self.server.create_database()
        self.assertEqual(self.copy_to_the_new()[0], 0)

    def test_a_password_is_no_flag(self):
        self.assertTrue(self.server.password)
        code, out, err = self.copy("--from", self.source)
        self.assertEqual((code, out), (64, ""))
        self.assertIn("--to contains a password", err)
        self.assertNotIn(self.server.password, err)


class InterruptionTests(CopyTests):
    def test_an_interrupted_copy_goes_on(self):
        self.fill(8000)
        whole = json.loads(self.copy("--json", target=f"sqlite:{self.folder}/whole.sqlite")[1])
        for stop in [signal.SIGKILL, signal.SIGINT]:
            name = f"stopped-{stop.name}.sqlite"
            with self.begun("copy", "--to", f"sqlite:{self.folder}/{name}", place="copying account: ") as process:
                process.send_signal(stop)
            out, err = self.outcome
            self.assertEqual((process.returncode, out), (130 if stop == signal.SIGINT else -9, ""))
            if stop == signal.SIGINT:
                self.assertIn("run the same command again", err)
            held = self.ask("SELECT count(*) FROM account", name)
            self.assertTrue(0 < held < 8000, held)
            self.assertEqual(self.ask("SELECT count(*) FROM audit_entry", name), 0)
            code, out, err = self.copy("--json", target=f"sqlite:{self.folder}/{name}")
            self.assertEqual(code, 0, err)
            result = json.loads(out)
            self.assertGreaterEqual(result.pop("held_before"), 8000 + held)
            self.assertEqual({**result, "held_before": 0}, whole)


class RefusalTests(CopyTests):
    def test_a_service_that_runs_is_not_copied(self):
        with self.serve() as server:
            # It does nothing at all, and is seen nevertheless.
            self.assert_refused(self.copy(), 1, f"process {server.process.pid} has", "phoneproof.sqlite open", "stop")
            self.fill(3, "other.sqlite")
            refused = self.run_program("copy", "--from", f"sqlite:{self.folder}/other.sqlite")
            self.assert_refused(refused, 1, f"process {server.process.pid} has", "phoneproof.sqlite open")
            self.assertEqual(server.stop(), 0)
        self.assertFalse(os.path.exists(f"{self.folder}/new.sqlite"))
        self.assertEqual(self.copy()[0], 0)

    def test_a_target_that_is_in_use_is_left_alone(self):
        self.fill(3)
        self.fill(4, "new.sqlite")
        self.assert_refused(self.copy(), 1, "not empty", "verification", "nothing was written")
        self.assertEqual(self.ask("SELECT count(*) FROM account", "new.sqlite"), 4)
        with contextlib.closing(sqlite3.connect(f"{self.folder}/new.sqlite", isolation_level=None)) as database:
            # Less than the source has, and something of its own in a kind that comes last.
            database.execute("DELETE FROM verification")
            database.execute("DELETE FROM account")
            database.execute("DELETE FROM account_number")
            database.execute("DELETE FROM audit_entry WHERE id > (SELECT min(id) FROM audit_entry)")
            database.execute("INSERT INTO audit_entry (id, at, action, reasons) VALUES (1 << 20, 1, 'erase', '')")
        self.assert_refused(self.copy(), 1, "not empty", "audit_entry", "nothing was written")
        self.assertEqual(self.ask("SELECT count(*) FROM account", "new.sqlite"), 0)
        self.assertEqual(self.ask("SELECT count(*) FROM audit_entry", "new.sqlite"), 2)

    def test_what_is_named_wrongly_is_not_made(self):
        self.assert_refused(self.run_program("copy"), 64, "--from or --to")
        self.assert_refused(self.copy(), 78, "there is no database at", "phoneproof.sqlite")
        self.fill(1)
        os.symlink(f"{self.folder}/phoneproof.sqlite", f"{self.folder}/link.sqlite")
        for same in ["phoneproof.sqlite", "./phoneproof.sqlite", "link.sqlite"]:
            self.assert_refused(self.copy(target=f"sqlite:{same}"), 64, "are the same database")
        for flag in ["--from", "--to"]:
            self.assert_refused(self.run_program("copy", flag, "mysql:secret"), 64, flag, "must be")
            self.assertNotIn("secret", self.run_program("copy", flag, "mysql:secret")[2])
        self.assert_refused(self.copy(target="sqlite::memory:"), 78, "in memory")
        self.assert_refused(self.run_program("copy", "--from", "sqlite::memory:", "--to", self.target), 78, "in memory")
        self.assertEqual(
            sorted(name for name in os.listdir(self.folder) if not name.endswith(("-wal", "-shm"))),
            ["link.sqlite", "phoneproof.sqlite"],
        )

    def test_an_older_source_is_migrated_first(self):
        self.fill(1)
        with contextlib.closing(sqlite3.connect(f"{self.folder}/phoneproof.sqlite", isolation_level=None)) as database:
            database.execute("PRAGMA user_version = 0")
        self.assert_refused(self.copy(), 78, "migrate it first")
        self.assertFalse(os.path.exists(f"{self.folder}/new.sqlite"))

    def test_a_source_that_is_written_to_meanwhile_is_not_called_copied(self):
        self.fill(6000)
        with self.begun("copy", "--to", self.target, place="copying account: 100 %") as process:
            with contextlib.closing(sqlite3.connect(f"{self.folder}/phoneproof.sqlite", isolation_level=None)) as database:
                database.execute("UPDATE account SET created_at = 2 WHERE e164 = '+821010000000'")
        out, err = self.outcome
        self.assertEqual(process.returncode, 1)
        self.assertIn("the source changed during the copy", err.splitlines()[-1])
        rows = table(out)
        self.assertEqual((rows["account"][:2], rows["account"][3]), (["6000", "6000"], "changed"))
        self.assertEqual({kind for kind, row in rows.items() if row[3] == "same"}, set(KINDS) - {"account"})
        # The target is not the beginning of the source any more.
        code, out, err = self.copy()
        self.assertEqual((code, out), (1, ""))
        self.assertIn("not empty", err.splitlines()[-1])


class DisplayTests(CopyTests):

    def test_in_a_terminal_one_line_is_drawn_over_itself(self):
        self.fill(6000)
        child = pexpect.spawn(
            PROGRAM, ["copy", "--to", self.target], cwd=self.folder, env=environment(self.folder), encoding="utf-8",
            timeout=60, dimensions=(24, 100),
        )
        self.addCleanup(child.close, force=True)
        child.expect_exact("\r\x1b[Kcopying account        2000 of 6000  [######--------------]  33 %")
        child.expect_exact("\r\x1b[Kchecking audit_entry   6000 of 6000  [####################] 100 %\r\x1b[KKIND")
        child.expect(pexpect.EOF)
        child.close()
        self.assertEqual(child.exitstatus, 0)
