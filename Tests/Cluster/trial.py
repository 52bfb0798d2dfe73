"""One run: the cluster, the load, the faults, and what is there in the end."""

import collections
import concurrent.futures
import contextlib
import json
import pathlib
import re
import time

import support
from clients import Caller, Load, People
from evidence import Evidence, History, Rules, Tables
from parts import DatabaseLinks, Instance, MachineClock, Nginx, SMSGateway
from saboteur import Saboteur
from support import ROOT, wait_for

# What operators are promised.
ARTICLE = ROOT / "Sources/Apps/phoneproof/phoneproof.docc/Operation/SeveralInstances.md"
BACK_WITHIN = int(re.search(r"within (\d+) seconds of its promotion", ARTICLE.read_text()).group(1))


class Trial:
    """database: a SQLiteDatabase or a PostgreSQLDatabase; say: prints.

    clocks: by how many seconds the clock of each instance is ahead, where they have clocks of their own.
    """

    INSTANCES = 3

    def __init__(self, folder, database, seed, seconds, workers=16, rules=Rules(), say=print, clocks=()):
        self.folder = pathlib.Path(folder)
        self.database, self.seed, self.seconds, self.workers = database, seed, seconds, workers
        self.rules, self.say, self.clocks = rules, say, clocks
        self.count = len(clocks) or self.INSTANCES
        self.history = History()
        # What went wrong with the cluster itself: an instance that ended by itself, a secret in a log.
        self.complaints = []
        # How instances ended, and how often.
        self.ends = collections.Counter()

    def run(self):
        """The evidence."""
        with contextlib.ExitStack() as stack:
            self.gateway = SMSGateway(self.folder)
            stack.callback(self.gateway.close)
            self.links = None
            if self.database.server:
                self.links = DatabaseLinks(self.database.servers, self.count)
                stack.callback(self.links.close)
            self._start_instances(stack)
            self._start_nginx(stack)
            faults = self._strain()
            self._settle()
            self._look_back()
            for instance in self.instances:
                instance.close()
                for code, _, expected in instance.wrong_ends:
                    by = expected or "by itself"
                    self.complaints.append(f"{instance.name} ended with {code} ({by}); see {instance.log_path}")
                for code, was_ready, expected in instance.ends:
                    self.ends["found no database" if code == 69 and not was_ready else f"{expected}: {code}"] += 1
            tables = Tables.of(self.database)
            self._ask_commands(tables)
        self._search_logs()
        self.history.save(self.folder / "history")
        tables.save(self.folder / "tables")
        return Evidence(self.rules, self.history, self.gateway.messages, tables, faults)

    def _start_instances(self, stack):
        shared = {
            "SMS_GATEWAY": "twilio", **support.TWILIO, **self.rules.settings,
            "SMS_TWILIO_BASE_URL": f"http://127.0.0.1:{self.gateway.port}",
            "KEYS_FILE": self.folder / "keys", "SERVER_TRUSTED_PROXIES": "127.0.0.1", "LOG_LEVEL": "info",
        }
        self.settings = shared
        urls = self.database.urls(self.count, self.links.ports if self.links else None)
        clocks = [MachineClock(self.folder / f"clock-{number}", ahead) for number, ahead in enumerate(self.clocks, 1)]
        self.instances = [
            Instance(f"instance {number}", self.folder / f"instance-{number}", {**shared, "DATABASE_URL": url}, clock)
            for number, (url, clock) in enumerate(zip(urls, clocks or [None] * self.count), 1)
        ]
        # All at once on an empty database: they must not be in each other's way.
        for instance in self.instances:
            stack.callback(instance.close)
            instance.start()
        try:
            wait_for(lambda: self._tick() or all(each.is_ready for each in self.instances), "the instances", 60)
        except AssertionError as error:
            words = [pathlib.Path(each.log_path).read_text()[-1000:] for each in self.instances]
            raise AssertionError(f"{error}; their logs end: {words}") from None

    def _start_nginx(self, stack):
        self.nginx = Nginx(self.folder / "nginx", [each.port for each in self.instances])
        stack.callback(self.nginx.close)
        client = support.Client(self.nginx.port)

        def is_there():
            with contextlib.suppress(OSError):
                return client.call("GET", "/health/ready").status == 200

        wait_for(is_there, "nginx")

    def _tick(self):
        for instance in self.instances:
            instance.tick()

    def _strain(self):
        doors = [self.nginx.port] + ([each.port for each in self.instances] if self.clocks else [])
        load = Load(
            self.nginx.port, self.history, self.gateway, People(self.seed), self.seed, self.workers, doors, self.rules.code_ttl
        )
        saboteur = Saboteur(
            self.seed, self.instances, self.nginx, self.database, self.links, self.rules.lease, self.say
        )
        load.start()
        try:
            saboteur.run(self.seconds, self._tick)
        finally:
            load.stop()
        self.complaints += load.errors + saboteur.errors
        for promotion in saboteur.promotions:
            self._back(promotion)
        return saboteur.faults

    def _back(self, promotion):
        """Each instance writes again in time after a standby was promoted."""
        for instance in self.instances:
            moments = [
                each.answered for each in self.history
                if each.instance == f"127.0.0.1:{instance.port}" and each.is_done and each.sent >= promotion
            ]
            took = (min(moments) - promotion) / 1000 if moments else float("inf")
            self.say(f"{instance.name} was back {took:.1f} s after the promotion.")
            if took > BACK_WITHIN:
                self.complaints.append(f"{instance.name} was back {took:.1f} s after the promotion, {BACK_WITHIN} are promised")

    def _settle(self):
        """Waits until all is well again, and nothing is owed any more."""
        begin = time.monotonic()
        clients = [support.Client(each.port) for each in self.instances]

        def ready():
            self._tick()
            try:
                return all(client.call("GET", "/health/ready").status == 200 for client in clients)
            except OSError:
                return False

        wait_for(ready, "the instances", 60)
        owed = "SELECT count(*) AS count FROM outbox_message WHERE status = 'queued'"
        try:
            wait_for(lambda: self._tick() or self.database.rows(owed)[0]["count"] == 0, "the end of the outbox", 60)
        except AssertionError as error:
            # What is still owed is for the judges to name.
            self.complaints.append(str(error))
        self.say(f"All was well and sent {time.monotonic() - begin:.1f} s after the load.")

    def _look_back(self):
        """Asks once more for all that clients were shown."""
        caller = Caller(self.nginx.port, self.history)

        def look(begun):
            name = begun.body["id"]
            if begun.kind == "begin":
                caller.ask("show", "GET", f"/v1/verifications/{name}", verification=name)
            else:
                caller.ask("signup_show", "GET", f"/v1/signups/{name}", token=begun.body["token"], signup=name)

        begun = {each.body["id"]: each for each in self.history if each.kind in ("begin", "signup_begin") and each.is_done}
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(look, begun.values()))

    def _ask_commands(self, tables):
        """The program's own commands must say the same as its tables."""
        audit = json.loads(self._command("audit", "--json", "--limit", "1000000"))["items"]
        self._compare("audit", len(audit), len(tables.audit))
        outbox = json.loads(self._command("outbox", "list", "--json", "--limit", "10000"))["items"]
        statuses = collections.Counter(message["status"] for message in outbox)
        self._compare("outbox list", statuses, collections.Counter(row["status"] for row in tables.messages))
        limits = json.loads(self._command("limits", "list", "--json"))
        counted = sum(row["status"] in ("queued", "sent", "unknown", "delivered", "undelivered") for row in tables.messages)
        # One that was not sent stays counted if its code had been guessed at by then.
        unsent = sum(row["status"] in ("failed", "dropped") for row in tables.messages)
        told = limits["sent_last_day"]
        self._compare("limits list", told, min(max(told, counted), counted + unsent))

    def _command(self, *arguments):
        settings = {**self.settings, "DATABASE_URL": self.database.urls(1)[0]}
        code, output, errors = support.run(*arguments, folder=str(self.folder), **settings)
        if code != 0:
            self.complaints.append(f"`{' '.join(arguments)}` ended with {code}: {errors}")
        return output

    def _compare(self, command, printed, kept):
        if printed != kept:
            self.complaints.append(f"`{command}` says {printed}, and the tables say {kept}")

    def _search_logs(self):
        """No log has a code or a whole number."""
        secrets = {message.code for message in self.gateway.messages if message.code}
        secrets |= {message.to[3:] for message in self.gateway.messages}
        for instance in self.instances:
            # Among thousands of IDs there is one whose digits are a code by chance.
            with open(instance.log_path) as log:
                text = re.sub(r"\b\w*[0-9a-f]{32}\b", "", log.read())
            words = {text[position:position + length] for length in {len(secret) for secret in secrets}
                     for position in self._digits(text, length)}
            found = secrets & words
            if found:
                self.complaints.append(f"{len(found)} codes or numbers are in {instance.log_path}")

    @staticmethod
    def _digits(text, length):
        run = 0
        for position, letter in enumerate(text):
            run = run + 1 if letter.isdigit() else 0
            if run >= length:
                yield position - length + 1
