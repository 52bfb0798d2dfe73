"""What the end-to-end tests share: the program, a server of one's own, and a client that speaks plain HTTP."""

import contextlib
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import sqlite3
import subprocess
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = str(ROOT / ".build" / os.environ.get("PHONEPROOF_BUILD", "debug") / "phoneproof")
# Whether tests run in all of their size, or only as much as every change must pass.
FULL = os.environ.get("PHONEPROOF_TESTS") == "full"


class SQLite:
    """Keeps everything in a file of the folder."""

    def settings(self, folder):
        return {"DATABASE_URL": f"sqlite:{folder}/phoneproof.sqlite"}

    def sql(self, folder, statement):
        database = sqlite3.connect(f"{folder}/phoneproof.sqlite")
        # As PostgreSQL has it: `'ver_' || encode(id, 'hex')` is an ID as everybody writes it.
        database.create_function("encode", 2, lambda value, _: value and value.hex())
        database.create_function("decode", 2, lambda text, _: bytes.fromhex(text))
        with contextlib.closing(database), database:
            rows = database.execute(statement).fetchall()
        return [tuple("" if value is None else str(value) for value in row) for row in rows]


# Where programs keep everything, unless a test says otherwise; other tests put another one here.
database = SQLite()


def sql(folder, statement):
    """Does a statement of SQL in the database of this folder, past the program; gives the rows, all values as text."""
    return database.sql(folder, statement)


def environment(folder, variables=None, **settings):
    """The environment of a program that keeps everything in this folder: settings, of which None unsets one, and other
    variables as they are."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    settings = {**database.settings(folder), **settings}
    return {
        **kept,
        "LANG": "C.UTF-8",
        "TERM": "xterm",
        **{f"PHONEPROOF_{name}": str(value) for name, value in settings.items() if value is not None},
        **(variables or {}),
    }


def run(*arguments, folder=None, stdin="", **settings):
    """Runs the program to its end; gives exit code, standard output and standard error."""
    with contextlib.ExitStack() as stack:
        folder = folder or stack.enter_context(tempfile.TemporaryDirectory())
        done = subprocess.run(
            [PROGRAM, *arguments], input=stdin, capture_output=True, text=True, timeout=60, cwd=folder,
            env=environment(folder, **settings),
        )
        return done.returncode, done.stdout, done.stderr


def read_to_end(connection):
    """Whether a socket has been closed by the other side, having passed over what came before."""
    try:
        while connection.recv(65_536):
            pass
        return True
    except BlockingIOError:
        return False
    except OSError:
        return True


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.text = response.read().decode()

    @property
    def json(self):
        return json.loads(self.text)


class Client:
    """One connection to a server at a time, by TLS if there is a context for that."""

    def __init__(self, port, timeout=30, tls=None):
        self.port = port
        self.timeout = timeout
        self.tls = tls

    def connect(self):
        if not self.tls:
            return http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.timeout)
        return http.client.HTTPSConnection("localhost", self.port, timeout=self.timeout, context=self.tls)

    def call(self, method, path, body=None, token=None, **headers):
        connection = self.connect()
        try:
            if body is not None:
                headers.setdefault("Content-Type", "application/json")
                body = body if isinstance(body, (str, bytes)) else json.dumps(body)
            if token:
                headers["Authorization"] = f"Bearer {token}"
            connection.request(method, path, body, headers)
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def messages(self, number=None, limit=1000):
        """The bodies of the messages that the stub was handed, newest first."""
        query = {"limit": limit, **({"to": number} if number else {})}
        return [m["body"] for m in self.call("GET", "/stub/messages?" + urllib.parse.urlencode(query)).json["messages"]]

    def code(self, number):
        """The code that was sent to this number last, once it has come."""
        return wait_for(lambda: next((code_in(body) for body in self.messages(number, 1)), None), "a message")


def code_in(body):
    return re.search(r"\b(\d{6})\b", body).group(1)


def wait_for(probe, what, seconds=30):
    """Asks until there is an answer; waits for an event, and fails if it does not come."""
    import time

    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = probe()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"{what} did not come within {seconds} s")


def free_port():
    """For what others must know before a program listens there. The system gives it to nobody else for a while."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Server:
    """A service of one's own, on a free port unless one is given."""

    def __init__(self, folder, command=("serve",), prefix=(), port=0, **settings):
        # What is tried without a key says so; the tests of keys unset it.
        settings.setdefault("SERVER_INSECURE_NO_KEYS", "true")
        # Its log goes to a file, since nobody reads a pipe while the test goes on.
        self.log_path = os.path.join(folder, "log")
        self.log = open(self.log_path, "a")
        self.process = subprocess.Popen(
            [*prefix, PROGRAM, *command, "--port", str(port)], stdout=subprocess.PIPE, stderr=self.log, text=True, cwd=folder,
            env=environment(folder, **settings),
        )
        line = self.process.stdout.readline()
        ready = re.fullmatch(r"PhoneProof is ready at (https?)://127\.0\.0\.1:(\d+)\n", line)
        if not ready:
            self.process.kill()
            raise AssertionError(f"no ready line, but {line!r}; log: {self.log_text}")
        self.scheme = ready.group(1)
        self.port = int(ready.group(2))
        self.client = Client(self.port)

    @property
    def log_text(self):
        with open(self.log_path) as log:
            return log.read()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.close()

    def stop(self):
        """Ends it as an operator does, and gives the exit code."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=40)
        self.close()
        return code

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.log.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
