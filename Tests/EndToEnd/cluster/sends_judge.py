"""Judges how often codes were sent, by verification and by number."""

import collections

from cluster.judge import Judge

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
        told = [each.shown["sends_left"] for each in self.evidence.operations_of[name]
                if each.kind in ("begin", "signup_send") and each.is_done]
        twice = [left for left, count in collections.Counter(told).items() if count > 1]
        self.require(not twice, "sends told", f"{name}: two requests were told {twice} sends left")
        self.require(
            len(told) <= len(entries), "sends kept",
            f"{name}: {len(told)} requests were told that the code is sent, {len(entries)} are on record",
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
