"""The peer: Redis that flushes each command to the disk, asked as a service does that keeps its codes there.

It has no HTTP, no limits, no audit log and no message: what any service on it can do at most, on the same cores as its clients.
"""

import contextlib
import selectors
import shutil
import socket
import subprocess
import tempfile
import time

import figures
import postgresql
from figures import Target

CONNECTIONS = 64
# Our row, and the share of Redis's throughput that it should have.
TARGETS = {"start": ("start", 0.6), "check": ("check", 0.8)}


def program():
    found = shutil.which("redis-server")
    if not found:
        raise RuntimeError("redis-server is not installed: apt-get install redis-server")
    return found


def command(*words):
    words = [str(word).encode() for word in words]
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%b\r\n" % (len(word), word) for word in words)


def start(serial):
    """What is sent in each round trip, and how many lines the reply has."""
    key = f"otp:{serial}"
    fields = ("code", "314159", "to", "+821012345678", "attempts", 0, "max_attempts", 5)
    yield command("HGETALL", key), 1
    queued = [("MULTI",), ("HSET", key, *fields), ("EXPIRE", key, 600), ("EXEC",)]
    yield b"".join(command(*words) for words in queued), 6


def check(serial):
    """A right code, of a verification that a start has begun."""
    key = f"otp:{serial}"
    yield command("HGETALL", key) + command("HINCRBY", key, "attempts", 1), 18
    yield command("HGETALL", key), 17
    yield command("DEL", key), 1


class Redis:
    """A server with its own port, without what was kept before."""

    def __enter__(self):
        self.stack = contextlib.ExitStack()
        folder = self.stack.enter_context(tempfile.TemporaryDirectory(prefix="phoneproof-bench-"))
        self.port = postgresql.new_port()
        self.process = subprocess.Popen(
            [program(), "--bind", "127.0.0.1", "--port", str(self.port), "--dir", folder, "--save", "",
             "--appendonly", "yes", "--appendfsync", "always"],
            stdout=subprocess.DEVNULL,
        )
        self.stack.callback(self._stop)
        for _ in range(100):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port)).close()
                return self
            time.sleep(0.05)
        self.stack.close()
        raise RuntimeError("redis-server did not start")

    def _stop(self):
        self.process.kill()
        self.process.wait()

    def __exit__(self, *_):
        self.stack.close()

    def load(self, operation, first, seconds, count=None):
        """Operations by serial numbers from `first` on, for some time or as many as `count`: how many, and per second."""
        selector, next_serial, done = selectors.EpollSelector(), first, 0
        begun = time.monotonic()

        def begin(connection):
            nonlocal next_serial
            if time.monotonic() - begun >= seconds or (count is not None and next_serial - first >= count):
                selector.unregister(connection)
                connection.close()
                return None
            next_serial += 1
            return operation(next_serial - 1)

        def send(connection, steps):
            """The next round trip; whether there was one."""
            sent, lines = next(steps, (None, 0))
            if sent:
                connection.sendall(sent)
                selector.modify(connection, selectors.EVENT_READ, (steps, lines))
            return sent is not None

        for _ in range(CONNECTIONS):
            connection = socket.create_connection(("127.0.0.1", self.port))
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            selector.register(connection, selectors.EVENT_READ)
            if steps := begin(connection):
                send(connection, steps)
        while selector.get_map():
            for key, _ in selector.select():
                steps, lines = key.data
                reply = key.fileobj.recv(4096)
                if not reply or b"-ERR" in reply:
                    raise RuntimeError(f"Redis answered {reply[:100]!r}")
                lines -= reply.count(b"\n")
                if lines > 0:
                    selector.modify(key.fileobj, selectors.EVENT_READ, (steps, lines))
                elif not send(key.fileobj, steps):
                    done += 1
                    if steps := begin(key.fileobj):
                        send(key.fileobj, steps)
        return done, done / (time.monotonic() - begun)


def measure(seconds):
    """Starts a second, and checks of what was started."""
    with Redis() as redis:
        begun, starts = redis.load(start, 0, seconds)
        _, checks = redis.load(check, 0, 60, begun)
        return {"start": starts, "check": checks}


def run(options, entries, out):
    out(f"\nredis: Redis (appendonly yes, appendfsync always) by {CONNECTIONS} connections, with a Redis-backed service's commands")
    out("  start: HGETALL; MULTI, HSET, EXPIRE, EXEC. check: HGETALL and HINCRBY; HGETALL; DEL. `service` is ours above, on SQLite FULL.")
    out(f"{'row':<15}{'a second':>10}{'spread':>16}{'service':>9}{'ratio':>7}")
    runs, results = [measure(options.seconds) for _ in range(options.runs)], []
    for name, (row, share) in TARGETS.items():
        found = figures.summary([run[name] for run in runs])
        line = f"{name:<15}{found['median']:>10,.0f}{found['least']:>9,.0f}–{found['most']:<6,.0f}"
        result = {"row": name, "redis": found}
        ours = [entry for entry in entries if (entry["row"], entry["store"]) == (row, "sqlite-full")]
        ours = next((entry for entry in ours if entry["connections"] == CONNECTIONS), None)
        if ours:
            ratio = ours["subject"]["throughput"]["median"] / found["median"]
            line += f"{ours['subject']['throughput']['median']:>9,.0f}{100 * ratio:>6.0f}%"
            result["targets"] = [Target("throughput by Redis's", "at least", share, "%").judge(ratio)]
        out(line)
        results.append(result)
    return results
