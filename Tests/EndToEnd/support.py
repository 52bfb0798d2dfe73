"""What the end-to-end tests share: the program, a server of one's own, and a client that speaks plain HTTP."""

import base64
import concurrent.futures
import contextlib
import hashlib
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The folder of each module, by its name.
MODULES = {path.name: path for path in (ROOT / "Sources").glob("*/*")}
PROGRAM = str(ROOT / ".build" / os.environ.get("PHONEPROOF_BUILD", "debug") / "phoneproof")
# An account of the gateway twilio.
TWILIO = {
    "SMS_TWILIO_ACCOUNT_SID": "AC" + "a1" * 16,
    "SMS_TWILIO_AUTH_TOKEN": "t0ken-of-the-test",
    "SMS_TWILIO_FROM": "+15005550006",
}
# Whether tests run in all of their size, or only as much as every change must pass.
FULL = os.environ.get("PHONEPROOF_TESTS") == "full"


def build(product, configuration="release"):
    """Builds a program, as scripts/run does, so that neither builds all anew; gives its path."""
    flags = (ROOT / "scripts/flags/release").read_text().splitlines() if configuration == "release" else []
    command = ["swift", "build", "-c", configuration, "--product", product]
    command += [flag for line in flags if not line.startswith("#") for flag in line.split()]
    print(f"Building {product} ...", file=sys.stderr)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stdout[-3000:]}")
    return str(ROOT / ".build" / configuration / product)


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
        "XDG_STATE_HOME": os.path.join(folder, "state"),
        **{f"PHONEPROOF_{name}": str(value) for name, value in settings.items() if value is not None},
        **(variables or {}),
    }


def run(*arguments, folder=None, stdin="", prefix=(), **settings):
    """Runs the program to its end, behind what goes before its command; gives exit code, standard output and standard error."""
    with contextlib.ExitStack() as stack:
        folder = folder or stack.enter_context(tempfile.TemporaryDirectory())
        done = subprocess.run(
            [*prefix, PROGRAM, *arguments], input=stdin, capture_output=True, text=True, timeout=60, cwd=folder,
            env=environment(folder, **settings),
        )
        return done.returncode, done.stdout, done.stderr


def make_key(folder, scope="verifications"):
    """An API key of a service in this folder."""
    code, out, err = run("keys", "create", "--name", scope, "--scope", scope, folder=folder)
    assert code == 0, err
    return out.strip()


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

    def post_form(self, path, form, **headers):
        headers = {"Content-Type": "application/x-www-form-urlencoded", **headers}
        return self.call("POST", path, urllib.parse.urlencode(form), **headers)

    def messages(self, number=None, limit=1000):
        """The bodies of the messages that the stub was handed, newest first."""
        query = {"limit": limit, **({"to": e164(number)} if number else {})}
        return [m["body"] for m in self.call("GET", "/stub/messages?" + urllib.parse.urlencode(query)).json["messages"]]

    def codes(self, number):
        """Those that were sent to this number, newest first; it may have had notices as well."""
        return [code for body in self.messages(number) if (code := code_in(body))]

    def code(self, number, after=0):
        """The code that was sent to this number last, once it has come and is not one of the N before."""
        return wait_for(lambda: self.codes(number)[: -after or None], "a code")[0]

    def notice(self, number):
        """The message without a code that was sent to this number last, once it has come."""
        return wait_for(lambda: [body for body in self.messages(number) if not code_in(body)], "a notice")[0]

    def begin(self, number, token=None, more={}, **headers):
        """A verification of this number."""
        return self.call("POST", "/v1/verifications", {"phone_number": number, **more}, token, **headers)

    def check(self, verification, code, token=None):
        return self.call("POST", f"/v1/verifications/{verification}/checks", {"code": code}, token)

    def begin_signup(self, text=None, **more):
        """The path of a guided signup and its token. A code was asked for, if there is a number."""
        begun = self.call("POST", "/v1/signups", {"region": "KR", **more})
        assert begun.status == 201, begun.text
        path, token = begun.headers["Location"], begun.json["token"]
        if text is not None:
            sent = self.call("POST", f"{path}/send", {"phone_text": text}, token)
            assert sent.status == 202, sent.text
        return path, token

    def enter_code(self, path, token, code, **headers):
        """The end of a guided signup."""
        return self.call("POST", f"{path}/sign-up", {"code_text": code}, token, **headers)

    def sign_up(self, number, inbox=None, **headers):
        """A whole guided signup; `inbox` is the client of the stub that has the message, if it is another service's."""
        inbox = inbox or self
        before = len(inbox.codes(number))
        path, token = self.begin_signup(number)
        return self.enter_code(path, token, inbox.code(number, before), **headers)


def e164(number):
    """A number as the world writes it, that Korea may have written."""
    digits = re.sub(r"\D", "", number)
    return f"+82{digits[1:]}" if digits.startswith("0") else f"+{digits}"


def code_in(body):
    found = re.search(r"\b(\d{6})\b", body)
    return found and found.group(1)


def other_than(code):
    """A wrong code."""
    return "000000" if code != "000000" else "000001"


def solve(work):
    """The proof that a challenge asks for (ALTCHA), found by trying."""
    hashed = lambda number: hashlib.sha256(f"{work['salt']}{number}".encode()).hexdigest()
    number = next(number for number in range(work["maxnumber"] + 1) if hashed(number) == work["challenge"])
    solution = {name: work[name] for name in ("algorithm", "challenge", "salt", "signature")}
    return base64.b64encode(json.dumps({**solution, "number": number}).encode()).decode()


@contextlib.contextmanager
def beside(work, workers):
    """Does the work for each of these in a thread while the block runs, and waits for the end of all after it."""
    pool = concurrent.futures.ThreadPoolExecutor(len(workers))
    running = [pool.submit(work, worker) for worker in workers]
    yield
    for each in running:
        each.result(timeout=120)


def at_once(work, values):
    """What comes of the work for each of these, all at the same time."""
    with concurrent.futures.ThreadPoolExecutor(len(values)) as pool:
        return list(pool.map(work, values))


def wait_for(probe, what, seconds=30):
    """Asks until there is an answer; waits for an event, and fails if it does not come."""
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


def listens(port):
    """Whether somebody takes connections there."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 5):
        return True


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
        self.url = f"{self.scheme}://127.0.0.1:{self.port}"
        self.client = Client(self.port)
        self.folder, self.settings = folder, settings
        # Where the service reads its settings, other commands must.
        self.config = command[command.index("--config") :][:2] if "--config" in command else ()

    @property
    def log_text(self):
        with open(self.log_path) as log:
            return log.read()

    def sent(self, number=None):
        """The bodies of all that the stub was handed, newest first, once nothing is left to send: a message is handed over
        after the request for it was answered, so only then is it certain how many there are."""
        wait_for(lambda: self.queued() == [], "the end of the outbox")
        return self.client.messages(number)

    def queued(self):
        words = ("outbox", "list", "--status", "queued", "--json", *self.config)
        code, out, err = run(*words, folder=self.folder, **self.settings)
        assert code == 0, err
        return json.loads(out)["items"]

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


def code_of_any(servers, number):
    """The code for a number that one of several instances sent: whoever was first at the outbox has the message."""
    return wait_for(
        lambda: next((server.client.code(number) for server in servers if server.client.messages(number)), None), "a message",
    )


class ServiceTestCase(unittest.TestCase):
    """A folder of one's own, with services and commands in it that end with the test."""

    # Of all services and commands; what is None is unset.
    settings = {}

    def setUp(self):
        super().setUp()
        self.folder = self.new_folder()

    def enter(self, context):
        """Leaves the context when the test ends."""
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value

    @classmethod
    def enter_for_all(cls, context):
        """Leaves the context when the last test of the class has ended."""
        value = context.__enter__()
        cls.addClassCleanup(context.__exit__, None, None, None)
        return value

    def new_folder(self):
        return self.enter(tempfile.TemporaryDirectory())

    def write(self, name, text, mode=0o644):
        """Writes a file in the folder; gives its path."""
        path = os.path.join(self.folder, name)
        with open(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, mode), "w") as file:
            file.write(text)
        return path

    def small_disk(self, size):
        """
        A disk of this size in the folder, for a program alone, in a mount namespace of its own; gives its path, and
        what goes before the program's command. Without the right to mount one the test is skipped.
        """
        disk = f"{self.folder}/disk"
        os.mkdir(disk)
        unshare = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]
        prefix = [*unshare, "sh", "-c", f'mount -t tmpfs -o size={size} tmpfs "$0" && exec "$@"', disk]
        tried = subprocess.run([*prefix, "true"], capture_output=True, text=True)
        if tried.returncode != 0:
            self.skipTest("no small disk can be mounted here: " + tried.stderr.strip())
        return disk, prefix

    def serve(self, folder=None, **settings):
        return self.enter(Server(folder or self.folder, **{**self.settings, **settings}))

    def stub(self, *arguments, **settings):
        """An SMS stub of one's own."""
        return self.serve(self.new_folder(), command=("sms-stub", *arguments), **settings)

    def run_program(self, *arguments, **settings):
        """As `run`, in the folder."""
        return run(*arguments, folder=self.folder, **{**self.settings, **settings})

    def done(self, *arguments, **settings):
        """What a command prints that succeeds."""
        code, out, err = self.run_program(*arguments, **settings)
        self.assertEqual((code, err), (0, ""), out)
        return out

    def listed(self, *arguments, **settings):
        """The same of one that prints JSON."""
        return json.loads(self.done(*arguments, "--json", **settings))

    def create_client(self, *arguments):
        """What OAuth calls a client's credentials."""
        made = self.listed("clients", "create", *arguments)
        return {**made, "client_id": made["id"]}

    def refused(self, code, *arguments, **settings):
        """The line that a command says which ends with this code."""
        actual, out, err = self.run_program(*arguments, **settings)
        self.assertEqual((actual, out, len(err.splitlines())), (code, "", 1), err)
        return err

    def outbox(self, *arguments):
        """The messages, newest first."""
        return self.listed("outbox", "list", *arguments)["items"]

    def outbox_table(self):
        return self.done("outbox", "list")

    def make_key(self, scope="verifications"):
        return make_key(self.folder, scope)

    def assert_unavailable(self, answer):
        self.assertEqual((answer.status, answer.json["code"], answer.headers["Retry-After"]), (503, "unavailable", "5"))
