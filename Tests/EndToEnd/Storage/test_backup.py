"""A service is saved while it works, and put back as it was, without anything that could be used a second time."""

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import threading

from postgresql import PostgreSQL
from support import PROGRAM, beside, environment, run, sql
from test_copy import KINDS, CopyTests, table


class BackupTests(CopyTests):
    def setUp(self):
        super().setUp()
        self.file = f"{self.folder}/saved"
        self.settings = {
            "DATABASE_URL": self.source, "KEYS_FILE": f"{self.folder}/phoneproof.keys", "LIMITS_ENABLED": "false",
        }

    def backup(self, *arguments, **settings):
        return self.run_program("backup", self.file, *arguments, **{**self.settings, **settings})

    def restore(self, *arguments, file=None, **settings):
        return self.run_program("restore", file or self.file, *arguments, **{**self.settings, **settings})

    def assert_done(self, outcome):
        code, out, err = outcome
        self.assertEqual(code, 0, err)
        return out, err

    def refresh(self, client, token):
        return client.call("POST", "/v1/tokens", {"grant_type": "refresh_token", "refresh_token": token})


class SavingTests(BackupTests):
    def test_what_was_acknowledged_before_it_began_is_in_it_and_the_service_goes_on(self):
        self.fill(20_000)
        server = self.serve()
        lock, acknowledged, stop = threading.Lock(), [], threading.Event()
        enough = threading.Event()

        def work(worker):
            for turn in range(100_000):
                if stop.is_set():
                    return
                begun = server.client.begin(f"0102{worker}{turn:06d}")
                if begun.status == 201:
                    with lock:
                        acknowledged.append(begun.json["id"])
                        if len(acknowledged) >= 50:
                            enough.set()

        with beside(work, range(4)):
            self.assertTrue(enough.wait(60))
            with lock:
                before = set(acknowledged)
            out, err = self.assert_done(self.backup())
            with lock:
                during = len(acknowledged) - len(before)
            stop.set()
        self.assertGreater(during, 0)
        rows = table(out)
        self.assertEqual(list(rows), KINDS)
        self.assertEqual({row[3] for row in rows.values()}, {"same"})
        with contextlib.closing(sqlite3.connect(self.file)) as saved:
            held = {f"ver_{bytes(row[0]).hex()}" for row in saved.execute("SELECT id FROM verification")}
            self.assertEqual(saved.execute("PRAGMA integrity_check").fetchone(), ("ok",))
        self.assertEqual(before - held, set())
        self.assertEqual(stat.S_IMODE(os.stat(self.file).st_mode), 0o600)
        self.assertIn(f"back up {self.folder}/phoneproof.keys too, in another place", err)
        self.assertEqual([name for name in os.listdir(self.folder) if "draft" in name], [])
        self.assertEqual(server.stop(), 0)

    def test_a_file_that_is_there_is_replaced_only_if_that_is_meant(self):
        self.fill(3)
        self.assert_refused(self.backup("--with-keys"), 78, "no such key file", "phoneproof.keys")
        self.assertFalse(os.path.exists(self.file))
        self.run_program("keys", "make", **self.settings)
        self.assert_done(self.backup("--with-keys"))
        first = open(self.file, "rb").read()
        self.assert_refused(self.backup(), 1, f"{self.file} is there already", "--force")
        self.assertEqual(open(self.file, "rb").read(), first)
        os.remove(self.file)
        self.assert_refused(self.backup("--with-keys"), 1, f"{self.file}.keys is there already")
        self.assertFalse(os.path.exists(self.file))
        self.assert_done(self.backup("--with-keys", "--force"))
        self.assertEqual(stat.S_IMODE(os.stat(f"{self.file}.keys").st_mode), 0o600)
        with open(f"{self.file}.keys") as saved, open(self.settings["KEYS_FILE"]) as keys:
            self.assertEqual(saved.read(), keys.read())

    def test_nothing_but_a_plain_file_that_the_service_does_not_live_by_is_replaced(self):
        self.assertEqual(self.run_program("keys", "make", **self.settings)[0], 0)
        for name in ["settings.yaml", "password", "secret", "own"]:
            with open(f"{self.folder}/{name}", "w") as file:
                file.write("log:\n  level: info\n" if name == "settings.yaml" else "secret")
        os.mkdir(f"{self.folder}/folder")
        os.mkfifo(f"{self.folder}/pipe")
        os.symlink("own", f"{self.folder}/link")
        os.symlink("phoneproof.keys", f"{self.folder}/link-to-keys")
        os.link(f"{self.folder}/phoneproof.keys", f"{self.folder}/other-name")
        settings = {**self.settings, "SMS_TWILIO_AUTH_TOKEN_FILE": f"{self.folder}/secret"}

        def backup(name, *arguments, **more):
            return self.run_program("backup", f"{self.folder}/{name}", "--force", "--config", "settings.yaml", *arguments, **{**settings, **more})

        def state():
            found = {}
            for name in os.listdir(self.folder):
                status = os.lstat(f"{self.folder}/{name}")
                found[name] = (status.st_ino, status.st_mode, status.st_nlink)
            return found

        with self.serve():
            self.assertEqual({"phoneproof.sqlite-wal", "phoneproof.sqlite-shm"} - state().keys(), set())
            before = state()
            for name, reason in [
                ("phoneproof.sqlite", "is the database itself"), ("phoneproof.sqlite-wal", "is a file of the database"),
                ("phoneproof.sqlite-shm", "is a file of the database"),
                # It is not there yet, and SQLite would take it for its own.
                ("phoneproof.sqlite-journal", "is a file of the database"),
                ("folder/../phoneproof.keys", "is the key file"), ("other-name", "is the key file"),
                ("link-to-keys", "is not a plain file"), ("link", "is not a plain file"), ("folder", "is not a plain file"),
                ("pipe", "is not a plain file"), ("../../../../../../dev/null", "is not a plain file"),
                ("settings.yaml", "is a file of the configuration"), ("secret", "is a file of the configuration"),
                (f"../..{PROGRAM}" if self.folder.count("/") == 2 else os.path.relpath(PROGRAM, self.folder), "is this program"),
            ]:
                with self.subTest(name):
                    self.assert_refused(backup(name), 64, reason, "choose another name")
            # FILE.keys is written too.
            self.assert_refused(backup("phoneproof", "--with-keys"), 64, "phoneproof.keys is the key file")
            os.symlink("own", f"{self.folder}/saved.keys")
            self.assert_refused(backup("saved", "--with-keys"), 64, "saved.keys is not a plain file")
            os.remove(f"{self.folder}/saved.keys")
            url = {"DATABASE_URL": f"postgresql://127.0.0.1:1/p?passfile={self.folder}/password"}
            self.assert_refused(backup("password", **url), 64, "is a file of the configuration")
            self.assertEqual(state(), before)
            # Nor the database of another service.
            other = {"DATABASE_URL": f"sqlite:{self.folder}/other.sqlite"}
            self.assertEqual(self.run_program("migrate", **{**settings, **other})[0], 0)
            self.assert_refused(backup("phoneproof.sqlite", **other), 1, "phoneproof.sqlite-wal); choose another name")
            self.assert_done(backup("own"))

    def test_no_database_is_made_of_what_is_none(self):
        """Every command that writes to a database makes it if it is not there."""
        self.fill(1)
        path = f"{self.folder}/phoneproof.sqlite"
        os.mkfifo(f"{self.folder}/pipe")
        before = sorted(os.listdir(self.folder))
        for target, reason in [
            (f"{path}-wal", "belongs to"), (f"{path}-journal", "belongs to"), (f"{self.folder}/pipe", "not a plain file"),
            ("/dev/null", "not a plain file"),
        ]:
            for command in [("copy", "--to", f"sqlite:{target}"), ("migrate", "--database", f"sqlite:{target}"),
                            ("keys", "create", "--name", "n", "--database", f"sqlite:{target}")]:
                with self.subTest(command):
                    code, out, err = self.run_program(*command, **self.settings)
                    self.assertEqual((code, out), (78, ""), err)
                    self.assertIn(reason, err)
        code, out, err = self.run_program("keys", "make", **{**self.settings, "KEYS_FILE": f"{path}-wal"})
        self.assertEqual((code, out), (78, ""), err)
        self.assertIn("a file of the database", err)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_on_a_full_disk_nothing_is_left_of_it(self):
        self.fill(20_000)
        disk, prefix = self.small_disk("1m")
        script = '"$1" backup "$0/saved" --quiet; echo "$?"; ls -A "$0"'
        done = subprocess.run(
            [*prefix, "sh", "-c", script, disk, PROGRAM], capture_output=True, text=True, timeout=60, cwd=self.folder,
            env=environment(self.folder, **self.settings),
        )
        self.assertEqual(done.stdout, "1\n")
        self.assertIn(f"cannot write {disk}/saved", done.stderr)
        self.assertIn("disk is full", done.stderr)

    def test_one_that_is_killed_leaves_nothing(self):
        self.fill(20_000)
        before = set(os.listdir(self.folder))
        for force in [(), ("--force",)]:
            for place in ["copying account: ", "copying verification: ", "verifying account: "]:
                with self.begun("backup", self.file, *force, place=place, **self.settings) as process:
                    process.kill()
                # The log of the database is not that of the backup.
                left = {name for name in os.listdir(self.folder) if not name.endswith(("-wal", "-shm"))}
                self.assertEqual(left - before, {"saved"} if force else set(), place)
            self.assert_done(self.backup(*force))
        self.assertEqual(run("backup", self.file, "--verify")[0], 0)

    def test_one_that_is_interrupted_leaves_nothing(self):
        self.fill(20_000)
        with self.begun("backup", self.file, place="copying verification: ", **self.settings) as process:
            self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("saved")], [])
            process.send_signal(signal.SIGINT)
        out, err = self.outcome
        self.assertEqual((process.returncode, out), (130, ""))
        self.assertIn("nothing is left of the backup", err)
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("saved")], [])


class DamageTests(BackupTests):
    """Whatever has changed in a backup since it was made, it is not restored."""

    def setUp(self):
        super().setUp()
        with self.serve() as server:
            server.client.sign_up("01012345678")
            self.assertEqual(server.stop(), 0)
        self.assert_done(self.backup())
        self.settings["DATABASE_URL"] = self.target

    def verify(self, file=None):
        """It reads neither settings nor a database."""
        return self.run_program("backup", "--verify", "--quiet", file or self.file, SERVER_PORT="many")

    def changed(self, *statements):
        """A copy in which these statements of SQL were done."""
        path = f"{self.folder}/changed"
        shutil.copy(self.file, path)
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
            for statement in statements:
                database.execute(statement)
        return path

    def assert_damaged(self, path, word="damaged"):
        self.assert_refused(self.verify(path), 1, path, word)
        self.assert_refused(self.restore("--quiet", file=path), 1, path, word)
        self.assertFalse(os.path.exists(f"{self.folder}/new.sqlite"))

    def test_what_is_whole_is_said_to_be(self):
        out = self.assert_done(self.verify())[0]
        self.assertRegex(out, rf"^{self.file} is intact: \d+ rows, the state of 20..-..-..T")
        code, out, err = run("backup", "--verify", self.file, "--json")
        self.assertEqual(code, 0)
        self.assertEqual({row["name"]: row["count"] for row in json.loads(out)["tables"]}["account"], 1)
        self.assertIn("verifying account: 100 % of 1", err)
        self.assert_refused(self.verify(f"{self.folder}/phoneproof.sqlite"), 1, f"not a file that `{PROGRAM} backup`")
        self.assert_refused(self.verify("/dev/null"), 1, "not a plain file")
        self.assertEqual(run("backup", "--verify", "--force", self.file)[0], 64)

    def test_a_flipped_bit_in_any_row_is_noticed(self):
        with open(self.file, "rb") as file:
            whole = file.read()
        path = f"{self.folder}/flipped"
        places = [place for place in range(len(whole)) if whole.startswith(b"+821012345678", place)]
        self.assertGreater(len(places), 2)
        for place in places:
            # Another number, as good as this one.
            flipped = bytearray(whole)
            flipped[place + 12] ^= 1
            with open(path, "wb") as file:
                file.write(flipped)
            self.assert_damaged(path)

    def test_every_table_and_what_the_backup_says_of_itself_is_in_a_digest(self):
        tables = [row["name"] for row in json.loads(run("backup", "--verify", self.file, "--json")[1])["tables"]]
        with contextlib.closing(sqlite3.connect(self.file)) as database:
            found = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
            filled = [name for name in tables if database.execute(f"SELECT count(*) FROM {name}").fetchone()[0]]
        self.assertEqual(sorted(found), sorted([*tables, "backup", "backup_table"]))
        for name in filled:
            with self.subTest(name):
                self.assert_damaged(self.changed(f"DELETE FROM {name}"), f"damaged (the table {name})")
        for change in [
            "UPDATE backup SET made_at = made_at + 1",
            "UPDATE backup SET digest = iif(digest LIKE '0%', '1', '0') || substr(digest, 2)",
            "DELETE FROM backup_table WHERE name = 'account'", "UPDATE backup_table SET count = count + 1",
            "UPDATE backup_table SET digest = 'none'", "UPDATE backup_table SET columns = 'id'",
            "ALTER TABLE account RENAME COLUMN e164 TO number", "DROP TABLE signup",
        ]:
            with self.subTest(change):
                self.assert_damaged(self.changed(change))
        self.assert_damaged(self.changed("PRAGMA user_version = 0"), "its user_version is 0")
        self.assert_damaged(self.changed("PRAGMA user_version = -1"), "its user_version is -1")
        self.assert_damaged(self.changed("PRAGMA user_version = 99"), "newer version")


class RestoringTests(BackupTests):
    # Accounts, verifications and entries, so that a restore can be killed in the middle.
    MANY = 20_000

    def empty(self):
        """An empty database."""
        for suffix in ["", "-wal", "-shm"]:
            with contextlib.suppress(FileNotFoundError):
                os.remove(f"{self.folder}/phoneproof.sqlite{suffix}")

    def change(self, statement):
        sql(self.folder, statement)

    def test_nothing_that_may_have_been_used_since_is_good_once_more(self):
        with self.serve() as server:
            client = server.client
            signed_up = client.sign_up("01012345678").json
            account, old = signed_up["account"]["id"], signed_up["tokens"]["refresh_token"]
            begun = client.begin("01087654321").json
            code = client.code("+821087654321")
            client.call("PUT", "/stub/behavior", {"mode": "reject", "error_code": 20429, "to_prefix": "+8210999"})
            client.begin("01099988887")
            self.assert_done(self.backup("--with-keys"))
            check = f"/v1/verifications/{begun['id']}/checks"
            self.assertEqual(client.call("POST", check, {"code": code}).json["status"], "approved")
            refreshed = self.refresh(client, old)
            self.assertEqual(refreshed.status, 200, refreshed.text)
            late = client.sign_up("01055556666")
            self.assertEqual(late.status, 201)
            self.assert_refused(self.restore("--force"), 1, "stop")
            self.assertEqual(server.stop(), 0)

        self.empty()
        os.remove(self.settings["KEYS_FILE"])
        self.assert_refused(self.restore(), 78, "there is no key file", "--with-keys")
        out, err = self.assert_done(self.restore("--with-keys"))
        self.assertEqual({row[3] for row in table(out).values()}, {"same"})
        for words in ["expired 2 codes and 0 approvals", "set 1 message to unknown", "1 session ended",
                      "what happened since is lost"]:
            self.assertIn(words, err)
        with self.serve() as server:
            client = server.client
            again = client.call("POST", check, {"code": code})
            self.assertEqual((again.status, again.json["code"]), (410, "code_expired"))
            for token in [old, refreshed.json["refresh_token"]]:
                self.assertEqual(self.refresh(client, token).status, 401)
            # The one who was there is known, and the one who came later is new.
            known = client.sign_up("01012345678")
            self.assertEqual((known.status, known.json["account"]["id"]), (200, account))
            self.assertEqual(client.sign_up("01055556666").status, 201)
            self.assertEqual(server.sent("+821099988887"), [])
            self.assertEqual(server.stop(), 0)
        listed = self.run_program("outbox", "list", "--status", "unknown", **self.settings)[1]
        self.assertEqual(len(listed.splitlines()), 2, listed)

    def test_with_the_sessions_kept_a_device_stays_signed_in(self):
        with self.serve() as server:
            token = server.client.sign_up("01012345678").json["tokens"]["refresh_token"]
            self.assertEqual(server.stop(), 0)
        self.assert_done(self.backup())
        self.empty()
        self.assertIn("0 codes", self.assert_done(self.restore("--keep-sessions"))[1])
        with self.serve() as server:
            self.assertEqual(self.refresh(server.client, token).status, 200)
            self.assertEqual(server.stop(), 0)

    def test_an_approval_that_is_still_good_expires_and_an_older_one_stays(self):
        with self.serve() as server:
            client = server.client
            begun = client.begin("01087654321").json
            code = {"code": client.code("+821087654321")}
            self.assertEqual(client.call("POST", f"/v1/verifications/{begun['id']}/checks", code).status, 200)
            self.assertEqual(server.stop(), 0)
        self.change(
            "INSERT INTO verification SELECT decode('00000000000000000000000000000001', 'hex'), e164, owner, channel, language, "
            "code_key_id, code_mac, code_ciphertext, created_at, code_ttl, is_test, has_custom_code, begun_from, expires_at, sent_at, "
            "accepted_at, next_send_at, sends_left, checks_left, checks_left_at_send, status, updated_at - 4000000, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM "
            "verification"
        )
        self.assert_done(self.backup())
        self.empty()
        self.assertIn("expired 0 codes and 1 approval,", self.assert_done(self.restore())[1])
        self.assertEqual(self.ask("SELECT group_concat(status) FROM (SELECT status FROM verification ORDER BY id)"),
                         "approved,expired")

    def test_a_database_that_is_not_empty_is_replaced_only_if_that_is_meant(self):
        self.fill(3)
        self.run_program("keys", "make", **self.settings)
        self.assert_done(self.backup())
        self.empty()
        self.fill(5)
        self.assert_refused(self.restore(), 1, "(5 verification, 5 account, 5 account_number, 5 audit_entry)", "--force")
        self.assertEqual(self.ask("SELECT count(*) FROM account"), 5)
        self.assertIn("5 account", self.assert_done(self.restore("--force"))[1])
        for kind in ["account", "account_number", "verification", "audit_entry"]:
            self.assertEqual(self.ask(f"SELECT count(*) FROM {kind}"), 3)

    def test_killed_half_way_the_database_is_as_it_was(self):
        self.fill(self.MANY)
        self.run_program("keys", "make", **self.settings)
        self.assert_done(self.backup())
        self.empty()
        self.fill(5)
        for place in ["copying account: ", "copying verification: ", "checking account: "]:
            with self.begun("restore", self.file, "--force", place=place, **self.settings) as process:
                process.kill()
            self.assertEqual((self.outcome[0], process.returncode), ("", -9))
            self.assertEqual(self.ask("PRAGMA integrity_check"), "ok")
            self.assertEqual(self.ask("SELECT count(*) FROM account"), 5)
            self.assertEqual(self.ask("SELECT count(*) FROM audit_entry"), 5)
        self.assert_done(self.restore("--force"))
        self.assertEqual(self.ask("SELECT count(*) FROM account"), self.MANY)

    def test_on_a_full_disk_the_database_is_as_it_was(self):
        self.fill(20_000)
        self.run_program("keys", "make", **self.settings)
        self.assert_done(self.backup())
        disk, prefix = self.small_disk("3m")
        script = (
            '"$0" restore "$1" --quiet; echo "$?"; '
            '"$0" backup "$1.after" --quiet | grep -c " 0  *0  *0000000000000000  same"'
        )
        done = subprocess.run(
            [*prefix, "sh", "-c", script, PROGRAM, self.file], capture_output=True, text=True, timeout=60, cwd=self.folder,
            env=environment(self.folder, **{**self.settings, "DATABASE_URL": f"sqlite:{disk}/phoneproof.sqlite"}),
        )
        self.assertEqual(done.stdout, f"1\n{len(KINDS)}\n", done.stderr)
        self.assertIn("disk is full; the database is as it was", done.stderr)

    def test_keys_that_are_not_the_backups_are_refused(self):
        with self.serve() as server:
            self.assertEqual(server.stop(), 0)
        self.assert_done(self.backup())
        self.empty()
        keys = self.settings["KEYS_FILE"]
        with open(keys) as file:
            name = file.read().split()[-2]
        os.remove(keys)
        self.run_program("keys", "make", **self.settings)
        self.assert_refused(self.restore(), 78, f"encrypted with the key {name}, which {keys} does not contain")
        with open(keys, "w") as file:
            file.write(f"{name} {'ab' * 32}\n")
        self.assert_refused(self.restore(), 78, f"the key {name} in {keys} is not the one")
        self.assertFalse(os.path.exists(f"{self.folder}/phoneproof.sqlite"))

    def test_what_is_no_backup_is_refused_and_nothing_is_made(self):
        self.fill(2000)
        self.run_program("keys", "make", **self.settings)
        self.assert_done(self.backup())
        self.assert_refused(self.restore(file=f"{self.folder}/phoneproof.sqlite"), 1, f"not a file that `{PROGRAM} backup`")
        self.empty()
        self.assert_refused(self.restore(file=f"{self.folder}/nothing"), 1, "cannot read", "No such file")
        self.assert_refused(self.restore(file=self.settings["KEYS_FILE"]), 1, f"not a file that `{PROGRAM} backup`")
        newer, torn = f"{self.folder}/newer", f"{self.folder}/torn"
        shutil.copy(self.file, newer)
        with contextlib.closing(sqlite3.connect(newer, isolation_level=None)) as database:
            database.execute("PRAGMA user_version = 99")
        self.assert_refused(self.restore(file=newer), 1, "newer version", "restore it with that version")
        with open(self.file, "rb") as whole, open(torn, "wb") as part:
            part.write(whole.read(40_000))
        self.assert_refused(self.restore(file=torn), 1, f"{torn} is damaged")
        self.assertFalse(os.path.exists(f"{self.folder}/phoneproof.sqlite"))
        self.assert_refused(self.restore(DATABASE_URL="sqlite::memory:"), 78, "in memory")


class PostgreSQLBackupTests(RestoringTests):
    """The same of a database on a server."""

    # It takes longer for each row.
    MANY = 6_000
    # The disk is the server's.
    test_on_a_full_disk_the_database_is_as_it_was = None
    # These ask nothing of the database.
    test_keys_that_are_not_the_backups_are_refused = None
    test_what_is_no_backup_is_refused_and_nothing_is_made = None

    @classmethod
    def setUpClass(cls):
        cls.server = cls.enter_for_all(PostgreSQL())

    def setUp(self):
        super().setUp()
        self.file_source = self.source
        self.settings["DATABASE_URL"] = self.server.create_database()

    def empty(self):
        self.settings["DATABASE_URL"] = self.server.create_database()

    def change(self, statement):
        self.server.sql(statement, self.settings["DATABASE_URL"].rsplit("/", 1)[1])

    def ask(self, sql, name=None):
        """Of a copy in a file."""
        copy = f"{self.folder}/asked.sqlite"
        for suffix in ["", "-wal", "-shm"]:
            with contextlib.suppress(FileNotFoundError):
                os.remove(copy + suffix)
        code, _, err = self.run_program("copy", "--to", f"sqlite:{copy}", **self.settings)
        self.assertEqual(code, 0, err)
        return super().ask(sql, "asked.sqlite")

    def fill(self, count):
        super().fill(count, "filled.sqlite")
        code, _, err = self.run_program("copy", "--from", f"sqlite:{self.folder}/filled.sqlite", **self.settings)
        self.assertEqual(code, 0, err)
        os.remove(f"{self.folder}/filled.sqlite")

    def test_a_backup_of_a_server_is_restored_into_a_file_and_saved_again_the_same(self):
        with self.serve() as server:
            self.assertEqual(server.client.sign_up("01012345678").status, 201)
            self.assertEqual(server.stop(), 0)
        first = json.loads(self.assert_done(self.backup("--json"))[0])
        self.settings["DATABASE_URL"] = self.file_source
        self.assert_done(self.restore("--keep-sessions"))
        second = json.loads(self.assert_done(self.backup("--json", "--force"))[0])
        # A verification loses what may be repeated, and nothing else changes.
        changed = [one["kind"] for one, other in zip(first["records"], second["records"]) if one != other]
        self.assertEqual(changed, ["verification"])
