"""Measures rows of calls: floor and service by turns, so that what disturbs the machine disturbs both."""

import sys
import tempfile

import figures
import load
import rows
from figures import Target
from floor import HTTPFloor
from service import STORES, Service


def merged(runs):
    """Each figure of several runs as median and spread."""
    names = [name for name in runs[0] if name != "faults" and all(isinstance(run[name], (int, float)) for run in runs)]
    return {name: figures.summary([run[name] for run in runs]) for name in names}


def entry(row, store, connections, subjects, floors):
    """What is kept, and shown, of one row for one store and one number of connections."""
    made = {
        "row": row.name, "store": store, "connections": connections,
        "subject": merged(subjects), "floor": merged(floors), "runs": {"subject": subjects, "floor": floors},
        "ratio": {
            name: figures.ratios([run[name] for run in subjects], [run[name] for run in floors])
            for name in ["throughput", "p50", "p99", "p99.9", "cpu"]
        },
        "faults": sorted({fault for run in [*subjects, *floors] for fault in run["faults"]}),
    }
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


def run(options, names, floor_program, out):
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
                made = one_store(row, store, options, floor, lines, folder, out)
                for each in made:
                    each["targets"] += targets_beyond_the_floor(each)
                entries += made
            judged = [(each, target) for each in entries if each["row"] == row.name for target in each["targets"]]
            for each, target in judged:
                out(figures.verdict(target, f"{each['store']}, {each['connections']} connections: "))
    return entries


def one_store(row, store, options, floor, lines, folder, out):
    entries, numbers = [], load.Numbers()
    with Service(store, row.gateway) as service:
        # The first seconds of a process are not like the others.
        load.measure(row, service, numbers, 16, 1, folder)
        load.measure_floor(row, floor, 16, 1, lines, 1)
        for connections in options.connections:
            subjects, floors = [], []
            for _ in range(options.runs):
                floors.append(load.measure_floor(row, floor, connections, options.seconds, lines, len(service.ports)))
                subjects.append(load.measure(row, service, numbers, connections, options.seconds, folder))
            entries.append(entry(row, store, connections, subjects, floors))
            out(figures.table_line(entries[-1]))
            for fault in figures.faults(entries[-1]):
                out(fault)
        entries[-1]["peak_memory"] = service.memory_bytes("VmHWM")
    return entries
