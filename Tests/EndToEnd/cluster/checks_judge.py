"""Judges the checks of codes."""

import collections

from cluster.judge import Judge


class ChecksJudge(Judge):
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
        self._failures()
        self.counts |= {"codes compared": compared, "approvals": approvals, "approvals told again": repeats}

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
            # Whoever asked later than this was told again what was over.
            end = right[0].answered + self.rules.repeat_time
            late = [each for each in right if each.sent > end]
            self.require(not late, "approved once", f"{name} was approved again {len(late)} times after the time for it")
        told = [each.body["checks_left"] for each in operations
                if each.kind == "check" and each.problem == "code_incorrect"]
        twice = [left for left, count in collections.Counter(told).items() if count > 1]
        self.require(not twice, "checks told", f"{name}: two wrong codes were told {twice} checks left")
        most = self.rules.max_checks
        self.require(len(told) <= most, "checks", f"{len(told)} wrong codes for {name} were told so, {most} are allowed")
        # Nothing was told that was not counted.
        entries = self.evidence.audit_of[name]
        mismatches = sum(entry["action"] == "mismatch" for entry in entries)
        self.require(
            len(told) <= mismatches, "checks kept",
            f"{name}: {len(told)} wrong codes were told so, {mismatches} are on record",
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

    def _failures(self):
        """So many wrong codes in a row close a number; and the number knows of each."""
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
