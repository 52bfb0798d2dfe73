"""Load by wrk: what it is to send, and what came of it."""

import json
import os
import pathlib
import shutil
import subprocess
import time

SCRIPTS = pathlib.Path(__file__).resolve().parent / "load"


def wrk(script, ports, connections, seconds, arguments=(), headers=None, threads=None, method="POST"):
    """Loads the servers at these ports by a script of `load`, and gives what it reports."""
    program = shutil.which("wrk")
    if not program:
        raise RuntimeError("wrk is not installed: apt-get install wrk")
    threads = min(threads or len(ports), connections)
    command = [
        program, f"-t{threads}", f"-c{connections}", f"-d{max(1, round(seconds))}s", "--timeout", "30s",
        "-s", str(SCRIPTS / f"{script}.lua"),
    ]
    for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
        command += ["-H", f"{name}: {value}"]
    command += [f"http://127.0.0.1:{ports[0]}", "--", *(str(argument) for argument in arguments)]
    environment = {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "BENCHMARK_SCRIPTS": str(SCRIPTS),
        "BENCHMARK_THREADS": str(threads),
        "BENCHMARK_METHOD": method,
    }
    if len(ports) > 1:
        environment["BENCHMARK_SERVERS"] = " ".join(f"127.0.0.1:{port}" for port in ports)
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    reports = [line for line in done.stdout.splitlines() if line.startswith('{"requests"')]
    if done.returncode != 0 or not reports:
        raise RuntimeError(f"wrk failed: {(done.stderr or done.stdout).strip()[-500:]}")
    return json.loads(reports[-1])


class Numbers:
    """Mobile numbers of Korea, each once, spread over eight thousand prefixes. The last four digits of ten thousand in a
    row differ."""

    def __init__(self, first=0):
        self.next = first

    def take(self, count):
        """So many further numbers, as they are dialled in Korea."""
        self.next += count
        return [f"010{20_000_000 + n * 7919 % 80_000_000:08}" for n in range(self.next - count, self.next)]


def write_lines(path, calls):
    """What scripts send: a call on each line, its path and its body."""
    with open(path, "w") as file:
        file.writelines(f"{path}\t{body}\n" for path, body in calls)


def floor_lines(row, path, count):
    """The floor is sent bodies of the same size."""
    write_lines(path, [("/" + row.floor, row.floor_body())] * count)


def measure(row, service, numbers, connections, seconds, folder):
    """One run of one row."""
    seconds *= row.length
    arguments = row.prepare(service, numbers, round(row.calls_per_second * seconds), f"{folder}/calls", connections)
    headers = row.headers(service)
    before, metrics = service.statuses(), service.metrics()
    used = service.cpu_seconds()
    start = time.monotonic()
    report = wrk(row.script, service.ports, connections, seconds, arguments, headers)
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
    report = wrk("lines", [floor.port] * threads, connections, seconds, [path, "/" + row.floor], headers)
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
