"""What the service keeps in memory: idle, for verifications that are pending, and at its peak."""

import tempfile
import time

import figures
import load
import rows
from figures import Target, shown
from service import Service

PER = 100_000
# So many beforehand, for what a service takes once, be it for one verification or for many: the database's page cache, the
# allocator's reserve, the stacks of its threads. It shows as `warm`.
WARM = 50_000
TARGET = Target(f"memory for {PER:,} pending verifications", "at most", 5, "MB")


def settled(service, field="VmRSS"):
    """The memory once it stays as it is: three looks in a row, half a second apart, within a hundredth."""
    looks = []
    while True:
        looks.append(service.memory_bytes(field))
        if len(looks) >= 4 and max(looks[-3:]) - min(looks[-3:]) <= 0.01 * looks[-1]:
            return looks[-1]
        if len(looks) > 60:
            return looks[-1]
        time.sleep(0.5)


def fill(service, numbers, count, folder):
    """Begins N verifications, but for those few that wrk has under way when it ends; gives how many."""
    begun = 0
    while begun < 0.99 * count:
        path = f"{folder}/calls"
        load.write_lines(path, map(rows.start_call, numbers.take(count - begun)))
        before = service.statuses()
        report = load.wrk("lines", service.ports, 64, 30, [path], service.headers)
        answered = service.statuses().get(201, 0) - before.get(201, 0)
        if report["refused"] or report["failed"] or not answered:
            raise RuntimeError(f"of {count} starts {report['refused']} were refused, {report['failed']} failed")
        begun += answered
    service.drain()
    return begun


def run(options, out):
    """For each store of one instance: idle, warm, after N starts more, and the difference for each 100,000."""
    out(f"\nmemory: {options.pending:,} verifications begun after the first {WARM:,}, each message delivered; none has ended")
    out("  A database server's memory is its own affair. What the database in memory holds is all in the process.")
    out(f"{'store':<15}{'idle':>10}{'warm':>10}{'pending':>10}{'difference':>12}{f'per {PER:,}':>14}{'peak':>10}")
    results = []
    for store in options.stores:
        if store == "postgresql-3":
            continue
        with tempfile.TemporaryDirectory(prefix="phoneproof-bench-") as folder, Service(store) as service:
            idle = settled(service)
            numbers = load.Numbers()
            fill(service, numbers, WARM, folder)
            warm = settled(service)
            begun = fill(service, numbers, options.pending, folder)
            pending, peak = settled(service), service.memory_bytes("VmHWM")
        each = (pending - warm) / begun * PER / 1e6
        result = {"store": store, "idle": idle, "warm": warm, "pending": pending, "peak": peak, "per_100000_mb": each, "count": begun}
        out(
            f"{store:<15}" + "".join(f"{shown(value / 1e6, 'MB'):>{width}}" for value, width in [
                (idle, 10), (warm, 10), (pending, 10), (pending - warm, 12), (each * 1e6, 14), (peak, 10),
            ])
        )
        if store == "sqlite-full":
            if begun < 0.99 * PER:
                # Of few more, the allocator's steps are all that shows.
                out(f"  not judged  {TARGET.what}, by {begun:,}")
            else:
                result["targets"] = [TARGET.judge(each)]
                out(figures.verdict(result["targets"][0], f"{store}: "))
        results.append(result)
    return results
