"""What single operations cost, without a socket or a disk: BenchmarkWork in a loop."""

import json
import subprocess

import figures
from figures import Target

COUNTS = {
    "read-number": 200_000, "type-number": 20_000, "render-message": 100_000, "seal-code": 50_000,
    "view-model-signup": 10_000,
}
TARGET = Target("the view model by the processor time of a signup's calls", "at most", 0.05, "%")


def operations(program):
    """Names and meanings of all operations."""
    listed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    return [line.split("\t") for line in listed.splitlines()]


def once(program, operation, count):
    done = subprocess.run([program, operation, str(count)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{program} {operation} failed: {(done.stderr or done.stdout).strip()[-300:]}")
    return json.loads(done.stdout)


def run(options, program, entries, out):
    """The time of each operation, and the view model's share of a signup if that was measured."""
    out("\nwork: single operations in one process, in memory")
    out(f"{'operation':<20}{'µs':>10}{'spread':>18}{'CPU µs':>10}   what it is")
    results = []
    for name, meaning in operations(program):
        count = max(100, round(COUNTS.get(name, 1000) * (0.25 if options.quick else 1)))
        reports = [once(program, name, count) for _ in range(options.runs)]
        took = figures.summary([report["nanoseconds"] / 1000 for report in reports])
        used = figures.summary([report["processor"] / 1000 for report in reports])
        out(
            f"{name:<20}{took['median']:>10.2f}{took['least']:>9.2f}–{took['most']:<8.2f}{used['median']:>10.2f}   {meaning}"
        )
        results.append({"operation": name, "microseconds": took, "processor": used})
    signups = [entry for entry in entries if entry["row"] == "signup" and entry["store"] == "sqlite-full"]
    if not signups:
        out("  not judged  the view model's share, since the row signup was not measured on sqlite-full")
        return results
    signup = next((entry for entry in signups if entry["connections"] == 64), signups[-1])
    model = next(result for result in results if result["operation"] == "view-model-signup")
    # Three calls each.
    share = model["processor"]["median"] / (3 * signup["subject"]["cpu"]["median"])
    model["targets"] = [TARGET.judge(share)]
    out(figures.verdict(model["targets"][0], f"{signup['store']}, {signup['connections']} connections: "))
    return results
