"""A service whose disk is recorded, the cuts that may end it, and what each has to leave."""

import errno
import hashlib
import json
import os
import random
import shutil
import sqlite3
import sys
import tempfile
import threading
from contextlib import closing
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEnd"))
import disk  # noqa: E402
from support import Server, at_once, beside, code_in, other_than, run  # noqa: E402

# Of what does not belong to the disk, the load's own limits among it: it is what limits are made to refuse.
MAX_CHECKS = 5
SETTINGS = {"VERIFICATION_MAX_CHECKS": MAX_CHECKS, "VERIFICATION_RESEND_COOLDOWNS_SECONDS": 0, "LIMITS_ENABLED": "false",
            "GUARD_MODE": "off"}


class Event:
    """What a client knows, and the position in the trace at which it did."""

    def __init__(self, position, kind, **what):
        self.position, self.kind, self.what = position, kind, what


class Recording:
    """A service at work over a recorded disk.

    An event is noted after its answer has come, with the length of the trace at that moment: whatever cut comes later in the
    trace came after the answer.
    """

    def __init__(self, folder, durability="full"):
        self.folder, self.durability = folder, durability
        self.root, self.trace = f"{folder}/disk", f"{folder}/trace"
        os.makedirs(self.root)
        Path(self.trace).touch()
        library = disk.build(folder)
        self.control = disk.Control(f"{folder}/control")
        self.prefix = ("env", f"LD_PRELOAD={library}", f"DISK_ROOT={self.root}", f"DISK_TRACE={self.trace}",
                       f"DISK_CONTROL={self.control.path}")
        self.settings = {**SETTINGS, "DATABASE_URL": f"sqlite:{self.root}/phoneproof.sqlite", "DATABASE_SYNCHRONOUS": durability}
        self.events, self.lock = [], threading.Lock()

    def note(self, kind, **what):
        with self.lock:
            self.events.append(Event(os.stat(self.trace).st_size, kind, **what))

    def serve(self):
        return Server(self.folder, prefix=self.prefix, **self.settings)

    def run(self, *arguments, **settings):
        """A command over the recorded disk."""
        code, out, err = run(*arguments, prefix=self.prefix, folder=self.folder, **{**self.settings, **settings})
        assert code == 0, (arguments, code, out, err)
        return out

    def work(self, workers=4, turns=12):
        """Signups, codes that are right and wrong, a restart, and the erasure of what some of them left."""
        for part in range(2):
            with self.serve() as server:
                with beside(lambda worker: self._sign_up(server.client, worker, part, turns), range(workers)):
                    pass
                if part == 0:
                    server.kill()
                else:
                    for number in [event.what["number"] for event in self.events if event.kind == "signed up"][::7]:
                        self.note("erasing", number=number)
                        self.run("erase", number, "--yes")
                        self.note("erased", number=number)
                    server.stop()
        self._keep()
        self.changes = disk.changes(self.trace)

    def copy(self, source):
        """A copy of the database at a URL, into a new file of this disk."""
        self.run("copy", "--quiet", "--to", f"sqlite:{self.root}/copy.sqlite", DATABASE_URL=source)
        self.note("copied")
        self.changes = disk.changes(self.trace)

    def copy_again(self, source, seed, folder):
        """What is wrong with a copy that is cut off where a seed chooses, and made again by the same command."""
        cut = random.Random(seed).randrange(1, len(self.changes) + 1)
        after = disk.Disk()
        for change in self.changes[:cut]:
            after.follow(change)
        os.makedirs(f"{folder}/disk")
        after.after_cut(seed, f"{folder}/disk")
        target = f"{folder}/disk/copy.sqlite"
        is_done = self.changes[cut - 1].end >= self.events[-1].position
        for what in (["before the copy is made again"] if is_done else []) + ["after it"]:
            if what == "after it":
                code, _, err = run("copy", "--quiet", "--to", f"sqlite:{target}", folder=folder, DATABASE_URL=source)
                if code:
                    yield f"seed {seed}, change {cut}: the copy is not made again: {err[-300:]}"
            rows, reason = read(target)
            if reason or rows != read(f"{self.root}/copy.sqlite")[0]:
                yield f"seed {seed}, change {cut}: {what} it is another: {reason}"

    def fail(self, places, flushes=range(1, 6)):
        """Codes asked for while one operation of the disk fails, and while all fail from one on, until the disk is well again;
        what is wrong. What was answered is judged by cuts, as ever."""
        ways = [*product(places, (errno.EIO, errno.ENOSPC, disk.SHORT_WRITE), (False, True), "\0"),
                # A signal interrupts a call once, and it is to be made again.
                *product(places, (errno.EINTR,), (False,), "\0"),
                *product(flushes, (errno.EIO,), (False, True), "S")]
        server = self.serve()
        try:
            for serial, (place, error, for_good, kind) in enumerate(ways):
                said = f"operation {place} ({kind!r}) fails by {error}{', and all after it' if for_good else ''}"
                known = len(server.log_text)
                self.control.fail(place, error, for_good, kind)
                if (status := self._ask(server.client, 3 * serial)) not in (202, 503):
                    yield f"{said}: {status}"
                self.control.heal()
                # The first one may be what finds out that the disk is well.
                if 202 in [self._ask(server.client, 3 * serial + more) for more in (1, 2)]:
                    continue
                # What a flush that failed had of the database nobody knows: it is read again by a new process, which is said.
                if "check the disk, then restart" in server.log_text[known:]:
                    server.stop()
                    server = self.serve()
                if self._ask(server.client, 3 * serial + 1) != 202:
                    yield f"{said}, and no code can be had when the disk is well again"
            server.stop()
        finally:
            server.close()
        self.changes = disk.changes(self.trace)

    def _ask(self, client, serial):
        """A code asked for; the status of the answer that ends it."""
        number = f"+8210{20_000_000 + serial}"
        begun = client.call("POST", "/v1/signups", {"region": "KR"})
        if begun.status != 201:
            return begun.status
        sent = client.call("POST", f"{begun.headers['Location']}/send", {"phone_text": number}, begun.json["token"])
        if sent.status == 202:
            self.note("begun", number=number)
        return sent.status

    def fail_at_start(self, places, error=errno.EIO):
        """Services that begin while the disk fails from one operation on; what is wrong."""
        for place in places:
            self.control.fail(place, error, for_good=True)
            code, out, err = run("migrate", prefix=self.prefix, folder=self.folder, **self.settings)
            self.control.heal()
            if code != 0 and (code < 0 or len(err.strip().splitlines()) != 1 or not err.startswith("phoneproof: ")):
                yield f"operation {place} of `migrate` fails: {code} {err[-300:]}"
            code, out, err = run("migrate", prefix=self.prefix, folder=self.folder, **self.settings)
            if code != 0:
                yield f"operation {place} of `migrate` failed, and after that it does so for ever: {err}"
            shutil.rmtree(self.root)
            os.mkdir(self.root)

    def fail_commands(self, places):
        """Commands that write files while one operation of the disk fails, and while it is full from one on; what is wrong."""
        with self.serve() as server:
            server.stop()
        commands = [["backup", f"{self.root}/backup", "--with-keys", "--force"], ["keys", "rotate"], ["erase", "+821012345678", "--yes"]]
        names = ("backup", "backup.keys", "phoneproof.keys")
        for words, place, error in product(commands, places, (errno.EIO, errno.ENOSPC)):
            before = [digest(f"{self.root}/{name}") for name in names]
            self.control.fail(place, error, for_good=error == errno.ENOSPC)
            others = self._others(names)
            code, _, err = run(*words, prefix=self.prefix, folder=self.folder, **self.settings)
            self.control.heal()
            said = f"operation {place} of {words[0]} fails by {error}"
            if code < 0 or code and "phoneproof: " not in (err.strip().splitlines() or [""])[-1]:
                yield f"{said}: {code} {err[-300:]}"
            if code and words[0] == "backup" and before[0] and digest(f"{self.root}/backup") is None:
                yield f"{said}, and the backup that was there is gone"
            # A disk that takes nothing may refuse even that a name is removed.
            if error == errno.EIO and (left := self._others(names) - others):
                yield f"{said}, and leaves {left}"
            code, _, err = run(*words, prefix=self.prefix, folder=self.folder, **self.settings)
            if code:
                yield f"{said}, and after that it does so for ever: {err[-300:]}"

    def _others(self, names):
        return {name for name in os.listdir(self.root) if name not in names and not name.startswith("phoneproof.sqlite")}

    def _keep(self):
        """What an operator does with a service that stands still: each file is as before or as after it, at any cut."""
        for words in (["backup", "FILE"], ["keys", "rotate"], ["backup", "FILE", "--with-keys", "--force"], ["keys", "rotate"]):
            self.run(*(f"{self.root}/backup" if word == "FILE" else word for word in words))
            for name in ("backup", "backup.keys", "phoneproof.keys"):
                if os.path.exists(f"{self.root}/{name}"):
                    self.note("written", file=name, digest=digest(f"{self.root}/{name}"))
        self.run("restore", f"{self.root}/backup", "--with-keys", DATABASE_URL=f"sqlite:{self.root}/restored.sqlite")
        self.note("restored")

    def _sign_up(self, client, worker, part, turns):
        for turn in range(turns):
            number = f"+82104{worker}{part}{turn:02d}{(worker * 7919 + turn * 104729 + part * 31) % 1000:03d}"
            path, token = client.begin_signup(number)
            code = client.code(number)
            self.note("begun", number=number, path=path, token=token, code=code)
            if turn % 3 == 1:
                answer = client.enter_code(path, token, other_than(code))
                assert answer.status == 422, answer.text
                self.note("wrong", number=number)
            if turn % 3 != 2:
                self.note("checking", number=number)
                answer = client.enter_code(path, token, code)
                assert answer.status == 201, answer.text
                self.note("signed up", number=number, account=answer.json["account"]["id"])

    def save(self):
        """Keeps what the clients know beside the trace, for ``load``."""
        events = [(event.position, event.kind, event.what) for event in self.events]
        Path(f"{self.folder}/events.json").write_text(json.dumps([self.durability, events]))

    @classmethod
    def load(cls, folder):
        """A recording that was saved: a seed makes the same cut of it again."""
        recording = cls.__new__(cls)
        recording.durability, events = json.loads(Path(f"{folder}/events.json").read_text())
        recording.events = [Event(position, kind, **what) for position, kind, what in events]
        recording.changes = disk.changes(f"{folder}/trace")
        return recording

    def faults(self, seeds, folder):
        """What is wrong after cuts that these seeds choose: seed, place, sentence. Each is made again by its seed alone."""
        cuts = sorted((random.Random(seed).randrange(len(self.changes) + 1), seed) for seed in seeds)
        after, followed = disk.Disk(), 0
        for cut, seed in cuts:
            for change in self.changes[followed:cut]:
                after.follow(change)
            followed = cut
            place = f"{folder}/{seed}"
            os.makedirs(place)
            style = after.after_cut(seed, place)
            for fault in self.judge(place, self.changes[cut - 1].end if cut else 0):
                yield seed, f"change {cut} of {len(self.changes)}, {style}", fault
            shutil.rmtree(place)

    def judge(self, place, position):
        """What is wrong with the files below a folder, if the power was cut when the trace had this length."""
        known = [event for event in self.events if event.position <= position]
        yield from self._files(place, known)
        rows, reason = read(f"{place}/phoneproof.sqlite")
        if reason:
            yield reason
        elif rows is None and any(event.kind == "begun" for event in known):
            yield "the database, or its tables, are gone"
        elif rows is not None:
            yield from self._rows(known, *rows)
        yield from self._traces(place, [event.what["number"] for event in known if event.kind == "erased"])
        if rows and any(event.kind == "restored" for event in known):
            restored, reason = read(f"{place}/restored.sqlite")
            if not restored or restored[1] != rows[1]:
                yield f"what was restored is not there: {reason or restored}"

    def _rows(self, known, status, accounts):
        going = {event.what["number"] for event in self.events if event.kind == "erasing"} & {
            event.what["number"] for event in known if event.kind == "erasing"}
        asked = {event.what["number"] for event in known if event.kind == "checking"}
        for number, found in status.items():
            if len(found) > 1:
                yield f"{number} has {len(found)} verifications"
            if found[0][0] == "approved" and number not in asked:
                yield f"{number} is approved, and nobody has entered its code"
        for number in accounts.keys() - asked:
            yield f"{number} has an account, and nobody has entered its code"
        evidence = []
        for event in known:
            number = event.what.get("number")
            found = status.get(number)
            if event.kind == "erased" and (found or number in accounts):
                yield f"{number} was erased, and is there"
            elif number not in going:
                if event.kind == "begun":
                    evidence.append((bool(found), event))
                elif event.kind == "wrong":
                    evidence.append((bool(found) and found[0][1] < MAX_CHECKS, event))
                elif event.kind == "signed up":
                    evidence.append((accounts.get(number) == event.what["account"], event))
        # By `normal` the last moments may be lost, and nothing that came before what is there.
        first = next((index for index, (is_there, _) in enumerate(evidence) if not is_there), len(evidence))
        for is_there, event in evidence[first:]:
            if self.durability == "full" and not is_there:
                yield f"{event.what['number']}: {event.kind}, which was answered, is lost"
            if self.durability == "normal" and is_there:
                yield f"{event.what['number']}: {event.kind} is there, and what was answered before it is lost"

    def revive(self, seed, folder):
        """What is wrong with a service that goes on after the cut that a seed chooses: each code that was answered for signs in
        once, and at most one message, which may have been under way, is sent again."""
        cut = random.Random(seed).randrange(len(self.changes) // 4, len(self.changes))
        after = disk.Disk()
        for change in self.changes[:cut]:
            after.follow(change)
        os.makedirs(f"{folder}/disk")
        after.after_cut(seed, f"{folder}/disk")
        known = [event for event in self.events if event.position <= self.changes[cut - 1].end]
        asked = {event.what["number"] for event in known if event.kind in ("checking", "erasing")}
        settings = {**self.settings, "DATABASE_URL": f"sqlite:{folder}/disk/phoneproof.sqlite"}
        with Server(folder, **settings) as server:
            for event in known:
                if event.kind != "begun" or event.what["number"] in asked:
                    continue
                number, path, token, code = (event.what[name] for name in ("number", "path", "token", "code"))
                answers = at_once(lambda _: server.client.enter_code(path, token, code), range(2))
                found = {answer.json["account"]["id"] for answer in answers if answer.status in (200, 201)}
                if len(found) != 1:
                    yield f"seed {seed}: {number} gets {[answer.text for answer in answers]}"
            doubled = [message for message in server.sent() if code_in(message)]
            if len(doubled) > 1:
                yield f"seed {seed}: {len(doubled)} messages went again"

    def _files(self, place, known):
        """A file that a command writes is as one of them has left it, and not as before one that has ended."""
        versions = {}
        for event in self.events:
            if event.kind == "written":
                all_versions = versions.setdefault(event.what["file"], [None])
                if event in known:
                    all_versions.clear()
                all_versions.append(event.what["digest"])
        for name, allowed in versions.items():
            if (found := digest(f"{place}/{name}")) not in allowed:
                yield f"{name} is as no command has left it" if found else f"{name} is gone"

    @staticmethod
    def _traces(place, erased):
        for path in Path(place).rglob("*"):
            content = path.read_bytes() if path.is_file() else b""
            for number in erased:
                if number[1:].encode() in content:
                    yield f"{number} was erased, and {path.name} has it"


def digest(path):
    """None for a file that is not there."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest() if os.path.exists(path) else None


def read(path):
    """The verifications and accounts of a database, by number, or None if it has no tables yet; and what is wrong with it."""
    if not os.path.exists(path):
        return None, None
    with closing(sqlite3.connect(path)) as database:
        try:
            if (found := database.execute("PRAGMA integrity_check").fetchall()) != [("ok",)]:
                return None, f"{path} is damaged: {found[:3]}"
            if not database.execute("SELECT 1 FROM sqlite_schema WHERE name = 'account_number'").fetchall():
                return None, None
            status = {}
            for number, *rest in database.execute("SELECT e164, status, checks_left FROM verification"):
                status.setdefault(number, []).append(rest)
            accounts = database.execute("SELECT e164, 'acc_' || lower(hex(account_id)) FROM account_number")
            return (status, dict(accounts)), None
        # Also a report that quotes what is no text.
        except (sqlite3.Error, UnicodeDecodeError) as error:
            return None, f"{path} cannot be read: {error}"


def cut(recording, seeds):
    """The faults of a recording, as lines."""
    # In memory where there is any: nothing here is to last.
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        return [f"seed {seed}, {place}: {fault}" for seed, place, fault in recording.faults(seeds, folder)]
