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
    """Whether two spreads have a value in common: then nothing tells the two apart."""
    return one["least"] <= other["most"] and other["least"] <= one["most"]
