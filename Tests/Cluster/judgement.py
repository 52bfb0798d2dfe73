"""Judges that nothing is lost, made up or contradicted, and sums up what all judges have found."""

import collections

from limit_judges import ChecksJudge, Judge, LimitsJudge, SendsJudge


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
        """Each request with the answer that a code is sent has a message on record; `_row` follows it from there."""
        shown = 0
        for each in self.evidence.history:
            if each.kind not in ("begin", "signup_send") or not each.is_done:
                continue
            shown += 1
            name = each.shown["id"]
            row = self.evidence.verifications.get(name)
            self.require(row is not None, "verifications lost", f"{name} was shown, and is gone")
            if row:
                self.require(row["e164"] == each.number, "verifications kept", f"{name} is of another number than was shown")
                self.require(
                    bool(self.evidence.messages_of[name]), "messages lost", f"{name} was shown as sent, and has no message"
                )
        self.counts["sends acknowledged"] = shown

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


class AccountsJudge(Judge):
    def judge(self):
        accounts = {row["id"]: row for row in self.evidence.tables.accounts}
        by_number = collections.Counter(row["e164"] for row in accounts.values())
        for number, count in by_number.items():
            self.require(count == 1, "one account", f"{number} has {count} accounts")
        for row in accounts.values():
            self._made(row)
        self._shown(accounts)
        for row in self.evidence.tables.verifications:
            used = any(entry["action"] == "sign_up" for entry in self.evidence.audit_of[row["id"]])
            self.require(
                used == (row["consumed_by"] is not None), "approval used",
                f"{row['id']} was {'used' if used else 'not used'} by the trail, and not so by its row",
            )
            self.require(
                row["consumed_by"] is None or row["consumed_by"] in accounts, "accounts lost",
                f"{row['id']} was used for an account that is not there",
            )
        self.counts["accounts"] = len(accounts)

    def _made(self, row):
        """By somebody who had proven that number."""
        verification = self.evidence.verifications.get(row["created_by"])
        self.require(
            verification is not None and verification["e164"] == row["e164"] and verification["status"] == "approved"
            and verification["consumed_by"] == row["id"], "accounts proven",
            f"{row['id']} was made by {row['created_by']}, which does not prove its number",
        )

    def _shown(self, accounts):
        shown, new = collections.defaultdict(set), collections.defaultdict(set)
        signed_up = 0
        for each in self.evidence.history:
            account = each.account
            if not account:
                continue
            shown[account["phone_number"]].add(account["id"])
            if each.kind == "signup_sign_up" and each.is_done:
                signed_up += 1
                self.require(
                    each.number == account["phone_number"], "accounts kept",
                    f"{each.signup} was for another number than its account's",
                )
                if account["is_new"]:
                    new[account["id"]].add(each.signup)
            row = accounts.get(account["id"])
            self.require(row is not None, "accounts lost", f"{account['id']} was shown to a client, and is not there")
            if row:
                self.require(
                    row["e164"] == account["phone_number"], "accounts kept",
                    f"{account['id']} has another number than was shown",
                )
        for number, names in shown.items():
            self.require(len(names) == 1, "one account", f"for {number} clients were shown {len(names)} accounts")
        for name, signups in new.items():
            self.require(len(signups) == 1, "one is new", f"{len(signups)} signups were shown as the makers of {name}")
        self.counts["signups acknowledged"] = signed_up


class AnswersJudge(Judge):
    ENDED = {"approved", "canceled", "expired", "failed", "max_attempts_reached"}

    def judge(self):
        sightings = 0
        for name, operations in self.evidence.operations_of.items():
            shown = [each for each in operations if each.is_known and (each.shown or {}).get("id") == name]
            sightings += len(shown)
            self._one_way(name, shown)
            self._end(name, operations, shown)
        self._signups()
        self._found()
        outcomes = collections.Counter(each.outcome for each in self.evidence.history if not each.is_known)
        self.counts["requests"] = len(self.evidence.history)
        self.counts["requests with no answer, or one of 5xx"] = sum(outcomes.values())
        self.counts["verifications shown"] = sightings
        strange = [each for each in self.evidence.history if each.status == 500]
        self.require(not strange, "no fault of ours", f"{len(strange)} requests were answered by 500: {strange[:1]}")

    def _one_way(self, name, shown):
        """What was answered before another request was made, the other knows: counts only fall, and an end stays."""
        least = {"checks_left": None, "sends_left": None}
        ended = None
        answered = sorted(shown, key=lambda each: each.answered)
        position = 0
        for each in sorted(shown, key=lambda each: each.sent):
            while position < len(answered) and answered[position].answered < each.sent:
                before = answered[position].shown
                for field in least:
                    least[field] = before[field] if least[field] is None else min(least[field], before[field])
                ended = ended or (before["status"] if before["status"] in self.ENDED else None)
                position += 1
            for field, value in least.items():
                self.require(
                    value is None or each.shown[field] <= value, "nothing forgotten",
                    f"{name} had {value} {field}, and {each.shown[field]} later, as {each.instance} said",
                )
            self.require(
                ended is None or each.shown["status"] == ended, "nothing forgotten",
                f"{name} was {ended}, and {each.shown['status']} later, as {each.instance} said",
            )

    def _end(self, name, operations, shown):
        row = self.evidence.verifications.get(name)
        self.require(row is not None, "verifications lost", f"{name} was shown to a client, and is gone")
        if not row:
            return
        for each in shown:
            self.require(each.shown["phone_number"] == row["e164"], "verifications kept", f"{name} has another number")
            for field in ("checks_left", "sends_left"):
                self.require(
                    row[field] <= each.shown[field], "nothing forgotten",
                    f"{name} had {each.shown[field]} {field}, and has {row[field]}",
                )
            status = each.shown["status"]
            # That one has expired is written when somebody asks for it to be changed.
            has_expired = status == "expired" and row["status"] == "pending" and row["expires_at"] <= each.answered
            self.require(
                status not in self.ENDED or status == row["status"] or has_expired, "nothing forgotten",
                f"{name} was {status}, and is {row['status']}",
            )
        canceled = [each for each in operations if each.kind == "cancel" and each.is_done]
        approved = [each for each in operations if each.kind == "check" and each.is_done]
        for kept, status, rule in [(canceled, "canceled", "cancel kept"), (approved, "approved", "approval kept")]:
            self.require(not kept or row["status"] == status, rule, f"{name} was {status}, and is {row['status']}")

    def _signups(self):
        rows = {row["id"]: row for row in self.evidence.tables.signups}
        begun = 0
        for each in self.evidence.history:
            if each.kind == "signup_begin" and each.is_done:
                begun += 1
                self.require(each.body["id"] in rows, "signups lost", f"{each.body['id']} was begun, and is gone")
            elif each.kind == "signup_sign_up" and each.is_done and each.signup in rows:
                is_done = rows[each.signup]["is_complete"]
                self.require(is_done, "signups kept", f"{each.signup} was shown as done, and is not")
                used = self.evidence.verifications.get(rows[each.signup]["verification_id"], {}).get("consumed_by")
                self.require(
                    used == each.account["id"], "signups kept", f"{each.signup} was shown {each.account['id']}, and has {used}"
                )
        self.counts["signups begun"] = begun

    def _found(self):
        """No answer says that something is missing which an earlier answer had."""
        sent = {}
        for each in self.evidence.history:
            if each.kind == "signup_send" and each.is_done:
                sent[each.signup] = min(each.answered, sent.get(each.signup, each.answered))
        for each in self.evidence.history:
            is_lost = each.problem == "signup_not_found" or each.problem == "verification_not_found" and (
                each.signup is None or sent.get(each.signup, each.sent) < each.sent
            )
            self.require(
                not is_lost, "nothing lost", f"{each.verification or each.signup}: {each.problem}, as {each.instance} said"
            )


class Judgement:
    """What every judge has found, and what each has looked at, so that nothing passes for want of evidence."""

    JUDGES = [ChecksJudge, SendsJudge, LimitsJudge, MessagesJudge, AccountsJudge, AnswersJudge]

    def __init__(self, evidence):
        self.findings = []
        # What was judged: words by count.
        self.counts = {}
        self.notes = []
        self.asked = set()
        for judge in self.JUDGES:
            one = judge(evidence)
            one.judge()
            self.findings += one.findings
            self.counts.update(one.counts)
            self.notes += one.notes
            self.asked |= one.asked


# A fault's echo: what was asked during it and answered after it, in milliseconds.
ECHO = 2000


def availability(history, faults):
    """How well clients were served while things failed, in lines: of each fault, from its beginning to some seconds after its
    end, the share of requests that were answered, and the longest time in which no request was."""
    operations = sorted(history, key=lambda each: each.answered)
    width = max([len(fault.name) for fault in faults] + [10])

    def line(number, name, begin, end):
        within = [each for each in operations if begin <= each.sent <= end]
        failed = [each for each in within if not each.is_known]
        edges = [begin, *(each.answered for each in operations if each.is_known and begin <= each.answered <= end), end]
        silence = max(after - before for before, after in zip(edges, edges[1:]))
        outcomes = collections.Counter(
            each.outcome if each.status is None or each.body else f"{each.status} of nginx" for each in failed
        )
        share = f"{100 * len(failed) / len(within):.1f} %" if within else "-"
        words = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common(4))
        return f"  {number:3}  {name:{width}}  {len(within):8}  {share:>10}  {silence / 1000:13.1f} s  {words}"

    yield f"  {'':3}  {'fault':{width}}  requests  unanswered  longest silence"
    for number, fault in enumerate(faults, 1):
        yield line(number, fault.name, fault.begin, fault.end + ECHO)
    if operations:
        yield line("", "all", min(each.sent for each in operations), operations[-1].answered)
