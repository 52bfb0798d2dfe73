"""A service of many years: how it fares on a database with millions of accounts and old verifications, beside an empty one.

They are made as if so many people had signed up from twenty to ten days ago, which retention.days keeps and the shorter one of
the purge does not: for each an account, its session, the verification, its message, and three entries of the audit trail.
"""

import contextlib
import os
import shutil
import sqlite3
import tempfile
import time

import calls
import figures
import load
import postgresql
import rows
from figures import Target
from service import Service

# As measured with ten million of them.
BYTES_EACH = 3100
TARGETS = [
    Target("throughput by that on an empty database", "at least", 0.9, "%"),
    Target("p99 with purging by that without", "at most", 2, "×"),
]
CONNECTIONS = 64

# Names in order of time, as PhoneProof gives them, and behind it what looks like chance: multiplying by an odd number (Knuth's) is
# one to one on 32 bits. Digests begin with the name of the key that the service has, so that its own come to lie among them.
# In what both engines understand, with the functions below.
PEOPLE = """
CREATE {temporary} TABLE person AS
WITH RECURSIVE n(i) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {count})
SELECT i, id(at, i) AS name, '+8210' || subscriber AS e164, at, '{key}:' || hexadecimal(randomblob(32)) AS digest,
    '{key}:' || digits(subscriber / 10000 * 2654435761 % 4294967296, 8) || digits(subscriber / 10000, 56) AS prefix
FROM (
    SELECT i, {now} - 1728000000 + i * 864000000 / {count} AS at, 20000000 + i * 7919 % 80000000 AS subscriber FROM n
) AS persons;

CREATE INDEX person_i ON person (i)
"""
FILL = """
INSERT INTO account (
    id, e164, phone_number_since, created_at, created_by, last_active_at, metadata, session_generation
)
SELECT name, e164, at, at, name, at, '{{}}', 0 FROM person WHERE i BETWEEN {first} AND {last};

INSERT INTO account_number (e164, account_id)
SELECT e164, name FROM person WHERE i BETWEEN {first} AND {last} ON CONFLICT DO NOTHING;

INSERT INTO verification (
    id, e164, owner, channel, language, code_key_id, code_mac, code_ciphertext, created_at, expires_at, next_send_at,
    sends_left, checks_left, status, updated_at, consumed_by, sent_at, accepted_at, code_ttl, is_test, has_custom_code
)
SELECT name, e164, 'caller:benchmark', 'sms', 'en', '{key}', randomblob(32), randomblob(38), at, at + 600000,
    at + 30000, 4, 4, 'approved', at + 20000, name, at, at + 5, 600000, FALSE, FALSE
FROM person WHERE i BETWEEN {first} AND {last};

INSERT INTO outbox_message (
    id, verification_id, created_at, status, attempts, next_attempt_at, gateway, gateway_message_id, forgiven_attempts,
    is_withheld
)
SELECT name, name, at, 'delivered', 1, at + 60000, 'stub', 'SM' || hexadecimal(randomblob(16)), 0, FALSE
FROM person WHERE i BETWEEN {first} AND {last};

INSERT INTO session (
    id, account_id, created_at, expires_at, token_digest, refreshed_at, idle_until, generation, proof
)
SELECT name, name, at, at + 7776000000, randomblob(32), at, at + 2592000000, 0, 'code'
FROM person WHERE i BETWEEN {first} AND {last};

INSERT INTO audit_entry (
    id, at, action, owner, address, verification_id, masked_number, number_digest, prefix_digest, region, verdict, reasons
)
SELECT (at + 1000 * step) * 1048576 + 1000 + i % 1000000, at + 1000 * step, action, 'caller:benchmark', NULL, name,
    '+82 10-****-' || substr(e164, 10), digest, prefix, 'KR', verdict, reasons
FROM person, (
    SELECT 0 AS step, 'begin' AS action, 'allow' AS verdict, 'guard_off' AS reasons
    UNION ALL SELECT 1, 'approve', NULL, '' UNION ALL SELECT 2, 'sign_up', NULL, ''
) AS steps
WHERE i BETWEEN {first} AND {last}
ORDER BY i
"""
POSTGRESQL_FUNCTIONS = """
CREATE FUNCTION digits(n bigint, width int) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT lpad(to_hex(n), width, ''0'')';
CREATE FUNCTION id(at bigint, i bigint) RETURNS bytea IMMUTABLE LANGUAGE sql AS
    'SELECT decode(digits(at, 12) || digits(i * 2654435761 % 4294967296, 8) || digits(i, 12), ''hex'')';
CREATE FUNCTION randomblob(n int) RETURNS bytea LANGUAGE sql AS
    'SELECT substr(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), 1, n)';
CREATE FUNCTION hexadecimal(bytes bytea) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT encode(bytes, ''hex'')'
"""
TABLES = ["account", "account_number", "verification", "outbox_message", "session", "audit_entry"]
LISTED = ", ".join(f"'{name}'" for name in TABLES)


class SQLite:
    """The file of a service that is not running, or is only asked."""

    store = "sqlite-full"
    temporary = "TEMP"
    indexes = f"SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN ({LISTED})"

    def __init__(self, service):
        self.path = f"{service.folder}/phoneproof.sqlite"

    @contextlib.contextmanager
    def filling(self):
        with contextlib.closing(sqlite3.connect(self.path, isolation_level=None)) as database:
            database.create_function("id", 2, lambda at, i: bytes.fromhex(f"{at:012x}{i * 2654435761 % 2**32:08x}{i:012x}"))
            database.create_function("digits", 2, lambda n, width: f"{n:0{width}x}")
            database.create_function("hexadecimal", 1, bytes.hex)
            for pragma in ["journal_mode = MEMORY", "synchronous = OFF", "cache_size = -2000000", "foreign_keys = OFF",
                           "temp_store = FILE"]:
                database.execute(f"PRAGMA {pragma}")
            database.execute("BEGIN")
            yield lambda text: [database.execute(each).fetchall() for each in text.split(";\n")][-1]
            database.execute("COMMIT")
            database.execute("PRAGMA journal_mode = WAL")

    def ask(self, query):
        with contextlib.closing(sqlite3.connect(self.path, timeout=30)) as database:
            return database.execute(query).fetchone()[0]

    @property
    def size(self):
        return sum(os.path.getsize(self.path + end) for end in ["", "-wal"] if os.path.exists(self.path + end))


class PostgreSQL:
    """The database of a service."""

    store = "postgresql-1"
    temporary = "UNLOGGED"
    indexes = f"""
        SELECT indexname, indexdef FROM pg_indexes WHERE tablename IN ({LISTED})
        AND indexname NOT IN (SELECT conname FROM pg_constraint)"""

    def __init__(self, service):
        self.server = service.server

    @contextlib.contextmanager
    def filling(self):
        def execute(text):
            shown = self.server.sql(f"SET ROLE {postgresql.USER}; SET synchronous_commit = off; {text}", timeout=7200)
            return [line.split("|", 1) for line in shown.splitlines()]

        execute(POSTGRESQL_FUNCTIONS)
        yield execute
        # As autovacuum leaves them.
        self.server.sql("VACUUM ANALYZE", timeout=7200)

    def ask(self, query):
        return self.server.sql(query, timeout=600)

    @property
    def size(self):
        return int(self.ask("SELECT pg_database_size(current_database())"))


def require_room(count, folder):
    needed, free = count * BYTES_EACH * 1.4, shutil.disk_usage(folder).free
    if needed > free:
        raise RuntimeError(
            f"{count:,} accounts and verifications need some {needed / 1e9:.1f} GB, indexes being made with them; in {folder} "
            f"{free / 1e9:.1f} GB are free. Free some, set TMPDIR to another disk, or ask for fewer: --large N"
        )


def fill(database, count, key):
    """Makes the rows, in tables that PhoneProof has made.

    Indexes are made when two thirds are there, and what comes behind is inserted with them, as the service does it. So a page
    is three quarters full where numbers and digests lie in an order of their own. Made at the end it would be full, and each
    insert would split one, which a file that has grown does not do.

    key: the name of the key by which the service makes digests.
    """
    with database.filling() as execute:
        made = execute(database.indexes)
        for name, _ in made:
            execute(f'DROP INDEX "{name}"')
        execute(PEOPLE.format(temporary=database.temporary, count=count, now=int(time.time() * 1000), key=key))
        execute(FILL.format(first=0, last=count * 2 // 3 - 1, key=key))
        for _, definition in made:
            execute(definition)
        execute(FILL.format(first=count * 2 // 3, last=count - 1, key=key))
        # They have been counted in the daily figures, as they were within an hour of their end.
        execute(
            "INSERT INTO figure_progress (name, position) SELECT 'verifications', name FROM person ORDER BY i DESC LIMIT 1"
        )
        execute("DROP TABLE person")


def digest_key(service, database):
    """The name of the key by which this service makes digests, as it writes it."""
    path, body = rows.start_call("01099999999")
    service.client.call("POST", path, body, **service.headers)
    service.drain()
    return database.ask("SELECT number_digest FROM audit_entry WHERE number_digest IS NOT NULL LIMIT 1").partition(":")[0]


def count_rows(database):
    # Of those that were made, not of those that the load begins.
    return int(database.ask("SELECT count(*) FROM verification WHERE consumed_by IS NOT NULL"))


def measure(service, numbers, options, folder):
    row = next(row for row in rows.ROWS if row.name == "start")
    return load.measure(row, service, numbers, CONNECTIONS, options.seconds, folder)


def run(options, out):
    return {each.store: run_on(each, options, out) for each in [SQLite, PostgreSQL] if each.store in options.stores}


def run_on(engine, options, out):
    count = options.large
    require_room(count, tempfile.gettempdir())
    out(f"\nlarge: POST /v1/verifications on a database with {count:,} accounts and as many verifications, messages and")
    out(f"  sessions, and {3 * count:,} entries of the audit trail, by turns with an empty one; {CONNECTIONS} connections, {engine.store}")
    runs = max(3, options.runs)
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="phoneproof-bench-"))
        # Kept for as long as possible, so that nothing is purged but when that is measured.
        empty = stack.enter_context(Service(engine.store, RETENTION_DAYS="3650"))
        full = stack.enter_context(Service(engine.store, RETENTION_DAYS="3650"))
        database = engine(full)
        key = digest_key(full, database)
        full.instances.pop().stop()
        begin = time.monotonic()
        fill(database, count, key)
        size = database.size
        out(f"  made in {time.monotonic() - begin:.0f} s: {size / 1e6:,.0f} MB, {size / count:,.0f} bytes for each")
        full.start_instance()

        found = {"empty": [], "large": [], "purging": []}
        numbers = {"empty": load.Numbers(), "large": load.Numbers()}
        for name, service in [("empty", empty), ("large", full)]:
            measure(service, numbers[name], options, folder)
        for _ in range(runs):
            found["empty"].append(measure(empty, numbers["empty"], options, folder))
            found["large"].append(measure(full, numbers["large"], options, folder))
        full.settings["RETENTION_DAYS"] = "10"
        full.restart()
        left = before = count_rows(database)
        for _ in range(runs):
            found["purging"].append(measure(full, numbers["large"], options, folder))
            was, left = left, count_rows(database)
            if left == was:
                found["purging"][-1]["faults"].append("nothing was purged meanwhile")
        return report(found, before, left, count, size, out)


def report(found, before, left, count, size, out):
    out(f"{'':<15}{'calls/s':>10}{'spread':>16}{'p50 ms':>9}{'p99 ms':>9}{'p99.9':>9}{'CPU µs':>8}{'owed':>8}{'batch':>7}")
    merged = {name: calls.merged(runs) for name, runs in found.items()}
    for name, each in merged.items():
        throughput = each["throughput"]
        out(
            f"{name:<15}{throughput['median']:>10,.0f}{throughput['least']:>9,.0f}–{throughput['most']:<6,.0f}"
            + "".join(f"{each[part]['median'] / 1000:>9.2f}" for part in ["p50", "p99", "p99.9"])
            + f"{each['cpu']['median']:>8.0f}{each['owed']['median']:>8.0f}{each['batch']['median']:>7.1f}"
        )
        for fault in sorted({fault for run in found[name] for fault in run["faults"]}):
            out(f"  INVALID  {name}: {fault}")
    out(f"  purged meanwhile: {before - left:,} of {before:,} verifications with what hangs on them")
    by_turns = figures.ratios(*([run["throughput"] for run in found[name]] for name in ["large", "empty"]))
    latency = merged["purging"]["p99"]["median"] / merged["large"]["p99"]["median"]
    judged = [TARGETS[0].judge(by_turns["median"]), TARGETS[1].judge(latency)]
    for each in judged:
        out(figures.verdict(each))
    return {"count": count, "bytes": size, "runs": found, "throughput": by_turns, "targets": judged}
