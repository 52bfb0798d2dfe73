"""What scripts/bench does with its options."""

import json
import shutil
import sys
import tempfile
import time

import calls
import processes
import rows
import support
from load import LoadError
from service import STORES, BuildError, build

CALLS = [row.name for row in rows.ROWS]


def header(options):
    machine = processes.machine()
    return "\n".join([
        f"{machine['cores']} × {machine['processor']}, Linux {machine['kernel']}; the files lie in {tempfile.gettempdir()}.",
        "Service, wrk and database share these cores. Limits by address, prefix, country and service, and the guard, are",
        "off, since they would refuse the load. Each figure is the median of "
        f"{options.runs} run(s) of {options.seconds:g} s; `ratio` is that of",
        "the floor measured just before: a bare Hummingbird server with bodies of the same size. `CPU µs` is processor time",
        "for each call, of the service and its database.",
    ])


def run(options):
    names = CALLS if options.only is None else options.only
    if shutil.which("wrk") is None:
        raise LoadError("wrk is not installed: apt-get install wrk")
    support.PROGRAM = options.program or build("phoneproof")
    floor = options.floor or build("BenchmarkFloor")

    text = []

    def out(line):
        text.append(line)
        print(line, flush=True)

    out(header(options))
    results = {"machine": processes.machine(), "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
               "runs": options.runs, "seconds": options.seconds}
    results["calls"] = calls.run(options, [name for name in names if name in CALLS], floor, out)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(results, file, indent=1)
    return 1 if any(entry["faults"] for entry in results["calls"]) else 0


def main(options):
    try:
        return run(options)
    except (BuildError, LoadError, OSError, RuntimeError, AssertionError) as error:
        print(f"scripts/bench: {error}", file=sys.stderr)
        return 1
