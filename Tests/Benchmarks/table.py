"""The figures as text."""

from figures import shown


def spread(figure, digits=0):
    return f"{figure['median']:,.{digits}f}"


def head():
    return (
        f"{'store':<15}{'conns':>6}{'calls/s':>10}{'floor':>9}{'ratio':>7}{'spread':>12}"
        f"{'p50 ms':>9}{'p99 ms':>9}{'p99.9':>9}{'p99/floor':>10}{'CPU µs':>8}{'floor':>7}{'owed':>8}{'in s':>6}{'batch':>7}"
    )


def line(entry):
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
