"""The rows of calls: what is sent, what it takes beforehand, and what the answers must be."""

import dataclasses
import json

import load
from figures import Target

# Numbers whose messages the console gateway writes differ in their last four digits, if no more are under way.
WAVE = 9000


def start_call(number):
    return "/v1/verifications", json.dumps({"phone_number": number}, separators=(",", ":"))


@dataclasses.dataclass(frozen=True)
class Row:
    """Calls of one kind.

    calls_per_second: how many are made ready for a second of load; what is not ready when the load has used it up is
    not waited for, and the load ends then.
    """

    name: str
    title: str
    floor: str
    statuses: frozenset
    calls_per_second: int
    gateway: str = "stub"
    # The share of the floor's throughput that it should have.
    target: float | None = None
    script: str = "lines"
    notes: str = ""
    # How many times as long as the others it is measured: until it is under way.
    length: int = 1

    def stores(self, names):
        return names

    def headers(self, service):
        return service.headers

    def floor_body(self):
        return '{"code":"123456"}'

    def targets_of(self, store, connections):
        if not self.target or store != "sqlite-full" or connections != 64:
            return []
        return [Target("throughput by the floor's", "at least", self.target, "%"), Target("p99 by the floor's", "at most", 2.5, "×")]

    def prepare(self, service, numbers, count, path, connections):
        """Writes what is to be sent."""
        raise NotImplementedError


class Starts(Row):
    def floor_body(self):
        return start_call("01012345678")[1]

    def prepare(self, service, numbers, count, path, connections):
        load.write_lines(path, map(start_call, numbers.take(count)))
        return [path]


def pairs(service, calls, headers, path):
    """Begins verifications and gives number, id (or `-`) and code of each."""
    found = []
    for begin in range(0, len(calls), WAVE):
        wave = calls[begin : begin + WAVE]
        load.write_lines(path, wave)
        noted, position = f"{path}.begun", service.messages_end()
        # Most loads end when all is sent; a slow machine gets more time.
        sent = 0
        report = load.wrk("begin", service.ports, 32, max(2, len(wave) // 400), [path, noted], headers, threads=1)
        with open(noted) as file:
            begun = [line.split() for line in file]
        sent += report["completed"]
        service.drain()
        codes = service.codes(position)
        for number, identifier in begun:
            if number[-4:] in codes:
                found.append((number, identifier, codes[number[-4:]]))
        if not begun or len(found) < begin + 0.9 * len(begun):
            raise RuntimeError(f"of {len(wave)} verifications {sent} began, and {len(codes)} codes came")
    return found


class Checks(Row):
    def prepare(self, service, numbers, count, path, connections):
        calls = [start_call(number) for number in numbers.take(count)]
        found = pairs(service, calls, service.headers, path)
        load.write_lines(path, (
            (f"/v1/verifications/{identifier}/checks", f'{{"code":"{code}"}}') for _, identifier, code in found
        ))
        return [path]


class WrongChecks(Row):
    # Of five.
    TRIES = 4

    def prepare(self, service, numbers, count, path, connections):
        calls = [start_call(number) for number in numbers.take(-(-count // self.TRIES))]
        found = pairs(service, calls, service.headers, path)
        load.write_lines(path, (
            (f"/v1/verifications/{identifier}/checks", f'{{"code":"{(int(code) + wrong) % 1_000_000:06}"}}')
            for wrong in range(1, self.TRIES + 1) for _, identifier, code in found
        ))
        return [path]


class Signups(Row):
    def headers(self, service):
        return {}

    def prepare(self, service, numbers, count, path, connections):
        with open(path, "w") as file:
            file.writelines(f"{number}\n" for number in numbers.take(count))
        # So many are under way that every connection has something to send, though some wait for their codes.
        return [path, service.messages_path, connections + 32]


ROWS = [
    Starts(
        "start", "POST /v1/verifications, a new number each time", "start", frozenset({201}), 15_000, target=0.35,
        notes="Messages go to the stub in the same process, beside the load: `owed` is how many were left when it ended, "
        "and the processor time is counted until none is.",
    ),
    Checks(
        "check", "POST /v1/verifications/{id}/checks, the right code", "check", frozenset({200}), 4000, "console",
        target=0.5,
    ),
    WrongChecks(
        "wrong-check", "POST /v1/verifications/{id}/checks, a wrong code", "check", frozenset({422}), 8000, "console",
        target=0.5, notes="Four wrong codes for each verification, which may have five.",
    ),
    Signups(
        "signup", "A whole signup: POST /v1/signups, …/send, …/sign-up", "check", frozenset({200, 201, 202}), 4000,
        "console", script="signups",
        notes="Figures by call, three to a signup. Messages are written to a file, from which codes are read without a "
        "call; delivering them is a part of it, and so is a session with its two tokens. Three times as long as the other rows.",
        length=3,
    ),
]
