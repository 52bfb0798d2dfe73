"""What is in the database in the end."""

import dataclasses
import json
import re

# AuditRecord.serialsPerMillisecond. A trial writes fewer entries in all.
ENTRIES_PER_MILLISECOND = 1 << 20


@dataclasses.dataclass
class Tables:
    """Rows as dictionaries; those of the audit trail in the order in which they were written."""

    verifications: list
    accounts: list
    messages: list
    audit: list
    signups: list
    activities: list
    meters: list

    QUERIES = {
        "verifications": "SELECT id, e164, owner, created_at, expires_at, sends_left, checks_left, status, updated_at, "
        "consumed_by FROM verification ORDER BY id",
        "accounts": "SELECT id, e164, created_at, created_by FROM account ORDER BY id",
        "messages": "SELECT id, verification_id, created_at, status, attempts, gateway_message_id, failure "
        "FROM outbox_message ORDER BY id",
        "audit": "SELECT id, at, action, owner, address, verification_id FROM audit_entry ORDER BY id",
        "signups": "SELECT id, phone_text, verification_id, is_complete FROM signup ORDER BY id",
        "activities": "SELECT e164, recent_sends, consecutive_failures FROM number_activity ORDER BY e164",
        "meters": "SELECT key, full_at FROM rate_meter ORDER BY key",
    }

    # What an ID in a column begins with; `id` is that of the table.
    PREFIXES = {
        "verifications": "ver", "accounts": "acc", "messages": "msg", "signups": "sgn", "verification_id": "ver",
        "created_by": "ver", "consumed_by": "acc",
    }

    @classmethod
    def of(cls, database):
        tables = cls(**{name: database.rows(query) for name, query in cls.QUERIES.items()})
        for name, rows in vars(tables).items():
            for row in rows:
                for column, value in row.items():
                    prefix = cls.PREFIXES.get(name if column == "id" else column)
                    # Bytes, or the form in which PostgreSQL writes them as JSON.
                    if prefix and value is not None:
                        row[column] = f"{prefix}_{value.hex() if isinstance(value, bytes) else value[2:]}"
        if database.server:
            # A key has the moment in front, which is that of the request; behind it is the number of the entry.
            tables.audit.sort(key=lambda row: row["id"] % ENTRIES_PER_MILLISECOND)
        for row in tables.activities:
            row["recent_sends"] = [int(number) for number in re.findall(r"\d+", row["recent_sends"])]
        for row in tables.signups:
            row["is_complete"] = bool(row["is_complete"])
        return tables

    def save(self, path):
        with open(path, "w") as file:
            json.dump(dataclasses.asdict(self), file, indent=1)
