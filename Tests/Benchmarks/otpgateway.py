"""A peer: another service for the same work on the same machine, loaded by turns with ours.

otpgateway (github.com/knadh/otpgateway) keeps its codes in Redis, which here flushes each command to the disk as our store does.
Whoever measures builds it. Its starts have no address, so it renders and sends no message; ours do.
"""

import base64
import contextlib
import pathlib
import socket
import subprocess
import tempfile
import time

import figures
import load
import postgresql
import processes
import redis_peer
import rows
from figures import Target
from service import Service

CONNECTIONS = redis_peer.CONNECTIONS
# The second is its sample configuration. Since 3.4 it reads max_active and does not use it (ten connections per processor):
# build it with `PoolSize: c.MaxActive` among the options of its Redis client.
KINDS = {
    "pool of 64": ("enable_debug_logs = false", "max_active = 64\nmax_idle = 64"),
    "as shipped": ("enable_debug_logs = true", ""),
}
# What a call of ours takes of processor time, in µs, and how much faster it is than with the pool of 64, at least.
TARGETS = {"start": (125, 1.7), "check": (100, 1.8), "wrong-check": (72, 1.5)}
HEADERS = {
    "Authorization": "Basic " + base64.b64encode(b"bench:secret").decode(),
    "Content-Type": "application/x-www-form-urlencoded",
}
CONFIGURATION = """
[app]
address = "127.0.0.1:{0}"
server_timeout = "5s"
{2}
otp_ttl = 300
otp_max_attempts = 5
otp_max_generate = 3
root_url = "http://localhost"
[store.redis]
host = "127.0.0.1"
port = {1}
{3}
[auth.bench]
namespace = "bench"
secret = "secret"
[webhooks.none]
enabled = true
url = "http://127.0.0.1:1"
max_otp_len = 6
"""


class OTPGateway:
    """The program with a Redis of its own, ready for calls."""

    def __init__(self, program, kind, stack):
        self.next, self.port = 0, postgresql.new_port()
        self.redis = stack.enter_context(redis_peer.Redis())
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="phoneproof-bench-")))
        # Its pages, which nobody asks for; without any it does not start.
        (folder / "static").mkdir()
        (folder / "static" / "page.html").touch()
        (folder / "config.toml").write_text(CONFIGURATION.format(self.port, self.redis.port, *KINDS[kind]))
        log = stack.enter_context(open(folder / "log", "w"))
        self.process = subprocess.Popen([program], cwd=folder, stdout=log, stderr=log)
        stack.callback(self.process.wait)
        stack.callback(self.process.kill)
        for _ in range(100):
            with contextlib.suppress(OSError):
                return socket.create_connection(("127.0.0.1", self.port)).close()
            time.sleep(0.05)
        raise RuntimeError(f"otpgateway did not start: {(folder / 'log').read_text().strip()[-500:]}")

    def send(self, method, calls, seconds, folder):
        """What wrk reports of these calls, and the processor time that they take of program and Redis."""
        load.write_lines(f"{folder}/calls", calls)
        pids = [self.process.pid, self.redis.process.pid]
        used = sum(processes.cpu_seconds(pid) for pid in pids)
        report = load.wrk("lines", [self.port], CONNECTIONS, seconds, [f"{folder}/calls"], HEADERS, method=method)
        return report, sum(processes.cpu_seconds(pid) for pid in pids) - used

    def measure(self, row, seconds, folder):
        """One run of a row: as many calls as ours are sent, and as many wrong codes for each verification."""
        count, tries = round(row.calls_per_second * seconds), getattr(row, "TRIES", 1)
        paths = [f"/api/otp/bench-{serial}" for serial in range(self.next, self.next + count // tries)]
        self.next += len(paths)
        if row.name == "start":
            report, used = self.send("PUT", ((path, "provider=none") for path in paths), seconds, folder)
        else:
            # wrk lasts as long as it was set; what it has not begun by then is not checked, nor what was under way.
            starts = ((path, "provider=none&otp=314159") for path in paths)
            begun, _ = self.send("PUT", starts, max(2, len(paths) // 2500), folder)
            code = "314159" if row.name == "check" else "271828"
            paths = paths[: begun["requests"] - CONNECTIONS] * tries
            report, used = self.send("POST", ((path, f"otp={code}") for path in paths), seconds, folder)
        calls = report["requests"]
        wrong = calls - report["refused"] if row.name == "wrong-check" else report["refused"]
        faults = ["otpgateway: answers of another kind, or hardly any"] if wrong + report["failed"] > 10 or calls < 100 else []
        throughput, cpu = calls / report["duration"] * 1e6, used / max(1, calls) * 1e6
        return {"throughput": throughput, "cpu": cpu, "p99": report["p99"], "faults": faults}


def run(options, program, out):
    """Each row by turns of ours and each kind of the peer."""
    out(f"\npeer: otpgateway, its Redis with appendfsync always, and ours on SQLite FULL, {CONNECTIONS} connections, by turns")
    out("  CPU µs: of service and store, for ours with its messages. Its starts send none.")
    out(f"{'row':<13}{'service':<12}{'calls/s':>9}{'spread':>16}{'CPU µs':>8}{'p99 ms':>8}{'owed':>7}")
    results = []
    for row in rows.ROWS:
        if row.name not in {*TARGETS} & {*(options.only or TARGETS)}:
            continue
        runs, numbers = {"ours": [], **{kind: [] for kind in KINDS}}, load.Numbers()
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="phoneproof-bench-"))
            service = stack.enter_context(Service("sqlite-full", row.gateway))
            peers = {kind: OTPGateway(program, kind, stack) for kind in KINDS}
            load.measure(row, service, numbers, 16, 1, folder)
            for _ in range(options.runs):
                runs["ours"].append(load.measure(row, service, numbers, CONNECTIONS, options.seconds, folder))
                for kind, peer in peers.items():
                    runs[kind].append(peer.measure(row, options.seconds, folder))
        results.append(judged(row.name, runs, out))
    return results


def judged(row, runs, out):
    """Writes the lines of a row, and whether ours reaches its targets."""
    for who, made in runs.items():
        speed, cpu, p99 = (figures.summary([run[name] for run in made]) for name in ["throughput", "cpu", "p99"])
        line = f"{row:<13}{who:<12}{speed['median']:>9,.0f}{speed['least']:>9,.0f}–{speed['most']:<6,.0f}"
        line += f"{cpu['median']:>8.0f}{p99['median'] / 1000:>8.1f}"
        out(line + (f"{max(run['owed'] for run in made):>7}" if who == "ours" else ""))
    ours, tuned = runs["ours"], runs["pool of 64"]
    faster, slower = (figures.ratios(*([run[name] for run in made] for made in [ours, tuned])) for name in ["throughput", "p99"])
    targets = [
        Target("CPU µs", "at most", TARGETS[row][0]).judge(round(figures.summary([run["cpu"] for run in ours])["median"])),
        Target("throughput by the pool of 64's", "at least", TARGETS[row][1], "×").judge(faster["median"]),
        Target("p99 by the pool of 64's", "at most", 1, "×").judge(slower["median"]),
    ]
    faults = sorted({fault for made in runs.values() for run in made for fault in run["faults"]})
    for line in [*(figures.verdict(target, f"{row}: ") for target in targets), *(f"  INVALID  {row}: {fault}" for fault in faults)]:
        out(line)
    return {"row": row, "runs": runs, "targets": targets, "faults": faults}
