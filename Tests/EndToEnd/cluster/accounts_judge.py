"""Judges the accounts."""

import collections

from cluster.judge import Judge


class AccountsJudge(Judge):
    def judge(self):
        accounts = {row["id"]: row for row in self.evidence.tables.accounts}
        by_number = collections.Counter(row["e164"] for row in accounts.values())
        for number, count in by_number.items():
            self.require(count == 1, "one account", f"{number} has {count} accounts")
        for row in accounts.values():
            self._made(row)
        self._told(accounts)
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

    def _told(self, accounts):
        told, new = collections.defaultdict(set), collections.defaultdict(set)
        signed_up = 0
        for each in self.evidence.history:
            account = each.account
            if not account:
                continue
            told[account["phone_number"]].add(account["id"])
            if each.kind == "signup_sign_up" and each.is_done:
                signed_up += 1
                self.require(
                    each.number == account["phone_number"], "accounts kept",
                    f"{each.signup} was for another number than its account's",
                )
                if account["is_new"]:
                    new[account["id"]].add(each.signup)
            row = accounts.get(account["id"])
            self.require(row is not None, "accounts lost", f"{account['id']} was told to a client, and is not there")
            if row:
                self.require(
                    row["e164"] == account["phone_number"], "accounts kept",
                    f"{account['id']} has another number than was told",
                )
        for number, names in told.items():
            self.require(len(names) == 1, "one account", f"for {number} clients were told {len(names)} accounts")
        for name, signups in new.items():
            self.require(len(signups) == 1, "one is new", f"{len(signups)} signups were told that they made {name}")
        self.counts["signups acknowledged"] = signed_up
