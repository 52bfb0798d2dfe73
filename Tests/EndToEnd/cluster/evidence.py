"""All that is known of a run once it is over."""

import collections
import dataclasses
import functools

from cluster.history import History
from cluster.rules import Rules
from cluster.tables import Tables


@dataclasses.dataclass
class Evidence:
    rules: Rules
    history: History
    # What the gateway took, in the order in which it came.
    messages: list
    tables: Tables
    faults: list

    @functools.cached_property
    def verifications(self):
        """The rows by their name."""
        return {row["id"]: row for row in self.tables.verifications}

    @functools.cached_property
    def audit_of(self):
        """The entries of each verification, in the order in which they were written."""
        entries = collections.defaultdict(list)
        for entry in self.tables.audit:
            entries[entry["verification_id"]].append(entry)
        return entries

    @functools.cached_property
    def audit_of_number(self):
        """The same by number."""
        entries = collections.defaultdict(list)
        for entry in self.tables.audit:
            if entry["verification_id"] in self.verifications:
                entries[self.verifications[entry["verification_id"]]["e164"]].append(entry)
        return entries

    @functools.cached_property
    def operations_of(self):
        """The requests about each verification: those that name it, and those that were answered with it."""
        found = collections.defaultdict(list)
        for operation in self.history:
            names = {operation.verification, (operation.shown or {}).get("id")} - {None}
            for name in names:
                found[name].append(operation)
        return found

    @functools.cached_property
    def messages_of(self):
        """The rows of each verification's messages."""
        found = collections.defaultdict(list)
        for row in self.tables.messages:
            found[row["verification_id"]].append(row)
        return found

    def compared(self, entries):
        """Those entries of one verification that stand for a code compared and counted: what comes after the approval is
        compared too, but closes at the first wrong one, and brings nothing."""
        result = []
        for entry in entries:
            if entry["action"] in ("approve", "mismatch"):
                result.append(entry)
            if entry["action"] == "approve":
                break
        return result
