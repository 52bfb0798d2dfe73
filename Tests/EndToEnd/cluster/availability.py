"""How well clients were served while things failed."""

import collections


class Availability:
    """Of each fault, from its beginning to some seconds after its end: the share of requests that were answered, and the
    longest time in which no request was.
    """

    # A fault's echo: what was asked during it and answered after it, in milliseconds.
    ECHO = 2000

    def __init__(self, history, faults):
        self.operations = sorted(history, key=lambda each: each.answered)
        self.faults = faults

    def of(self, begin, end):
        """(requests, not answered, of which 503, longest silence in milliseconds, its cause in words)."""
        within = [each for each in self.operations if begin <= each.sent and each.sent <= end]
        failed = [each for each in within if not each.is_known]
        good = [each.answered for each in self.operations if each.is_known and begin <= each.answered <= end]
        edges = [begin, *good, end]
        silence = max(after - before for before, after in zip(edges, edges[1:]))
        outcomes = collections.Counter(
            each.outcome if each.status is None or each.body else f"{each.status} of nginx" for each in failed
        )
        return len(within), len(failed), silence, outcomes

    @property
    def lines(self):
        width = max([len(fault.name) for fault in self.faults] + [10])
        yield f"  {'':3}  {'fault':{width}}  requests  unanswered  longest silence"
        for number, fault in enumerate(self.faults, 1):
            yield self._line(number, fault.name, width, fault.begin, fault.end + self.ECHO)
        if self.operations:
            yield self._line("", "all", width, min(each.sent for each in self.operations), self.operations[-1].answered)

    def _line(self, number, name, width, begin, end):
        count, failed, silence, outcomes = self.of(begin, end)
        share = f"{100 * failed / count:.1f} %" if count else "-"
        words = ", ".join(f"{count} {name}" for name, count in outcomes.most_common(4))
        return f"  {number:3}  {name:{width}}  {count:8}  {share:>10}  {silence / 1000:13.1f} s  {words}"
