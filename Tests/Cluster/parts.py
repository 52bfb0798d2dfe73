"""The programs of a cluster: instances, nginx before them, a database behind links, and the gateway that they send by."""

import collections
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import threading
import time

from evidence import Message
from postgresql import PostgreSQL, new_port
from support import PROGRAM, environment


def bound(*command):
    """The command, which ends with the one who started it, however that ends."""
    return ["setpriv", "--pdeathsig", "KILL", "--", *command]


class MachineClock:
    """The clock of a machine that is `ahead` of the others by so many seconds, as far as a program run by `prefix` sees."""

    def __init__(self, folder, ahead=0):
        os.makedirs(folder, exist_ok=True)
        library, self._path = f"{folder}/clock.so", f"{folder}/clock"
        source = pathlib.Path(__file__).with_name("clock.c")
        subprocess.run(["clang", "-O2", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
        self.ahead = ahead
        self.step(0)
        self.prefix = ("env", f"LD_PRELOAD={library}", f"CLOCK_FILE={self._path}")

    def step(self, seconds):
        """Sets it so much further ahead than it was at first."""
        pathlib.Path(self._path).touch()
        with open(self._path, "r+b") as file:
            file.write(struct.pack("<q", self.ahead + seconds))


class Instance:
    """What an operator's supervisor does for a program: `tick` looks after it.

    Its port stays the same over restarts, as the proxy before it has it in its configuration.
    """

    # Seconds until one that has ended is started again.
    PAUSE = 1.0
    # The exit code of one that finds no database.
    UNREACHABLE = 69

    def __init__(self, name, folder, settings, clock=None):
        self.name, self.folder, self.settings, self.clock = name, folder, settings, clock
        os.makedirs(folder, exist_ok=True)
        self.port = new_port()
        self.log_path = os.path.join(folder, "log")
        self.process = None
        self.is_ready = self.is_paused = self.is_wanted = False
        # How each process ended: (code, whether it had been ready, whether somebody ended it on purpose).
        self.ends = []
        self._expected = None
        self._next_start = 0.0

    def start(self):
        self.is_wanted = True
        self.is_ready = False
        self._expected = None
        with open(self.log_path, "a") as log:
            self.process = subprocess.Popen(
                bound(*(self.clock.prefix if self.clock else ()), PROGRAM, "serve", "--port", str(self.port)), stdout=subprocess.PIPE, stderr=log, text=True,
                cwd=self.folder, env=environment(self.folder, SERVER_INSECURE_NO_KEYS="true", **self.settings),
            )
        threading.Thread(target=self._read, args=[self.process], daemon=True).start()

    def _read(self, process):
        for line in process.stdout:
            if re.fullmatch(r"PhoneProof is ready at http://127\.0\.0\.1:\d+\n", line) and process is self.process:
                self.is_ready = True
        process.stdout.close()

    def tick(self):
        """Notices that it has ended, and starts it again after a while."""
        if self.process and self.process.poll() is not None:
            self.ends.append((self.process.returncode, self.is_ready, self._expected))
            self.process = None
            self.is_ready = False
            self._next_start = time.monotonic() + self.PAUSE
        if self.is_wanted and not self.process and time.monotonic() >= self._next_start:
            self.start()

    def kill(self):
        if self.process:
            self._expected = "kill"
            self.process.send_signal(signal.SIGKILL)

    def pause(self):
        if self.process:
            self.is_paused = True
            self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.is_paused = False
        if self.process:
            self.process.send_signal(signal.SIGCONT)

    def terminate(self):
        """Ends it as an operator does."""
        if self.process:
            self._expected = "term"
            self.process.send_signal(signal.SIGTERM)

    def close(self):
        """Ends it for good, as an operator does."""
        self.is_wanted = False
        if self.process:
            self.resume()
            self.terminate()
            try:
                self.process.wait(timeout=60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.tick()

    @property
    def wrong_ends(self):
        """Those that are nobody's doing: one that was ready ended by itself, or not cleanly when it was asked to.

        One that finds no database when it starts says so and ends; its supervisor starts it again. With any other code
        than that for a service that cannot be reached, a supervisor would not.
        """
        return [
            (code, was_ready, expected) for code, was_ready, expected in self.ends
            if (expected is None and (was_ready or code != self.UNREACHABLE))
            or (expected == "term" and code not in ((0,) if was_ready else (0, -signal.SIGTERM, self.UNREACHABLE)))
        ]


# An address that fails is left alone for a moment. A request that an instance may have taken goes to no other one: only
# the client may try it again, since only the client can know what that means.
CONFIGURATION = """
daemon off;
{user}
worker_processes 2;
pid {folder}/pid;
error_log {folder}/error.log warn;
events {{ worker_connections 2048; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    upstream phoneproof {{
        {servers}
    }}
    server {{
        listen 127.0.0.1:{port} backlog=1024;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_connect_timeout 1s;
        proxy_send_timeout 6s;
        proxy_read_timeout 6s;
        proxy_next_upstream error timeout;
        proxy_next_upstream_timeout 7s;
        add_header X-Instance $upstream_addr always;
        # These are for programs on the machine, as the load is.
        location /v1/verifications {{
            proxy_pass http://phoneproof;
            proxy_set_header Host 127.0.0.1;
        }}
        location / {{
            proxy_pass http://phoneproof;
            proxy_set_header Host $host;
            proxy_set_header X-Forwarded-For $remote_addr;
        }}
    }}
}}
"""


class Nginx:
    def __init__(self, folder, ports):
        program = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
        if not program:
            raise RuntimeError("nginx is not installed: apt-get install nginx")
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True)
        self.port = new_port()
        servers = " ".join(f"server 127.0.0.1:{port} max_fails=1 fail_timeout=1s;" for port in ports)
        path = self.folder / "nginx.conf"
        path.write_text(CONFIGURATION.format(
            folder=self.folder, port=self.port, servers=servers, user="user root;" if os.geteuid() == 0 else "",
        ))
        with open(self.folder / "output", "w") as output:
            self.process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "TERM", "--", program, "-p", str(self.folder), "-c", str(path)],
                stdout=output, stderr=output,
            )

    def reload(self):
        self.process.send_signal(signal.SIGHUP)

    def close(self):
        self.process.send_signal(signal.SIGQUIT)
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.terminate()
            self.process.wait()


class DatabaseLinks:
    """A port for each instance and server of the database, behind which that is, as far as the network lets it: first one
    for each instance to the primary, then one for each to the standby."""

    def __init__(self, servers, count):
        program = pathlib.Path(__file__).with_name("link_program.py")
        self.process = subprocess.Popen(
            bound(sys.executable, "-B", str(program), *[str(server.port) for server in servers for _ in range(count)]),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        self.count = count
        self.ports = json.loads(self.process.stdout.readline())

    def set(self, link, mode, value=0):
        """See link_program.py for the modes."""
        print(json.dumps({"link": link, "mode": mode, "value": value}), file=self.process.stdin, flush=True)

    def set_side(self, side, mode, value=0):
        """The same for all links to the server that was first (0) or second (1)."""
        for link in range(side * self.count, (side + 1) * self.count):
            self.set(link, mode, value)

    def close(self):
        self.process.stdin.close()
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


class SMSGateway:
    """Runs the gateway's program, and reads what it has taken while it takes more."""

    def __init__(self, folder):
        self.path = pathlib.Path(folder) / "messages"
        self.path.touch()
        program = pathlib.Path(__file__).with_name("gateway_program.py")
        self.process = subprocess.Popen(
            bound(sys.executable, "-B", str(program), str(self.path)), stdout=subprocess.PIPE, text=True
        )
        self.port = int(self.process.stdout.readline())
        self.messages = []
        self._by_number = collections.defaultdict(list)
        self._news = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._is_closed = False
        self._reader.start()

    def _read(self):
        with open(self.path) as file:
            rest = ""
            while True:
                # Asked before the last look, so that nothing is left behind.
                is_last = self._is_closed
                rest += file.read()
                *lines, rest = rest.split("\n")
                with self._news:
                    for line in lines:
                        message = Message(**json.loads(line))
                        self.messages.append(message)
                        self._by_number[message.to].append(message)
                    if lines:
                        self._news.notify_all()
                if is_last:
                    return
                if not lines:
                    time.sleep(0.02)

    def codes(self, number, since=0, seconds=0):
        """The codes that came to this number since then, newest first, each once; waits so long for the first."""
        end = time.monotonic() + seconds
        with self._news:
            while True:
                found = [message.code for message in reversed(self._by_number[number]) if message.arrived >= since]
                left = end - time.monotonic()
                if found or left <= 0:
                    return list(dict.fromkeys(found))
                self._news.wait(left)

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()
        self._is_closed = True
        self._reader.join()


class PostgreSQLDatabase:
    def __init__(self, has_standby=False):
        self.server = PostgreSQL()
        self.standby = self.server.standby(synchronous=True) if has_standby else None
        self.old = None
        # Which of the links lead to the server that is written to.
        self.side = 0

    @property
    def servers(self):
        return [self.server, *([self.standby] if self.standby else [])]

    def urls(self, count, ports=None):
        """The URL for each instance, by way of these ports; with a standby the first half of them is to the primary."""
        direct, ports = self.server.url, ports or [self.server.port] * count
        hosts = [",".join(f"127.0.0.1:{port}" for port in ports[index::count]) for index in range(count)]
        return [direct.replace(f"127.0.0.1:{self.server.port}/", f"{host}/") for host in hosts]

    def promote(self):
        self.standby.promote()
        self.old, self.server, self.standby, self.side = self.server, self.standby, None, 1 - self.side

    def replace(self, links):
        """The old primary is gone for good, and a new standby is there in its place."""
        self.old.kill()
        self.old.close()
        self.old = None
        self.standby = self.server.standby(synchronous=True)
        links.set_side(1 - self.side, "target", self.standby.port)
        links.set_side(1 - self.side, "pass")

    def rows(self, query):
        lines = self.server.sql(f"SELECT row_to_json(found) FROM ({query}) AS found").splitlines()
        return [json.loads(line) for line in lines]

    def close(self):
        for server in (self.server, self.standby, self.old):
            if server:
                server.close()


class SQLiteDatabase:
    # There is none to hurt.
    server = None

    def __init__(self, folder):
        os.makedirs(folder)
        self.path = os.path.join(folder, "phoneproof.sqlite")
        self.url = f"sqlite:{self.path}"

    def urls(self, count, ports=None):
        """The URL for each instance."""
        return [self.url] * count

    def rows(self, query):
        with contextlib.closing(sqlite3.connect(self.path)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(query)]

    def close(self):
        pass
