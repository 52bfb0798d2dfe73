"""Judges the messages: none lost, none made up, and none twice without a fault that explains it."""

import collections

from cluster.judge import Judge


class MessagesJudge(Judge):
    # How long before and after a fault it may have had a part in a message that came twice, in milliseconds.
    SLACK = 3000
    # How many messages an instance has on their way at the same time.
    IN_FLIGHT = 16

    def judge(self):
        taken = {message.sid: message for message in self.evidence.messages}
        self.require(len(taken) == len(self.evidence.messages), "gateway", "two messages have one name")
        rows = self.evidence.tables.messages
        statuses = collections.Counter(row["status"] for row in rows)
        for row in rows:
            self._row(row, taken)
        named = collections.Counter(row["gateway_message_id"] for row in rows if row["gateway_message_id"])
        for sid, count in named.items():
            self.require(count == 1, "messages apart", f"{count} messages are said to be {sid}")
        self._acknowledged()
        self._others([message for message in self.evidence.messages if message.sid not in named])
        self.counts["messages at the gateway"] = len(taken)
        for status, count in sorted(statuses.items()):
            self.counts[f"messages {status}"] = count

    def _row(self, row, taken):
        name, verification = row["id"], self.evidence.verifications.get(row["verification_id"])
        if not verification:
            self.require(False, "messages", f"{name} belongs to no verification")
            return
        status, sid = row["status"], row["gateway_message_id"]
        if status in ("sent", "unknown", "delivered"):
            if sid:
                self.require(sid in taken, "messages sent", f"{name} is said to be sent, and the gateway never had it")
                if sid in taken:
                    self.require(
                        taken[sid].to == verification["e164"], "messages sent", f"{name} went to another number than its own"
                    )
            else:
                explained = any(fault.covers(row["created_at"], 60_000) for fault in self.evidence.faults)
                self.require(explained, "messages sent", f"{name}: nobody knows whether it was sent, and there was no fault")
                self.counts["messages of unknown fate"] = self.counts.get("messages of unknown fate", 0) + 1
        elif status == "dropped":
            self.require(
                verification["status"] != "pending", "messages lost", f"{name} was dropped, and its code was still waited for"
            )
        else:
            why = row["failure"] or "no reason"
            self.require(False, "messages lost", f"{name} is {status} after {row['attempts']} attempts: {why}")

    def _acknowledged(self):
        """Whoever was told that a code is sent has a message on record; `_row` follows it from there."""
        told = 0
        for each in self.evidence.history:
            if each.kind not in ("begin", "signup_send") or not each.is_done:
                continue
            told += 1
            name = each.shown["id"]
            row = self.evidence.verifications.get(name)
            self.require(row is not None, "verifications lost", f"{name} was told, and is gone")
            if row:
                self.require(row["e164"] == each.number, "verifications kept", f"{name} is of another number than was told")
                self.require(
                    bool(self.evidence.messages_of[name]), "messages lost", f"{name} was told to be sent, and has no message"
                )
        self.counts["sends acknowledged"] = told

    def _others(self, orphans):
        """Messages that are on record as no attempt's own: from an attempt whose end nobody could record."""
        known = {}
        for message in self.evidence.messages:
            for row in self._rows_by_sid.get(message.sid, []):
                known[(message.to, message.code)] = row["verification_id"]
        by_fault, doubles = collections.Counter(), collections.Counter()
        unknown = self._unknown_fates()
        for message in orphans:
            verification = known.get((message.to, message.code))
            # Of one that the gateway took, and of which the instance never heard, the fate is on record as unknown.
            if fates := [each for each in unknown if each["id"] == verification or each["e164"] == message.to]:
                unknown.remove(fates[0])
                continue
            if verification is None:
                self.require(
                    self._was_given_up(message), "messages owed", f"the gateway had {message.sid}, which nobody owed"
                )
            else:
                doubles[verification] += 1
            causes = [fault for fault in self.evidence.faults if fault.doubles and fault.covers(message.arrived, self.SLACK)]
            self.require(
                bool(causes), "messages twice",
                f"{message.sid} came without a record of it, and no fault at the time explains it",
            )
            if causes:
                cause = min(causes, key=lambda fault: abs(message.arrived - fault.begin))
                name = f"{cause.name} ({self.evidence.faults.index(cause) + 1})"
                by_fault[name] += 1
                most = self.IN_FLIGHT * len(cause.instances)
                self.require(by_fault[name] <= most, "messages twice", f"{name} cannot explain more than {most}")
        for verification, count in doubles.items():
            attempts = sum(row["attempts"] for row in self.evidence.messages_of[verification])
            settled = sum(bool(row["gateway_message_id"]) for row in self.evidence.messages_of[verification])
            self.require(
                count <= attempts - settled, "messages twice",
                f"{verification}: {count} messages more than its {settled}, in {attempts} attempts",
            )
        self.counts["messages that came twice"] = sum(doubles.values())
        self.notes += [
            f"{count} message(s) came without a record of that, because of: {name}"
            for name, count in sorted(by_fault.items())
        ]

    def _unknown_fates(self):
        """The verifications of messages of which nobody knows whether they were sent, once for each."""
        found = [
            self.evidence.verifications.get(row["verification_id"]) for row in self.evidence.tables.messages
            if row["status"] in ("sent", "unknown", "delivered") and not row["gateway_message_id"]
        ]
        return [verification for verification in found if verification]

    @property
    def _rows_by_sid(self):
        if not hasattr(self, "_sids"):
            self._sids = collections.defaultdict(list)
            for row in self.evidence.tables.messages:
                if row["gateway_message_id"]:
                    self._sids[row["gateway_message_id"]].append(row)
        return self._sids

    def _was_given_up(self, message):
        """Whether it is of a verification whose message was dropped later: it ended before another attempt."""
        return any(
            row["status"] == "dropped" and row["attempts"] > 1
            and self.evidence.verifications[row["verification_id"]]["e164"] == message.to
            for row in self.evidence.tables.messages if row["verification_id"] in self.evidence.verifications
        )
