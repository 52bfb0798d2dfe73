"""Judges the limits by address, prefix and service."""

import collections
import fractions

from cluster.judge import Judge
from cluster.sends_judge import SENDS


class LimitsJudge(Judge):
    def judge(self):
        self._end = max((each.answered for each in self.evidence.history), default=0)
        for name, limit, moments in self._taken():
            self._limit(name, limit, moments)

    def _taken(self):
        """For each key its name, its quota, and when one was taken."""
        rules = self.rules
        sends, checks = collections.defaultdict(list), collections.defaultdict(list)
        prefixes, service = collections.defaultdict(list), []
        for entry in self.evidence.tables.audit:
            number = self.evidence.verifications.get(entry["verification_id"], {}).get("e164")
            if entry["action"] in SENDS:
                sends[entry["address"]].append(entry["at"])
                prefixes[(number or "")[:-4]].append(entry["at"])
                service.append(entry["at"])
            elif entry["action"] in ("approve", "mismatch") or self._is_repeated_check(entry):
                checks[entry["address"]].append(entry["at"])
        signups = collections.defaultdict(list)
        for each in self.evidence.history:
            if each.kind == "signup_begin" and each.is_done:
                signups[each.address].append(each.answered)
        yield from ((f"address-sends-{self._window(rules.address_sends)} {a}", rules.address_sends, m)
                    for a, m in sends.items() if a)
        yield from ((f"address-checks-{self._window(rules.address_checks)} {a}", rules.address_checks, m)
                    for a, m in checks.items() if a)
        yield from ((f"address-signups-{self._window(rules.address_signups)} {a}", rules.address_signups, m)
                    for a, m in signups.items() if a)
        yield from ((f"prefix-sends-{self._window(rules.prefix_sends)} {p}", rules.prefix_sends, m)
                    for p, m in prefixes.items())
        yield f"service-sends-{self._window(rules.service_sends)}", rules.service_sends, service

    def _is_repeated_check(self, entry):
        """A repetition is of a check or a signup, which count, or of a change of number by a session, which does not."""
        return entry["action"] == "repeat" and not (entry["owner"] or "").startswith("ses_")

    @staticmethod
    def _window(quota):
        for name, seconds in (("d", 86_400), ("h", 3600), ("m", 60)):
            if quota.seconds % seconds == 0:
                return f"{quota.seconds // seconds}{name}"
        return f"{quota.seconds}s"

    def _limit(self, name, limit, moments):
        moments = sorted(moments)
        if not moments:
            return
        # Among the moments from `begin` to `end` there are `end - begin + 1`, and the quota and what came back meanwhile are
        # allowed. So the moment that leaves most room for those after it is the one to count from.
        begin, worst = 0, (0.0, 0, 0)
        for end, moment in enumerate(moments):
            if begin - self._allowance(moments[begin], limit) > end - self._allowance(moment, limit):
                begin = end
            excess = end - begin + 1 - limit.count - self._allowance(moment - moments[begin], limit)
            worst = max(worst, (excess, begin, end))
        excess, begin, end = worst
        self.require(
            excess <= 0, "limits",
            f"{name}: {end - begin + 1} within {moments[end] - moments[begin]} ms, "
            f"{limit.most(moments[end] - moments[begin])} are allowed",
        )
        # Whatever the order in which they were taken, each moved the meter by one interval.
        kept = [row["full_at"] for row in self.evidence.tables.meters if row["key"] == name]
        least = moments[0] * 1000 + len(moments) * limit.interval
        # One that is full again may have been cleared away. Signups have no trail, and so their times are not known.
        if least > self._end * 1000 and not name.startswith("address-signups"):
            self.require(
                bool(kept) and kept[0] >= least, "limits counted",
                f"{name}: {len(moments)} were taken, and the meter knows of fewer",
            )
        if limit.seconds >= 3600:
            label = f"most by {name.rsplit(' ', 1)[0]} ({limit.count} and what comes back)"
            self.counts[label] = max(self.counts.get(label, 0), len(moments))

    @staticmethod
    def _allowance(milliseconds, limit):
        """What comes back in so long a time."""
        return fractions.Fraction(milliseconds * 1000, limit.interval)
