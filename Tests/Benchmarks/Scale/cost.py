"""What a call costs whatever the machine: transactions, flushes, bytes to the disk, messages."""

import contextlib
import os
import pathlib
import sqlite3
import struct
import tempfile
import time

import load
import memory
from service import Service

KEPT = 20_000


def start(service, number):
    answer = service.client.begin(number, service.key)
    expect(answer, 201)
    service.drain()
    return answer.json


def check(service, verification, code=None):
    code = code or service.client.code(verification["phone_number"])
    return service.client.check(verification["id"], code, service.key)


def signup(service, number):
    path, token = service.client.begin_signup(number, locale="ko")
    service.drain()
    expect(service.client.enter_code(path, token, service.client.code(number)), 201)


def expect(answer, status):
    if answer.status != status:
        raise RuntimeError(f"{answer.status} instead of {status}: {answer.text}")


class Reading:
    """What the service has done until now."""

    NAMES = {
        "operations": 'phoneproof_store_batch_operations_sum{kind="write"}',
        "transactions": 'phoneproof_store_batch_operations_count{kind="write"}',
        "reads": 'phoneproof_store_batch_operations_count{kind="read"}',
    }

    def __init__(self, service):
        metrics = service.metrics()
        self.counts = {name: metrics.get(series, 0) for name, series in self.NAMES.items()}
        self.counts["log_bytes"] = os.path.getsize(log_of(service))

    def since(self, earlier, count):
        return {name: (value - earlier.counts[name]) / count for name, value in self.counts.items()}


def files(service):
    return [path for path in pathlib.Path(service.folder).rglob("*.sqlite*")]


def log_of(service):
    return next(path for path in files(service) if path.name.endswith("-wal"))


def pages_written(service, start, end):
    """The numbers of the pages in a stretch of the write-ahead log (https://www.sqlite.org/walformat.html)."""
    with open(log_of(service), "rb") as log:
        size = struct.unpack(">I", log.read(12)[8:])[0]
        frame = 24 + size
        for place in range(max(start, 32), end, frame):
            log.seek(place)
            yield struct.unpack(">I", log.read(4))[0]


def trees_changed(service, stretches):
    """How many B-trees, tables and indexes, each of these stretches of the log changes, in the mean."""
    path = next(path for path in files(service) if path.suffix == ".sqlite")
    with contextlib.closing(sqlite3.connect(path)) as database:
        tree_of = dict(database.execute("SELECT pageno, name FROM dbstat"))
    trees = [{tree_of.get(page) for page in pages_written(service, *stretch)} - {None} for stretch in stretches]
    return sum(map(len, trees)) / len(trees), sorted(set.union(*trees))


def make_older(service, seconds):
    """Has every verification begun so much earlier, IDs included, and approved: upkeep has nothing to do but to count it."""
    def older(key):
        return (int.from_bytes(key[:6], "big") - 1000 * seconds).to_bytes(6, "big") + key[6:]

    path = next(path for path in files(service) if path.suffix == ".sqlite")
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.create_function("older", 1, older, deterministic=True)
        moments = ", ".join(f"{name} = {name} - {1000 * seconds}" for name in ("created_at", "expires_at", "sent_at", "updated_at"))
        database.execute(f"UPDATE verification SET id = older(id), status = 'approved', {moments}")
        database.execute("UPDATE outbox_message SET id = older(id), verification_id = older(verification_id), "
                         f"created_at = created_at - {1000 * seconds}")
        database.commit()


def roll_up(service, begun):
    """The pages that upkeep writes to count these verifications in the daily figures, by tree, and how long it takes."""
    make_older(service, 2 * 3600)
    path = next(path for path in files(service) if path.suffix == ".sqlite")
    service.start_instance()
    start = time.monotonic()
    with contextlib.closing(sqlite3.connect(path)) as database:
        while (database.execute("SELECT sum(requested) FROM daily_figure").fetchone()[0] or 0) < begun:
            if time.monotonic() > start + 120:
                raise RuntimeError("the daily figures were not counted in two minutes")
            time.sleep(0.02)
        seconds = time.monotonic() - start
        tree_of = dict(database.execute("SELECT pageno, name FROM dbstat"))
    log = log_of(service)
    trees = [tree_of.get(page) for page in pages_written(service, 0, os.path.getsize(log))]
    return {name: trees.count(name) for name in sorted({*trees} - {None})}, seconds


def run(options, out):
    """Each call alone, one after the other, on a file: the most that it costs, since under load many share a transaction."""
    count = 20
    out(f"\ncost: of each call alone, the mean of {count}, and of what follows from it, until the message is delivered")
    out("  Each transaction is one flush. Under load many operations share one, and a page that they all change is written once.")
    out(f"{'call':<34}{'operations':>11}{'transactions':>13}{'reads':>7}{'log KiB':>9}{'trees':>7}")
    results = []

    def measure(name, service, calls):
        before, stretches = Reading(service), []
        for call in calls:
            start = os.path.getsize(log_of(service))
            call()
            stretches.append((start, os.path.getsize(log_of(service))))
        made = {"call": name, **Reading(service).since(before, len(calls))}
        made["trees"], names = trees_changed(service, stretches)
        results.append(made)
        out(
            f"{name:<34}{made['operations']:>11.1f}{made['transactions']:>13.1f}{made['reads']:>7.1f}"
            f"{made['log_bytes'] / 1024:>9.0f}{made['trees']:>7.1f}"
        )
        out(f"  trees: {', '.join(names)}")

    numbers = load.Numbers()
    with Service("sqlite-full") as service:
        pending = []
        calls = [lambda number=number: pending.append(start(service, number)) for number in numbers.take(count)]
        measure("a verification and its message", service, calls)
        measure("a wrong code", service, [lambda one=one: expect(check(service, one, "000000"), 422) for one in pending])
        measure("the right code", service, [lambda one=one: expect(check(service, one), 200) for one in pending])
    with Service("sqlite-full") as service:
        measure("a guided signup, from end to end", service, [lambda n=n: signup(service, n) for n in numbers.take(count)])
    with tempfile.TemporaryDirectory(prefix="phoneproof-bench-") as folder, Service("sqlite-full") as service:
        begun = memory.fill(service, load.Numbers(), KEPT, folder)
        for instance in service.instances:
            instance.stop()
        kept = sum(path.stat().st_size for path in files(service)) / begun
        service.instances = []
        pages, seconds = roll_up(service, begun)
        for instance in service.instances:
            instance.stop()
        service.instances = []
    results.append({"call": "kept", "bytes": kept})
    results.append({"call": "daily figures", "pages": sum(pages.values()) / begun, "seconds": seconds})
    out(f"kept of a verification, its message and its line in the audit trail: {kept / 1024:.2f} KiB on the disk, indexes included")
    out(f"daily figures of {begun:,} verifications, which upkeep counts after they have settled: {sum(pages.values()) / begun:.4f} pages a "
        f"verification ({', '.join(f'{name} {count}' for name, count in pages.items())}), {seconds:.1f} s")
    return results
