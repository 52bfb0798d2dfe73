"""What is known of a run once it is over: requests, messages, faults and rows, and the rules that it was under."""

import collections
import dataclasses
import functools
import json
import re
import threading


@dataclasses.dataclass
class Operation:
    """A request as its client saw it. Moments are milliseconds since 1970."""

    kind: str
    sent: int
    answered: int = 0
    # None where there was no response: nobody knows then whether it was done.
    status: int | None = None
    body: dict | None = None
    error: str | None = None
    number: str | None = None
    verification: str | None = None
    signup: str | None = None
    address: str | None = None
    code: str | None = None
    instance: str | None = None
    attempt: int = 1

    @property
    def is_known(self):
        """Whether the client knows what came of it."""
        return self.status is not None and self.status < 500

    @property
    def is_done(self):
        return self.status is not None and self.status < 300

    @property
    def problem(self):
        """The code of the error, if that is the answer."""
        return (self.body or {}).get("code") if self.status is not None and self.status >= 400 else None

    @property
    def shown(self):
        """The verification in the answer."""
        body = self.body or {}
        if "checks_left" in body and str(body.get("id", "")).startswith("ver_"):
            return body
        return body.get("verification") or (body.get("signup") or {}).get("verification")

    @property
    def account(self):
        """The account in the answer."""
        body = self.body or {}
        return body.get("account") or (body.get("signup") or {}).get("account")

    @property
    def outcome(self):
        """In one word, as reports count it."""
        if self.status is None:
            return self.error or "no answer"
        return self.problem or str(self.status)


class History:
    """Written by many threads, read when they are done."""

    def __init__(self, operations=()):
        self.operations = list(operations)
        self._lock = threading.Lock()

    def add(self, operation):
        with self._lock:
            self.operations.append(operation)

    def __len__(self):
        return len(self.operations)

    def __iter__(self):
        return iter(self.operations)

    def save(self, path):
        with open(path, "w") as file:
            for operation in self.operations:
                print(json.dumps(dataclasses.asdict(operation), ensure_ascii=False), file=file)

    @classmethod
    def load(cls, path):
        with open(path) as file:
            return cls(Operation(**json.loads(line)) for line in file)


@dataclasses.dataclass(frozen=True)
class Message:
    sid: str
    to: str
    body: str
    # Milliseconds since 1970.
    arrived: int

    @property
    def code(self):
        found = re.search(r"\b(\d{8})\b", self.body)
        return found.group(1) if found else None


@dataclasses.dataclass
class Fault:
    """Moments are milliseconds since 1970."""

    name: str
    # The instances that it struck; none of them where it struck the proxy before them.
    instances: tuple
    # Whether a message may be sent twice for it: where an instance cannot say for as long as a lease what came of one.
    doubles: bool
    begin: int = 0
    # When it was over; what it left behind may take longer.
    end: int = 0

    def __str__(self):
        return self.name

    def covers(self, moment, slack):
        """Whether it can have had a part in what happened at this moment."""
        return self.begin - slack <= moment <= self.end + slack


@dataclasses.dataclass(frozen=True)
class Quota:
    """`count` at once, and one more for each `interval` that passes."""

    count: int
    seconds: int

    def __str__(self):
        return f"{self.count}/{self.seconds}s"

    @property
    def interval(self):
        """Microseconds until one comes back, rounded up as the service does."""
        return -(-self.seconds * 1_000_000 // self.count)

    def most(self, milliseconds):
        """How many there may be among moments that are so far apart."""
        return self.count + milliseconds * 1000 // self.interval


@dataclasses.dataclass(frozen=True)
class Rules:
    """Small, so that the load runs into all of them."""

    # Long, so that no two codes are the same by chance: a message is known by the code in it.
    code_length: int = 8
    # Seconds; where it is over within a run, some come too late.
    code_ttl: int = 600
    max_checks: int = 3
    max_sends: int = 3
    cooldowns: tuple = (1, 2)
    sends_per_number: int = 5
    failures_per_number: int = 5
    address_sends: Quota = Quota(8, 3600)
    address_checks: Quota = Quota(12, 3600)
    address_signups: Quota = Quota(12, 3600)
    prefix_sends: Quota = Quota(40, 3600)
    service_sends: Quota = Quota(70, 10)
    # How long one who had the right code may ask again, in milliseconds.
    repeat_time: int = 70_000
    gateway_timeout: int = 1

    @property
    def lease(self):
        """Seconds for which nobody else takes a message that an instance has claimed."""
        return self.gateway_timeout * 6

    @property
    def settings(self):
        """What an instance is started with."""
        return {
            "VERIFICATION_CODE_LENGTH": self.code_length,
            "VERIFICATION_CODE_TTL_SECONDS": self.code_ttl,
            "VERIFICATION_MAX_CHECKS": self.max_checks,
            "VERIFICATION_MAX_SENDS": self.max_sends,
            "VERIFICATION_RESEND_COOLDOWNS_SECONDS": ",".join(map(str, self.cooldowns)),
            "VERIFICATION_MAX_SENDS_PER_NUMBER_PER_DAY": self.sends_per_number,
            "VERIFICATION_MAX_CONSECUTIVE_FAILURES": self.failures_per_number,
            "LIMITS_ADDRESS_SENDS": self.address_sends,
            "LIMITS_ADDRESS_CHECKS": self.address_checks,
            "LIMITS_ADDRESS_SIGNUPS": self.address_signups,
            "LIMITS_PREFIX_SENDS": self.prefix_sends,
            "LIMITS_SERVICE_SENDS": self.service_sends,
            "LIMITS_COUNTRY_SENDS": "off",
            # The load is what the guard is made to stop; it notes what it would have done.
            "GUARD_MODE": "shadow",
            "SMS_TIMEOUT_SECONDS": self.gateway_timeout,
        }


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
