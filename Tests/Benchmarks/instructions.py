"""The instructions of a start with its delivery, of a wrong and of a right check, and of a sign-in by a passkey: the running service
under callgrind, which no other load on the machine disturbs.

All that the process does for a call is in them, from the event loop to the database's code and the message that the stub
gets; the kernel's part is not. They depend on the compiler and the libraries too, so whoever changes those updates them.
"""

import asyncio
import itertools
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import load
import processes
import rows
import support
from service import Service

KEPT = pathlib.Path(__file__).resolve().parent / "instructions.json"
# Two counts of one program differ by 1.3 %: batches are not of the same sizes.
TOLERANCE = 0.02
CONNECTIONS, CALLS = 64, 600
# What is made once, such as prepared statements, is made for these.
WARM = 300
# The limits that the settings have by themselves are not reached by so few calls.
SETTINGS = {"": {}, "-with-limits": {"LIMITS_ENABLED": "true"}}
# A dock's, which may be deleted. As many people as this have few sessions each.
PASSKEYS, PEOPLE = pathlib.Path(__file__).resolve().parents[1] / "Docks" / "Passkeys", 300
ORIGIN = "https://phone.example"


def tool(name, package):
    program = shutil.which(name)
    if not program:
        raise RuntimeError(f"{name} is not installed: apt-get install {package}")
    return program


async def connection(port, requests, responses):
    """Sends requests one after the other, as long as there are any."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for request in requests:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(re.search(rb"(?i)content-length: *(\d+)", head).group(1))
        responses.append((int(head[9:12]), json.loads(await reader.readexactly(length))))
    writer.close()


def post(service, calls, status):
    """Posts bodies to paths over all connections; gives the responses, all of which must have this status."""
    requests = iter([
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAuthorization: Bearer {service.key}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
        for path, body in calls
    ])
    responses = []

    async def send():
        await asyncio.gather(*(connection(service.ports[0], requests, responses) for _ in range(CONNECTIONS)))

    asyncio.run(send())
    wrong = sorted({found for found, _ in responses} - {status})
    if wrong:
        raise RuntimeError(f"calls were answered by {wrong}, not by {status}")
    return [body for _, body in responses]


class Callgrind(Service):
    """A service that counts its instructions."""

    def __init__(self, folder, **settings):
        self.counts, self.pipes = pathlib.Path(folder) / "counts", f"--vgdb-prefix={folder}/pipe"
        prefix = [
            tool("valgrind", "valgrind"), "-q", "--tool=callgrind", "--instr-atstart=no", "--fair-sched=yes", self.pipes,
            f"--callgrind-out-file={self.counts}",
        ]
        super().__init__("sqlite-full", prefix=prefix, **settings)
        self.pid, self.dumps = self.instances[0].process.pid, 0

    def control(self, *arguments):
        command = [tool("callgrind_control", "valgrind"), self.pipes, *arguments, str(self.pid)]
        done = subprocess.run(command, capture_output=True, text=True)
        # It exits with 0 even if there is no such process.
        if "OK." not in done.stdout:
            raise RuntimeError(f"{' '.join(command)} failed: {(done.stdout + done.stderr).strip()[-500:]}")

    def wait_until_idle(self):
        """Two seconds without work, by the kernel's clock: a question to the service would be counted."""
        used, since = 0.0, time.monotonic()
        while time.monotonic() - since < 2:
            now = processes.cpu_seconds(self.pid)
            # Its timers take a tick now and then.
            if now - used > 0.05:
                used, since = now, time.monotonic()
            time.sleep(0.1)

    def count(self, calls, status):
        """The instructions of each call, with what is done of it afterwards; and the responses."""
        # What a look at the metrics has begun goes on for a while.
        self.wait_until_idle()
        self.control("-i", "on")
        responses = post(self, calls, status)
        self.wait_until_idle()
        self.control("-i", "off")
        self.control("-d")
        self.dumps += 1
        owed, _ = self.drain()
        if owed:
            raise RuntimeError(f"{owed} messages were not sent when the count ended")
        dump = self.counts.with_suffix(f".{self.dumps}")
        total = re.search(r"^totals: (\d+)", dump.read_text(errors="replace"), re.M)
        return round(int(total.group(1)) / len(calls)), responses


def devices_of_people(service):
    """Signs people up, each of whom makes a passkey."""
    sys.path.append(str(PASSKEYS))
    from test_passkeys import Device

    devices = []
    for number in load.Numbers().take(PEOPLE):
        token = service.client.sign_up(number).json["tokens"]["access_token"]
        options = service.client.call("POST", "/v1/passkeys/options", {}, token).json
        devices.append(Device(ORIGIN))
        made = service.client.call("POST", "/v1/passkeys", {"credential": devices[-1].register(options)}, token)
        if made.status != 201:
            raise RuntimeError(f"no passkey was made: {made.text}")
    return devices


def measure_passkeys(folder):
    """The instructions of a sign-in by a passkey: of both its requests."""
    with Callgrind(folder, PASSKEYS_ENABLED="true", TOKENS_ISSUER=ORIGIN) as service:
        devices = itertools.cycle(devices_of_people(service))

        def ask(count):
            return [("/v1/passkeys/sign-in/options", "")] * count

        def prove(options):
            return [("/v1/passkeys/sign-in", json.dumps({"credential": next(devices).prove(each)})) for each in options]

        post(service, prove(post(service, ask(WARM), 200)), 200)
        service.drain()
        asked, options = service.count(ask(CALLS), 200)
        return asked + service.count(prove(options), 200)[0]


def measure(folder, **settings):
    """Yields the name of each kind of call and its instructions."""
    numbers = load.Numbers()
    with Callgrind(folder, **settings) as service:
        post(service, map(rows.start_call, numbers.take(WARM)), 201)
        service.drain()
        count, begun = service.count(list(map(rows.start_call, numbers.take(CALLS))), 201)
        yield "start", count
        messages = service.client.call("GET", f"/stub/messages?limit={CALLS}").json["messages"]
        codes = {message["to"]: support.code_in(message["body"]) for message in messages}
        checks = [(f"/v1/verifications/{each['id']}/checks", codes[each["phone_number"]]) for each in begun]
        for name, status, code_of in [("wrong-check", 422, support.other_than), ("right-check", 200, str)]:
            yield name, service.count([(path, f'{{"code":"{code_of(code)}"}}') for path, code in checks], status)[0]


def measure_all(folder):
    for suffix, settings in SETTINGS.items():
        for kind, count in measure(folder, **settings):
            yield kind + suffix, count
    if PASSKEYS.exists():
        yield "passkey", measure_passkeys(folder)


def verdict(found, kept):
    """What is wrong with a count; nothing if it is as it was kept."""
    if kept is None:
        return "NOT KEPT"
    if abs(found - kept) <= TOLERANCE * kept:
        return ""
    return "MORE" if found > kept else "LESS"


def run(program, is_update, out):
    """Counts all, and compares them with what is kept; gives the exit status."""
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    found, changed = {}, []
    out(f"{'call':<26}{'instructions':>14}{'kept':>12}{'':>9}")
    with tempfile.TemporaryDirectory(prefix="phoneproof-bench-") as folder:
        # Valgrind 3.19 aborts on the debug information of Swift 6.3.
        support.PROGRAM = f"{folder}/phoneproof"
        subprocess.run([tool("strip", "binutils"), "--strip-debug", "-o", support.PROGRAM, program], check=True)
        for name, count in measure_all(folder):
            was = kept.get(name)
            found[name] = count
            change = f"{100 * (count / was - 1):+.1f} %" if was else ""
            fault = "" if is_update else verdict(count, was)
            out(f"{name:<26}{count:>14,}{was or 0:>12,}{change:>9}  {fault}".rstrip())
            if fault:
                changed.append(name)
    if "passkey" in found:
        out(f"a sign-in by a passkey takes {found['passkey'] / found['right-check']:.2f} right checks, and should take 1.5 at most")
    if is_update:
        KEPT.write_text(json.dumps(found, indent=2) + "\n")
        out(f"{KEPT.name} has these now")
    elif changed:
        out(f"{', '.join(changed)}: not within {TOLERANCE:.0%} of Tests/Benchmarks/{KEPT.name}. If that is meant, fewer as well, "
            "scripts/bench --instructions --update")
    return 1 if changed else 0
