"""Judges that nobody got more than is allowed: checks of a code, messages, and what an address or a prefix may have."""

import collections
import dataclasses
import fractions


@dataclasses.dataclass(frozen=True)
class Finding:
    rule: str
    text: str

    def __str__(self):
        return f"{self.rule}: {self.text}"


class Judge:
    def __init__(self, evidence):
        self.evidence = evidence
        self.rules = evidence.rules
        self.findings = []
        self.counts = {}
        self.notes = []
        # The names of the rules that were looked at.
        self.asked = set()

    def require(self, holds, rule, text):
        self.asked.add(rule)
        if not holds:
            self.findings.append(Finding(rule, text))


class ChecksJudge(Judge):
    # By how much the clocks of instances may differ, and more than a message is on its way; and the steps in which the service
    # counts how long it took until a gateway had the message. In milliseconds.
    TOLERANCE, STEP = 3000, 5000

    def judge(self):
        approvals = compared = repeats = 0
        for row in self.evidence.tables.verifications:
            entries = self.evidence.audit_of[row["id"]]
            self._audit(row, entries)
            approvals += sum(entry["action"] == "approve" for entry in entries)
            repeats += sum(entry["action"] == "repeat" for entry in entries)
            compared += len(self.evidence.compared(entries))
        for name, operations in self.evidence.operations_of.items():
            self._answers(name, operations)
        self._asked()
        self._right_codes()
        self._times()
        self._failures()
        self.counts |= {"codes compared": compared, "approvals": approvals, "approvals shown again": repeats}

    def _audit(self, row, entries):
        name = row["id"]
        approvals = [entry for entry in entries if entry["action"] == "approve"]
        self.require(len(approvals) <= 1, "approved once", f"{name} was approved {len(approvals)} times")
        uses = [entry for entry in entries if entry["action"] == "sign_up"]
        self.require(len(uses) <= 1, "used once", f"the approval of {name} was used {len(uses)} times")
        self.require(
            bool(approvals) == (row["status"] == "approved"), "approval kept",
            f"{name} is {row['status']}, and the trail has {len(approvals)} approvals of it",
        )
        compared = len(self.evidence.compared(entries))
        most = self.rules.max_checks
        self.require(compared <= most, "checks", f"{compared} codes were compared for {name}, {most} are allowed")
        self.require(
            row["checks_left"] == most - compared, "checks counted",
            f"{name} has {row['checks_left']} checks left, {compared} of {most} were compared",
        )

    def _answers(self, name, operations):
        checks = [operation for operation in operations if operation.kind in ("check", "signup_sign_up")]
        right = sorted((each for each in checks if each.kind == "check" and each.is_done), key=lambda each: each.answered)
        callers = {each.address for each in right}
        self.require(
            len(callers) <= 1, "approved to one",
            f"{name} was approved to {len(callers)} callers: {sorted(map(str, callers))}",
        )
        if right:
            # A later request was answered again with what was over.
            end = right[0].answered + self.rules.repeat_time
            late = [each for each in right if each.sent > end]
            self.require(not late, "approved once", f"{name} was approved again {len(late)} times after the time for it")
        shown = [each.body["checks_left"] for each in operations
                if each.kind == "check" and each.problem == "code_incorrect"]
        twice = [left for left, count in collections.Counter(shown).items() if count > 1]
        self.require(not twice, "checks shown", f"{name}: two wrong codes were shown {twice} checks left")
        most = self.rules.max_checks
        self.require(len(shown) <= most, "checks", f"{len(shown)} wrong codes for {name} were shown so, {most} are allowed")
        # Nothing was shown that was not counted.
        entries = self.evidence.audit_of[name]
        mismatches = sum(entry["action"] == "mismatch" for entry in entries)
        self.require(
            len(shown) <= mismatches, "checks kept",
            f"{name}: {len(shown)} wrong codes were shown so, {mismatches} are on record",
        )

    def _asked(self):
        """Nothing was counted that nobody had asked for: wrong codes by program's verification, or by signup."""
        asked, counted = collections.Counter(), collections.Counter()
        for each in self.evidence.history:
            if each.kind in ("check", "signup_sign_up") and (
                not each.is_known or each.problem in ("code_incorrect", "verification_closed")
            ):
                asked[each.verification or each.signup] += 1
        for entry in self.evidence.tables.audit:
            if entry["action"] == "mismatch":
                counted[entry["verification_id"] if entry["owner"] == "local" else entry["owner"]] += 1
        for name, count in counted.items():
            self.require(
                count <= asked[name], "checks asked for",
                f"{name}: {count} wrong codes are on record, {asked[name]} were given",
            )

    def _right_codes(self):
        """Who was let in had a code that was sent to that number."""
        sent = collections.defaultdict(set)
        for message in self.evidence.messages:
            sent[message.to].add(message.code)
        for each in self.evidence.history:
            if each.kind in ("check", "signup_sign_up") and each.is_done and each.code:
                self.require(
                    each.code in sent[each.number], "right code",
                    f"{each.verification or each.signup} was approved with a code that was not sent to its number",
                )

    def _times(self):
        """A code counts until it expires, and not longer, whichever instance is asked. Its time begins when the gateway
        has its last message. The database's clock is that of the clients."""
        time, late, arrived, entered = 1000 * self.rules.code_ttl, 0, collections.defaultdict(list), {}
        of_signup = {row["id"]: row["verification_id"] for row in self.evidence.tables.signups}
        for message in self.evidence.messages:
            arrived[message.to, message.code].append(message.arrived)
        for each in self.evidence.history:
            name = each.verification or of_signup.get(each.signup)
            row = self.evidence.verifications.get(name)
            if each.kind not in ("check", "signup_sign_up") or not row or (each.number, each.code) not in arrived:
                continue
            if each.problem == "code_expired":
                late += 1
                early = row["expires_at"] - each.answered
                self.require(early <= self.TOLERANCE, "codes in time", f"{each.number}: a code had expired {early} ms too early")
            elif each.is_done or not each.is_known:
                # An answer that was lost may have been the approval, which is repeated for a while.
                entered.setdefault((name, each.number, each.code), []).append(each)
        for (name, number, code), operations in entered.items():
            sent, last = min(each.sent for each in operations), max(arrived[number, code])
            # Of a message that is under way, or on record as such, nobody knows yet that the gateway has it.
            is_settled = all(row["attempts"] == 1 and row["status"] == "sent" for row in self.evidence.messages_of[name])
            if any(each.is_done for each in operations) and last < sent and is_settled:
                self.require(
                    sent - last <= time + self.STEP + self.TOLERANCE, "codes in time",
                    f"{number}: a code counted {sent - last} ms after its message had come, {time} are its time",
                )
        self.counts["right codes that came too late"] = late

    def _failures(self):
        """A number of wrong codes in a row closes a number; and the number knows of each."""
        locked = 0
        most = self.rules.failures_per_number
        kept = {row["e164"]: row["consecutive_failures"] for row in self.evidence.tables.activities}
        for number, entries in self.evidence.audit_of_number.items():
            run, approved = 0, set()
            for entry in entries:
                if entry["action"] == "approve":
                    run = 0
                    approved.add(entry["verification_id"])
                elif entry["action"] == "mismatch" and entry["verification_id"] not in approved:
                    run += 1
                    self.require(run <= most, "failures", f"{number} had {run} wrong codes in a row, {most} close it")
            locked += run >= most
            self.require(
                kept.get(number, 0) == run, "failures counted",
                f"{number} is said to have had {kept.get(number, 0)} wrong codes in a row, and had {run}",
            )
        self.counts["numbers closed by wrong codes"] = locked


SENDS = ("begin", "resend")


class SendsJudge(Judge):
    def judge(self):
        sends = 0
        for row in self.evidence.tables.verifications:
            entries = [entry for entry in self.evidence.audit_of[row["id"]] if entry["action"] in SENDS]
            sends += len(entries)
            self._verification(row, entries)
        for number, entries in self.evidence.audit_of_number.items():
            self._number(number, entries)
        self._asked()
        self.counts["messages asked for"] = sends
        refused = collections.Counter(
            policy for each in self.evidence.history if each.problem == "rate_limited"
            for policy in each.body.get("violated_policies", [])
        )
        refused |= collections.Counter(
            each.problem for each in self.evidence.history
            if each.problem in ("resend_too_soon", "max_sends_reached", "max_checks_reached")
        )
        for name, count in sorted(refused.items()):
            self.counts[f"refused by {name}"] = count

    def _verification(self, row, entries):
        name, most = row["id"], self.rules.max_sends
        self.require(
            [entry["action"] for entry in entries[:1]] == ["begin"] and all(e["action"] == "resend" for e in entries[1:]),
            "begun once", f"{name} was begun {sum(entry['action'] == 'begin' for entry in entries)} times",
        )
        self.require(len(entries) <= most, "sends", f"the code of {name} was sent {len(entries)} times, {most} are allowed")
        self.require(
            row["sends_left"] == most - len(entries), "sends counted",
            f"{name} has {row['sends_left']} sends left, {len(entries)} of {most} were made",
        )
        owed = len(self.evidence.messages_of[name])
        self.require(owed == len(entries), "sends queued", f"{name} was sent {len(entries)} times, with {owed} messages")
        shown = [each.shown["sends_left"] for each in self.evidence.operations_of[name]
                if each.kind in ("begin", "signup_send") and each.is_done]
        twice = [left for left, count in collections.Counter(shown).items() if count > 1]
        self.require(not twice, "sends shown", f"{name}: two requests were shown {twice} sends left")
        self.require(
            len(shown) <= len(entries), "sends kept",
            f"{name}: {len(shown)} requests were answered that the code is sent, {len(entries)} are on record",
        )

    def _number(self, number, entries):
        sends = [entry["at"] for entry in entries if entry["action"] in SENDS]
        most = self.rules.sends_per_number
        self.require(len(sends) <= most, "sends to a number", f"{len(sends)} messages for {number}, {most} a day are allowed")
        kept = [row["recent_sends"] for row in self.evidence.tables.activities if row["e164"] == number]
        self.require(
            len(kept[0] if kept else []) == len(sends), "sends to a number counted",
            f"{number} is said to have had {len(kept[0] if kept else [])} messages, and had {len(sends)}",
        )
        run, last = 0, None
        for entry in entries:
            if entry["action"] == "approve":
                run = 0
            elif entry["action"] in SENDS:
                if run > 0:
                    wait = 1000 * self.rules.cooldowns[min(run, len(self.rules.cooldowns)) - 1]
                    self.require(
                        entry["at"] - last >= wait, "wait between messages",
                        f"{number} was sent a message {entry['at'] - last} ms after another, {wait} are to pass",
                    )
                run += 1
                last = entry["at"]

    def _asked(self):
        """Nothing was sent that nobody had asked for, not even by a transaction that was tried again."""
        asked = collections.Counter(
            each.number for each in self.evidence.history
            if each.kind in ("begin", "signup_send") and (each.is_done or not each.is_known)
        )
        for number, entries in self.evidence.audit_of_number.items():
            sends = sum(entry["action"] in SENDS for entry in entries)
            self.require(
                sends <= asked[number], "sends asked for", f"{sends} messages for {number}, {asked[number]} were asked for"
            )


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
        given_back = self._given_back()
        for entry in self.evidence.tables.audit:
            number = self.evidence.verifications.get(entry["verification_id"], {}).get("e164")
            if entry["action"] in SENDS:
                sends[entry["address"]].append(entry["at"])
                if id(entry) not in given_back:
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

    def _given_back(self):
        """The entries of the messages that were not sent, which what messages share has got back."""
        found = set()
        for name, entries in self.evidence.audit_of.items():
            sends = [entry for entry in entries if entry["action"] in SENDS]
            messages = sorted(self.evidence.messages_of[name], key=lambda row: row["created_at"])
            found |= {id(entry) for entry, row in zip(sends, messages) if row["status"] in ("failed", "dropped")}
        return found

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
