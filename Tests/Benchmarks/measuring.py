"""One run of a row of calls, of the service or of the floor: what wrk reports, what it cost, and what is wrong with it."""

import time

import load


def floor_lines(row, path, count):
    """The floor is sent bodies of the same size."""
    load.write_lines(path, [("/" + row.floor, row.floor_body())] * count)


def measure(row, service, numbers, connections, seconds, folder):
    """One run of one row."""
    seconds *= row.length
    arguments = row.prepare(service, numbers, round(row.calls_per_second * seconds), f"{folder}/calls", connections)
    headers = row.headers(service)
    before, metrics = service.statuses(), service.metrics()
    used = service.cpu_seconds()
    start = time.monotonic()
    report = load.wrk(row.script, service.ports, connections, seconds, arguments, headers)
    waited = time.monotonic() - start
    owed, drained_in = service.drain()
    # What is done afterwards is a part of what was asked for.
    used = service.cpu_seconds() - used
    after = service.statuses()
    statuses = {status: after[status] - before.get(status, 0) for status in after}
    statuses = {status: count for status, count in statuses.items() if count}
    later = service.metrics()
    batches, operations = (
        later.get(f'phoneproof_store_batch_operations_{each}{{kind="write"}}', 0)
        - metrics.get(f'phoneproof_store_batch_operations_{each}{{kind="write"}}', 0)
        for each in ["count", "sum"]
    )
    # wrk ends while some are under way: those are answered, and counted by the service alone.
    answered = max(1, sum(statuses.values()) - report["extra"])
    # Of signups only those that were finished are counted, though the others took their time.
    calls = 3 * report["completed"] if row.script == "signups" else report["requests"]
    wrong = {status: count for status, count in statuses.items() if status not in row.statuses and count > 10}
    faults = []
    if wrong:
        faults.append("answered by " + ", ".join(f"{status} ({count} times)" for status, count in sorted(wrong.items())))
    if report["failed"]:
        faults.append(f"{report['failed']} connections failed")
    if calls < 100:
        faults.append(f"only {calls} calls")
    return {
        "throughput": calls / report["duration"] * 1e6,
        "p50": report["p50"], "p99": report["p99"], "p99.9": report["p99.9"],
        "cpu": used / answered * 1e6,
        "calls": calls, "seconds": report["duration"] / 1e6, "waited": waited,
        "completed": report["completed"], "idle": report["extra"],
        "owed": owed, "drained_in": drained_in, "batch": operations / batches if batches else None,
        "faults": faults,
    }


def measure_floor(row, floor, connections, seconds, path, threads):
    used = floor.cpu_seconds()
    headers = {"Authorization": "Bearer pk_" + "0" * 32 + "_" + "0" * 43}
    report = load.wrk("lines", [floor.port] * threads, connections, seconds, [path, "/" + row.floor], headers)
    used = floor.cpu_seconds() - used
    faults = []
    if report["refused"] or report["failed"]:
        faults.append(f"the floor: {report['refused']} calls refused, {report['failed']} connections failed")
    return {
        "throughput": report["requests"] / report["duration"] * 1e6,
        "p50": report["p50"], "p99": report["p99"], "p99.9": report["p99.9"],
        "cpu": used / report["requests"] * 1e6, "calls": report["requests"], "seconds": report["duration"] / 1e6,
        "faults": faults,
    }
