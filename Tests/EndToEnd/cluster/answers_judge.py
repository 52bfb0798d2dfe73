"""Judges whether all that clients were told fits together, and what is there in the end."""

import collections

from cluster.judge import Judge


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
        self.require(row is not None, "verifications lost", f"{name} was told to a client, and is gone")
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
            self.require(
                status not in self.ENDED or status == row["status"], "nothing forgotten",
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
                self.require(is_done, "signups kept", f"{each.signup} was told to be done, and is not")
                used = self.evidence.verifications.get(rows[each.signup]["verification_id"], {}).get("consumed_by")
                self.require(
                    used == each.account["id"], "signups kept", f"{each.signup} was told {each.account['id']}, and has {used}"
                )
        self.counts["signups begun"] = begun

    def _found(self):
        """Nobody was told that something is not there which he had been told of."""
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
