"""What scripts/bench does with its options."""

import json
import shutil
import sys
import tempfile
import time

import calls
import compare
import cost
import floor as floors
import instructions
import large
import memory
import otpgateway
import processes
import redis_peer
import rows
import startup
import storage
import support
import work

CALLS = [row.name for row in rows.ROWS]
ROWS = [*CALLS, "redis", "storage", "cost", "memory", "startup", "work"]


def header(options):
    machine = processes.machine()
    return f"""\
{machine['cores']} × {machine['processor']}, Linux {machine['kernel']}; files in {tempfile.gettempdir()}; {options.runs} run(s) of \
{options.seconds:g} s.
Service, wrk and database share these cores. The limits by address, prefix, country and service, and the guard, would refuse
the load and are off (limits.enabled: false). A figure is the median of the runs, `ratio` that of the service's throughput to
the floor's just before it: its HTTP server with nothing behind it and bodies of the same size; `spread` is the least and the most of
that. `yard` is the processor time of a call by the yardstick, the least that any program must do for the same promise (Tools/Yardstick),
and `×` how many times as much ours takes. `CPU µs` is the processor time of a call, in the service and its database, with what is done of it afterwards. `owed` is
how many messages were not yet sent when the load ended, and in how many seconds they were; `batch` the operations of a
transaction. Latencies are those of wrk, whose connections wait for each answer; it has one thread, and with three instances
one for each."""


def require_tools(options, names):
    if any(name in CALLS or name in ["memory", "cost"] for name in names) and shutil.which("wrk") is None:
        raise RuntimeError("wrk is not installed: apt-get install wrk")
    if "redis" in names:
        redis_peer.program()
    if "storage" in names and any(store.startswith("postgresql") for store in options.stores):
        storage.pgbench_program()


def run(options):
    text = []

    def out(line):
        text.append(line)
        print(line, flush=True)

    if options.instructions:
        return instructions.run(options.program or support.build("phoneproof"), options.update, out)

    names = ["large"] if options.large else ["redis", "start"] if options.peer else options.only or ROWS
    require_tools(options, [*names, *(["memory"] if options.large else [])])
    earlier = json.loads(open(options.compare).read()) if options.compare else None
    support.PROGRAM = options.program or support.build("phoneproof")
    floor = None if options.peer else options.floor or support.build("BenchmarkFloor")
    is_judged = not options.peer and not options.large and {*floors.Yardstick.ROWS} & {*names} and "sqlite-full" in options.stores
    yardstick = options.yardstick or support.build("Yardstick") if is_judged else None
    out(header(options))
    results = {
        "machine": processes.machine(), "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "runs": options.runs, "seconds": options.seconds,
    }
    if options.large:
        results["large"] = large.run(options, out)
    elif options.peer:
        results["peer"] = otpgateway.run(options, options.peer, out)
    else:
        results["calls"] = calls.run(options, [name for name in names if name in CALLS], floor, yardstick, out)
        if "redis" in names:
            results["redis"] = redis_peer.run(options, results["calls"], out)
        if "storage" in names:
            results["storage"] = storage.run(options, floor, results["calls"], out)
        if "cost" in names:
            results["cost"] = cost.run(options, out)
        if "memory" in names:
            results["memory"] = memory.run(options, out)
        if "startup" in names:
            results["startup"] = startup.run(options, floor, out)
        if "work" in names:
            results["work"] = work.run(options, options.work or support.build("BenchmarkWork"), results["calls"], out)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(results, file, indent=1)
            file.write("\n")
    if earlier:
        lines, worse = compare.compare(earlier, results)
        out(f"\ncompared with {options.compare} of {earlier['at']}: {worse} figures are worse")
        for line in lines:
            out("  " + line)
    invalid = [entry for entry in [*results.get("calls", []), *results.get("peer", [])] if entry["faults"]]
    if invalid:
        out(f"\n{len(invalid)} lines are INVALID: their figures are of something else than what they say")
    return 1 if invalid else 0


def main(options):
    try:
        return run(options)
    except (OSError, RuntimeError, AssertionError) as error:
        print(f"scripts/bench: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
