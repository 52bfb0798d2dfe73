"""Two results beside each other: what became faster, what slower, and what may be chance."""

import figures

# Of fewer runs the spread says too little: then it is taken to be this much wider.
FEW, MARGIN = 3, 0.15


def spread(figure, runs):
    if runs >= FEW:
        return figure
    return {**figure, "least": figure["least"] * (1 - MARGIN), "most": figure["most"] * (1 + MARGIN)}


def judged(old, new, old_runs, new_runs, more_is_better):
    """`same`, `better` or `worse`."""
    if figures.overlap(spread(old, old_runs), spread(new, new_runs)):
        return "same"
    return "better" if (new["median"] > old["median"]) == more_is_better else "worse"


def names(results):
    """Each figure of a result that can be compared, by name: the figure, and whether more of it is better."""
    found = {}
    for entry in results.get("calls", []):
        where = f"{entry['row']}, {entry['store']}, {entry['connections']} connections"
        found[f"{where}: throughput by the floor's"] = (entry["ratio"]["throughput"], True)
        found[f"{where}: p99 by the floor's"] = (entry["ratio"]["p99"], False)
        found[f"{where}: CPU by the floor's"] = (entry["ratio"]["cpu"], False)
    for result in results.get("work", []):
        found[f"work, {result['operation']}: CPU µs"] = (result["processor"], False)
    for result in results.get("startup", []):
        found[f"startup, {result['store']}: by the floor's"] = (result["ratio"], False)
    for result in results.get("memory", []):
        figure = {name: result["per_100000_mb"] for name in ["median", "least", "most"]}
        found[f"memory, {result['store']}: MB per 100,000 pending"] = (figure, False)
    return found


def compare(old, new):
    """A line for each figure that both have, and whether any became worse."""
    before, after = names(old), names(new)
    lines, worse = [], 0
    for name, (figure, more_is_better) in after.items():
        if name not in before:
            continue
        verdict = judged(before[name][0], figure, old["runs"], new["runs"], more_is_better)
        worse += verdict == "worse"
        was = before[name][0]["median"]
        change = f"{100 * (figure['median'] / was - 1):+.0f} %" if was else "-"
        told = "" if verdict == "same" else verdict
        lines.append(f"{name:<70}{was:>10.3g} → {figure['median']:<10.3g}{change:>8}  {told}".rstrip())
    return lines, worse
