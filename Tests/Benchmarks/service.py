"""What is measured: PhoneProof as a release build, one or several instances over a store of one's own."""

import contextlib
import pathlib
import re
import tempfile
import time

import postgresql
import processes
import support

# What would refuse the load is off: it has one address, one country and one API key.
SETTINGS = {
    "LIMITS_ENABLED": "false",
    "VERIFICATION_MAX_SENDS_PER_NUMBER_PER_DAY": "100",
    "LOG_LEVEL": "warning",
    "SERVER_INSECURE_NO_KEYS": None,
}
STORES = {
    "memory": "SQLite in memory, which takes no API key",
    "sqlite-full": "SQLite in a file, synchronous=FULL",
    "sqlite-normal": "SQLite in a file, synchronous=NORMAL",
    "postgresql-1": "PostgreSQL, one instance",
    "postgresql-3": "PostgreSQL, three instances",
}


class PostgreSQLDatabase:
    """Where programs keep everything: support.database for a server of one's own."""

    def __init__(self, url, keys):
        self.url, self.keys = url, keys

    def settings(self, folder):
        return {"DATABASE_URL": self.url, "KEYS_FILE": self.keys}


class MemoryDatabase:
    def settings(self, folder):
        return {"DATABASE_URL": "sqlite::memory:"}


class Service(contextlib.ExitStack):
    """Instances of the service over one store, ready for calls.

    store: one of STORES. gateway: `stub`, or `console`, which writes messages where `codes` finds them. prefix: what runs the
    service, such as Valgrind.
    """

    def __init__(self, store, gateway="stub", prefix=(), **settings):
        super().__init__()
        self.store, self.gateway, self.prefix = store, gateway, prefix
        self.settings = {**SETTINGS, "SMS_GATEWAY": gateway, **settings}
        self.server = None
        self.key = self.tenant = None
        try:
            self.folder = self.enter_context(tempfile.TemporaryDirectory(prefix="phoneproof-bench-"))
            self._prepare_store()
            self.instances = []
            self._start()
        except BaseException:
            self.close()
            raise

    def _prepare_store(self):
        support.database = support.SQLite()
        if self.store == "memory":
            support.database = MemoryDatabase()
            self.settings["SERVER_INSECURE_NO_KEYS"] = "true"
        elif self.store == "sqlite-normal":
            self.settings["DATABASE_SYNCHRONOUS"] = "normal"
        elif self.store.startswith("postgresql"):
            # As it comes, but for memory that a server has nowadays.
            self.server = self.enter_context(
                postgresql.PostgreSQL(durable=True, options={"shared_buffers": "256MB", "log_connections": "off"})
            )
            keys = f"{self.folder}/phoneproof.keys"
            support.database = PostgreSQLDatabase(self.server.url, keys)
            self.run("keys", "make")
        self.database = support.database
        if self.store != "memory":
            self.run("migrate")

    def run(self, *arguments):
        """Runs a command of the program to its end, and gives what it says."""
        support.database = getattr(self, "database", support.database)
        code, output, errors = support.run(*arguments, folder=self.folder, **self.settings)
        if code != 0:
            raise RuntimeError(f"phoneproof {' '.join(arguments)} failed: {errors.strip()}")
        return output

    def _start(self):
        for _ in range(3 if self.store == "postgresql-3" else 1):
            self.start_instance()
        if self.store != "memory":
            self.key = self.run("keys", "create", "--name", "benchmark").strip()

    def start_instance(self):
        support.database = self.database
        self.instances.append(self.enter_context(support.Server(self.folder, prefix=self.prefix, **self.settings)))

    def restart(self):
        """Ends all instances as an operator does, and starts as many."""
        count = len(self.instances)
        for instance in self.instances:
            instance.stop()
        self.instances = []
        for _ in range(count):
            self.start_instance()

    @property
    def ports(self):
        return [instance.port for instance in self.instances]

    @property
    def client(self):
        return self.instances[0].client

    @property
    def headers(self):
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}

    def cpu_seconds(self):
        """Of all instances, and of the database server if there is one."""
        used = sum(processes.cpu_seconds(instance.process.pid) for instance in self.instances)
        if self.server:
            used += processes.cpu_seconds(self.server.process.pid, with_children=True)
            others = set(postgresql.processes_in(self.server.data)) - {self.server.process.pid}
            used += sum(processes.cpu_seconds(pid) for pid in others)
        return used

    def memory_bytes(self, field="VmRSS"):
        return sum(processes.memory_bytes(instance.process.pid, field) for instance in self.instances)

    def metrics(self):
        """The sums over all instances of what they count: each series under its name with its labels."""
        sums = {}
        for instance in self.instances:
            # For programs on this machine they need no key.
            text = instance.client.call("GET", "/metrics").text
            for line in text.splitlines():
                if line and not line.startswith("#"):
                    name, _, value = line.rpartition(" ")
                    sums[name] = sums.get(name, 0) + float(value)
        return sums

    def statuses(self):
        """How many requests were answered by which status."""
        counts = {}
        for name, value in self.metrics().items():
            found = re.match(r'phoneproof_http_requests_total\{.*status="(\d+)"', name)
            # All that is measured is posted; a thread of wrk that has nothing more to send gets something while it stops.
            if found and 'method="POST"' in name:
                counts[int(found.group(1))] = counts.get(int(found.group(1)), 0) + int(value)
        return counts

    def drain(self, seconds=300):
        """Waits until no message is owed; gives how many were and how long that took."""
        start, owed = time.monotonic(), None
        while True:
            # All instances look at one outbox.
            text = self.client.call("GET", "/metrics").text
            left = int(float(re.search(r"^phoneproof_outbox_messages (\S+)$", text, re.M).group(1)))
            owed = left if owed is None else owed
            if left == 0:
                return owed, time.monotonic() - start
            if time.monotonic() - start > seconds:
                raise RuntimeError(f"{left} messages were not sent within {seconds} s")
            time.sleep(0.05)

    @property
    def messages_path(self):
        """Where the console gateway writes."""
        return f"{self.folder}/log"

    def codes(self, position):
        """The codes of the messages that were written behind this position: last four digits of the number to code."""
        with open(self.messages_path, encoding="utf-8") as log:
            log.seek(position)
            text = log.read()
        found = re.findall(r"^\[SMS, not sent\] to \S+ \S*(\d{4})\n  \| .*?\b(\d{6})\b", text, re.M)
        return dict(found)

    def messages_end(self):
        return pathlib.Path(self.messages_path).stat().st_size
