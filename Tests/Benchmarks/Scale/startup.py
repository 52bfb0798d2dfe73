"""How long it takes from the start of a process until it takes requests."""

import time

import figures
from floor import HTTPFloor
from service import Service


def run(options, floor_program, out):
    """With a database that is there; by turns with the floor."""
    out(f"\nstartup: from the start of the process to its ready line, {options.starts} times, by turns with the floor")
    out(f"{'store':<15}{'ms':>8}{'spread':>14}{'floor ms':>10}{'ratio':>8}")
    results = []
    for store in options.stores:
        if store == "postgresql-3":
            continue
        times, floors = [], []
        with Service(store) as service:
            # A start after a clean end: the file that is written ahead is empty.
            for _ in range(options.starts):
                begin = time.perf_counter()
                HTTPFloor(floor_program).close()
                floors.append((time.perf_counter() - begin) * 1000)
                service.instances.pop().stop()
                begin = time.perf_counter()
                service.start_instance()
                times.append((time.perf_counter() - begin) * 1000)
        found, floor = figures.summary(times), figures.summary(floors)
        ratio = figures.ratios(times, floors)
        out(
            f"{store:<15}{found['median']:>8.0f}{found['least']:>7.0f}–{found['most']:<6.0f}{floor['median']:>10.0f}"
            f"{ratio['median']:>7.1f}×"
        )
        results.append({"store": store, "milliseconds": found, "floor": floor, "ratio": ratio})
    return results
