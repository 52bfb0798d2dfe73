"""Measures rows of calls: floor, yardstick and service by turns, so that what disturbs the machine disturbs all."""

import contextlib
import sys
import tempfile

import figures
import load
import rows
from figures import Target
from floor import HTTPFloor, Yardstick
from service import STORES, Service


def merged(runs):
    """Each figure of several runs as median and spread."""
    names = [name for name in runs[0] if name != "faults" and all(isinstance(run[name], (int, float)) for run in runs)]
    return {name: figures.summary([run[name] for run in runs]) for name in names}


def entry(row, store, connections, subjects, floors, yardsticks):
    """What is kept, and shown, of one row for one store and one number of connections."""
    made = {
        "row": row.name, "store": store, "connections": connections,
        "subject": merged(subjects), "floor": merged(floors), "runs": {"subject": subjects, "floor": floors},
        "ratio": {
            name: figures.ratios([run[name] for run in subjects], [run[name] for run in floors])
            for name in ["throughput", "p50", "p99", "p99.9", "cpu"]
        },
        "faults": sorted({fault for run in [*subjects, *floors, *yardsticks] for fault in run["faults"]}),
    }
    if yardsticks:
        made["yardstick"] = merged(yardsticks)
        made["ratio"]["yardstick"] = figures.ratios([run["cpu"] for run in subjects], [run["cpu"] for run in yardsticks])
    if row.script == "signups":
        made["signups"] = figures.summary([run["completed"] / run["seconds"] for run in subjects])
    throughput, latency = (made["ratio"][name]["median"] for name in ["throughput", "p99"])
    made["targets"] = [
        target.judge(value) for target, value in zip(row.targets_of(store, connections), [throughput, latency])
    ]
    return made


SIGNUPS_TARGET = Target("whole signups a second", "at least", 2500)


def targets_beyond_the_floor(made):
    if made["connections"] != 64:
        return []
    if "signups" in made and made["store"] == "sqlite-full":
        return [SIGNUPS_TARGET.judge(round(made["signups"]["median"]))]
    return []


def run(options, names, floor_program, yardstick_program, out):
    """Measures the rows of these names, writes the table as it grows, and gives all entries."""
    entries = []
    with tempfile.TemporaryDirectory(prefix="phoneproof-bench-") as folder, HTTPFloor(floor_program) as floor:
        for row in rows.ROWS:
            if row.name not in names:
                continue
            out(f"\n{row.name}: {row.title}")
            if row.notes:
                out(f"  {row.notes}")
            out(figures.table_head())
            lines = f"{folder}/floor"
            load.floor_lines(row, lines, round(60_000 * options.seconds))
            for store in row.stores(options.stores):
                print(f"{row.name}: {STORES[store]} ...", file=sys.stderr)
                made = one_store(row, store, options, floor, yardstick_program, lines, folder, out)
                for each in made:
                    each["targets"] += targets_beyond_the_floor(each)
                entries += made
            judged = [(each, target) for each in entries if each["row"] == row.name for target in each["targets"]]
            for each, target in judged:
                out(figures.verdict(target, f"{each['store']}, {each['connections']} connections: "))
    return entries


def one_store(row, store, options, floor, yardstick_program, lines, folder, out):
    entries, numbers = [], load.Numbers()
    with contextlib.ExitStack() as stack:
        service, yardstick = stack.enter_context(Service(store, row.gateway)), None
        # It flushes what it answers, as this store does.
        if store == "sqlite-full" and row.name in Yardstick.ROWS:
            yardstick = stack.enter_context(Yardstick(yardstick_program, row.gateway))
        # The first seconds of a process are not like the others.
        load.measure(row, service, numbers, 16, 1, folder)
        load.measure_floor(row, floor, 16, 1, lines, 1)
        for connections in options.connections:
            subjects, floors, yardsticks = [], [], []
            for _ in range(options.runs):
                floors.append(load.measure_floor(row, floor, connections, options.seconds, lines, len(service.ports)))
                if yardstick:
                    yardsticks.append(load.measure(row, yardstick, numbers, connections, options.seconds, folder))
                subjects.append(load.measure(row, service, numbers, connections, options.seconds, folder))
            entries.append(entry(row, store, connections, subjects, floors, yardsticks))
            out(figures.table_line(entries[-1]))
            for fault in figures.faults(entries[-1]):
                out(fault)
        entries[-1]["peak_memory"] = service.memory_bytes("VmHWM")
    return entries
