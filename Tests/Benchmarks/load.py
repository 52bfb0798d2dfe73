"""Load by wrk: what it is to send, and what came of it."""

import json
import os
import pathlib
import shutil
import subprocess

SCRIPTS = pathlib.Path(__file__).resolve().parent / "load"


class LoadError(Exception):
    """A load that did not come about, and why."""


def wrk(script, ports, connections, seconds, arguments=(), headers=None, threads=None):
    """Loads the servers at these ports by a script of `load`, and gives what it reports."""
    program = shutil.which("wrk")
    if not program:
        raise LoadError("wrk is not installed: apt-get install wrk")
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
    }
    if len(ports) > 1:
        environment["BENCHMARK_SERVERS"] = " ".join(f"127.0.0.1:{port}" for port in ports)
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    reports = [line for line in done.stdout.splitlines() if line.startswith('{"requests"')]
    if done.returncode != 0 or not reports:
        raise LoadError(f"wrk failed: {(done.stderr or done.stdout).strip()[-500:]}")
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
