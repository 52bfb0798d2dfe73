"""What is made of the figures of several runs: medians, spreads, ratios, and whether a target was reached."""

import dataclasses
import statistics


def summary(values):
    """Median and spread."""
    return {"median": statistics.median(values), "least": min(values), "most": max(values)}


def ratios(subjects, floors):
    """Each run by the floor's beside it: what disturbs the machine disturbs both."""
    return summary([subject / floor for subject, floor in zip(subjects, floors, strict=True) if floor])


@dataclasses.dataclass(frozen=True)
class Target:
    """A bound on a figure. `kind` says on which side of it one should be."""

    what: str
    kind: str
    bound: float
    unit: str = ""

    def judge(self, value):
        reached = value >= self.bound if self.kind == "at least" else value <= self.bound
        return {
            "target": f"{self.what} {self.kind} {shown(self.bound, self.unit)}", "value": value,
            "shown": shown(value, self.unit), "is_reached": reached,
        }


def shown(value, unit=""):
    if unit == "%":
        return f"{100 * value:.1f} %" if value < 0.1 else f"{100 * value:.0f} %"
    if unit == "×":
        return f"{value:.2f} ×"
    if unit == "MB":
        return f"{value:.1f} MB"
    return f"{value:g}"


def overlap(one, other):
    """Whether two spreads have a value in common: then they cannot be distinguished."""
    return one["least"] <= other["most"] and other["least"] <= one["most"]


def table_head():
    return (
        f"{'store':<15}{'conns':>6}{'calls/s':>10}{'floor':>9}{'ratio':>7}{'spread':>12}"
        f"{'p50 ms':>9}{'p99 ms':>9}{'p99.9':>9}{'p99/floor':>10}{'CPU µs':>8}{'floor':>7}{'yard':>6}{'×':>6}{'owed':>8}{'in s':>6}{'batch':>7}"
    )


def table_line(entry):
    """A row of calls for one store and one number of connections."""
    subject, floor, ratio = entry["subject"], entry["floor"], entry["ratio"]
    text = (
        f"{entry['store']:<15}{entry['connections']:>6}{subject['throughput']['median']:>10,.0f}"
        f"{floor['throughput']['median']:>9,.0f}{100 * ratio['throughput']['median']:>6.0f}%"
        f"{100 * ratio['throughput']['least']:>7.0f}–{100 * ratio['throughput']['most']:.0f}%"
    )
    for name in ["p50", "p99", "p99.9"]:
        text += f"{subject[name]['median'] / 1000:>9.2f}"
    text += f"{ratio['p99']['median']:>9.2f}×{subject['cpu']['median']:>8.0f}{floor['cpu']['median']:>7.0f}"
    yardstick = entry.get("yardstick")
    text += f"{yardstick['cpu']['median']:>6.0f}{ratio['yardstick']['median']:>6.1f}" if yardstick else f"{'':>12}"
    text += f"{subject['owed']['median']:>8.0f}{subject['drained_in']['median']:>6.1f}"
    batch = subject.get("batch")
    text += f"{batch['median']:>7.1f}" if batch else f"{'':>7}"
    if "signups" in entry:
        text += f"   {entry['signups']['median']:,.0f} signups/s"
    return text


def verdict(judged, where=""):
    mark = "reached" if judged["is_reached"] else "MISSED "
    return f"  {mark}  {where}{judged['target']}: {judged['shown']}"


def faults(entry):
    return [f"  INVALID  {entry['store']}, {entry['connections']} connections: {fault}" for fault in entry["faults"]]
