#!/usr/bin/env python3
"""A private PostgreSQL server, and replicas of it, from the packages of the system, in a temporary folder.

As a program it starts one, runs a command with its URL in PHONEPROOF_TEST_POSTGRESQL, and ends as the command ended:

    python3 Tests/EndToEnd/postgresql.py swift test

Nothing is left behind, no matter how this ends: a guard, which is a process of its own, takes the server and its folder
away once the one that started it is gone.
"""

import contextlib
import ctypes
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

VARIABLE = "PHONEPROOF_TEST_POSTGRESQL"
# Whoever owns the server, and the one that programs are given: it owns its databases and no more.
ADMIN, USER = "postgres", "phoneproof"
OPTIONS = {
    "listen_addresses": "127.0.0.1",
    "max_connections": 500,
    "shared_buffers": "16MB",
    # A part of the memory of others (/dev/shm) would outlive a server that is killed.
    "dynamic_shared_memory_type": "mmap",
    "wal_keep_size": "256MB",
    "logging_collector": "off",
    # Whatever the tests look for in the log: who came, and what went wrong.
    "log_connections": "on",
    "log_line_prefix": "%m [%p] %q%u@%d %a ",
}
FAST = {"fsync": "off", "full_page_writes": "off"}


def programs():
    """The folder of the newest server that is installed."""
    folders = list(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
    folders.sort(key=lambda folder: [int(part) for part in re.findall(r"\d+", folder.parent.name)], reverse=True)
    with contextlib.suppress(OSError, subprocess.CalledProcessError):
        told = subprocess.run(["pg_config", "--bindir"], capture_output=True, text=True, check=True)
        folders.append(pathlib.Path(told.stdout.strip()))
    for folder in folders:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise RuntimeError("no PostgreSQL server is installed: apt-get install postgresql")


def unprivileged(*command):
    """The command as the server runs it, which refuses to be root."""
    if os.geteuid() != 0:
        return [str(part) for part in command]
    return ["setpriv", f"--reuid={ADMIN}", f"--regid={ADMIN}", "--init-groups", "--", *(str(part) for part in command)]


def processes_in(folder):
    """Those that work in this folder: a server and all its children do in that of its data."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):
                if os.readlink(f"/proc/{entry}/cwd") == str(folder):
                    found.append(int(entry))
    return found


def send(processes, number):
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, number)


def wait_until(probe, what, seconds=30):
    end = time.monotonic() + seconds
    while not probe():
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not come within {seconds} s")
        time.sleep(0.01)


def new_folder():
    """A folder that the server's own user can enter, wherever TMPDIR lies, and short enough for a socket in it."""
    for parent in dict.fromkeys([tempfile.gettempdir(), "/tmp", "/var/tmp"]):
        folder = tempfile.mkdtemp(prefix="phoneproof-postgresql-", dir=parent)
        if os.geteuid() == 0:
            shutil.chown(folder, ADMIN, ADMIN)
        if len(folder) < 80 and subprocess.run(unprivileged("test", "-w", folder), cwd="/").returncode == 0:
            return pathlib.Path(folder)
        os.rmdir(folder)
    raise RuntimeError(f"no folder for temporary files can be entered by the user {ADMIN}")


def new_port():
    """A free port that the system gives to no client.

    A server that comes back takes the same port again. One of those that clients are given might have been taken by
    then; and a client that calls it while nobody listens may be connected with itself.
    """
    lowest = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        port = random.randrange(10_000, lowest) if lowest > 11_000 else 0
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return probe.getsockname()[1]


def clear(folder):
    """Ends what runs in a folder, and takes the folder away. What the guard does."""
    data = folder / "data"
    # One that is halted can neither end nor notice that it should.
    send(processes_in(data), signal.SIGCONT)
    lock = data / "postmaster.pid"
    with contextlib.suppress(OSError, ValueError, IndexError):
        postmaster = int(lock.read_text().split("\n")[0])
        if postmaster in processes_in(data):
            send([postmaster], signal.SIGQUIT)
            with contextlib.suppress(AssertionError):
                wait_until(lambda: not processes_in(data), "its end", 10)
    while remaining := processes_in(data):
        send(remaining, signal.SIGKILL)
        time.sleep(0.01)
    # A server that was killed has left its segment of shared memory.
    with contextlib.suppress(OSError, IndexError):
        segment = lock.read_text().split("\n")[6].split()[1]
        subprocess.run(["ipcrm", "--shmem-id", segment], stderr=subprocess.DEVNULL)
    shutil.rmtree(folder, ignore_errors=True)


def guard(folder):
    """Waits until its standard input ends, as it does when the process at the other end is gone."""
    for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
        signal.signal(number, signal.SIG_IGN)
    sys.stdin.buffer.read()
    clear(folder)


class PostgreSQL:
    """A server of one's own on a free port. It runs once it is made, unless it is not to.

    durable: whether what is committed outlives the machine, as `fsync=on` makes it; off for speed.
    tls: the paths of a certificate and its key; then it takes no connection without TLS.
    options: settings of the server, as in postgresql.conf.
    folder: where its programs are; by default those of the newest that is installed.
    """

    programs = None

    def __init__(self, durable=False, password="test-password", tls=None, options=None, folder=None):
        self.programs = folder
        self.durable, self.password = durable, password
        self.options = {**OPTIONS, **({} if durable else FAST), **(options or {})}
        self.tls = tls
        self._prepare()
        try:
            self._make_cluster()
            self.start()
            self.sql(f"CREATE ROLE {USER} LOGIN CREATEDB PASSWORD '{self.password}'", database="postgres")
            self.create_database(USER)
        except BaseException:
            self.close()
            raise

    def _prepare(self):
        self.programs = self.programs or programs()
        self.folder = new_folder()
        self.data = self.folder / "data"
        self.log_path = self.folder / "log"
        self.port = new_port()
        self.process = None
        # In a session of its own, so that ^C, which reaches the tests as well, does not end it before them.
        self.guard = subprocess.Popen(
            [sys.executable, "-I", os.path.abspath(__file__), "--guard", str(self.folder)], stdin=subprocess.PIPE, cwd="/",
            start_new_session=True,
        )

    def _run(self, *command, **keywords):
        done = subprocess.run(
            unprivileged(*command), capture_output=True, text=True, cwd=self.folder, env=self._environment(), **keywords
        )
        if done.returncode != 0:
            raise RuntimeError(f"{command[0]} failed: {done.stderr or done.stdout}")
        return done.stdout

    def _environment(self):
        return {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C", "PGPASSWORD": self.password,
                "PGCONNECT_TIMEOUT": "10"}

    def _make_cluster(self):
        secret = self.folder / "password"
        secret.write_text(self.password + "\n")
        self._give_to_server(secret)
        self._run(
            self.programs / "initdb", "--pgdata", self.data, "--username", ADMIN, "--pwfile", secret, "--auth",
            "scram-sha-256", "--encoding", "UTF8", "--locale", "C", "--no-sync", "--no-instructions",
        )
        secret.unlink()
        if self.tls:
            rules = self.data / "pg_hba.conf"
            rules.write_text(re.sub("(?m)^host ", "hostssl ", rules.read_text()))

    def _give_to_server(self, path):
        path.chmod(0o600)
        if os.geteuid() == 0:
            shutil.chown(path, ADMIN, ADMIN)

    def _command(self):
        options = dict(self.options)
        if self.tls:
            for name, path in zip(["certificate", "key"], self.tls):
                shutil.copy(path, self.folder / name)
                self._give_to_server(self.folder / name)
            options |= {"ssl": "on", "ssl_cert_file": self.folder / "certificate", "ssl_key_file": self.folder / "key"}
        options |= {"port": self.port, "unix_socket_directories": self.folder}
        settings = [part for name, value in options.items() for part in ["-c", f"{name}={value}"]]
        return unprivileged(self.programs / "postgres", "-D", self.data, *settings)

    def start(self, waiting=True):
        """Starts it on the port that it had, and waits until it takes connections."""
        for _ in range(20):
            with open(self.log_path, "ab") as log:
                begin = log.tell()
                self.process = subprocess.Popen(
                    self._command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                    env=self._environment(), start_new_session=True,
                )
            if not waiting:
                return
            wait_until(lambda: self.is_ready or self.process.poll() is not None, "the server", 60)
            if self.process.poll() is None:
                return
            # Another may have taken the port between the look at it and this; the first time any other will do.
            if "could not bind" not in self.log_text[begin:] or "ready to accept" in self.log_text:
                break
            self.port = new_port()
        raise RuntimeError(f"the PostgreSQL server did not start: {self.log_text[-2000:]}")

    @property
    def is_ready(self):
        try:
            lines = (self.data / "postmaster.pid").read_text().split("\n")
            return int(lines[0]) == self.process.pid and lines[7].strip() == "ready"
        except (OSError, ValueError, IndexError):
            return False

    def stop(self, mode="fast"):
        """Ends it: `fast` ends its connections, `smart` waits for them, `immediate` leaves a recovery to the next start."""
        numbers = {"smart": signal.SIGTERM, "fast": signal.SIGINT, "immediate": signal.SIGQUIT}
        self.process.send_signal(numbers[mode])
        self.process.wait(timeout=60)

    def kill(self):
        """Ends all of it at once, as when the machine fails."""
        while found := processes_in(self.data):
            send(found, signal.SIGKILL)
            self.process.poll()
            time.sleep(0.005)
        self.process.wait()

    def restart(self, mode="fast"):
        self.stop(mode)
        self.start()

    def pause(self):
        """Halts all of it: connections are made by the kernel, and nobody answers."""
        # The one that makes the others first, so that none is made meanwhile.
        send([self.process.pid], signal.SIGSTOP)
        send(processes_in(self.data), signal.SIGSTOP)

    def resume(self):
        send(processes_in(self.data), signal.SIGCONT)

    def close(self):
        """Ends it and takes all of it away."""
        if self.guard.poll() is None:
            self.guard.stdin.close()
            self.guard.wait()
        if self.process:
            self.process.wait(timeout=30)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def log_text(self):
        return self.log_path.read_text(errors="replace")

    @property
    def url(self):
        return self.url_of(USER)

    def url_of(self, database, *others, user=USER, password=None, **parameters):
        """The URL of a database here; with others, of the same one on any of these servers."""
        secret = self.password if password is None else password
        who = user + (":" + urllib.parse.quote(secret, safe="") if secret else "")
        hosts = ",".join(f"127.0.0.1:{server.port}" for server in [self, *others])
        query = urllib.parse.urlencode(parameters, quote_via=urllib.parse.quote)
        return f"postgresql://{who}@{hosts}/{database}" + (f"?{query}" if query else "")

    def sql(self, text, database=USER, timeout=60):
        """What the owner of the server gets for this: the rows as lines, columns parted by `|`."""
        return self._run(
            self.programs / "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1",
            "--host", self.folder, "--port", self.port, "--username", ADMIN, "--dbname", database, "--command", text,
            timeout=timeout,
        ).rstrip("\n")

    def create_database(self, name=None):
        """A database that the user of the URL owns; gives its URL."""
        name = name or f"test_{random.getrandbits(48):012x}"
        self.sql(f"CREATE DATABASE {name} OWNER {USER}", database="postgres")
        return self.url_of(name)

    def configure(self, name, value):
        """Changes a setting of the server that runs; None brings back what it was."""
        self.sql(f"ALTER SYSTEM RESET {name}" if value is None else f"ALTER SYSTEM SET {name} = '{value}'", "postgres")
        self.sql("SELECT pg_reload_conf()", "postgres")

    def end_connections(self, database=USER):
        """Cuts every connection of programs to this database; gives how many there were."""
        return int(self.sql(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
            f"WHERE datname = '{database}' AND usename = '{USER}'", database="postgres",
        ))

    def standby(self, name="standby", synchronous=False, port=None):
        """A replica that follows this one, if need be by way of a port. If synchronous, this one acknowledges what that one has,
        and nothing else."""
        other = PostgreSQL.__new__(PostgreSQL)
        other.durable, other.password, other.tls = self.durable, self.password, self.tls
        other.options = dict(self.options)
        other._prepare()
        try:
            source = f"host=127.0.0.1 port={port or self.port} user={ADMIN} password='{self.password}' application_name={name}"
            other._run(
                self.programs / "pg_basebackup", "--pgdata", other.data, "--dbname", source, "--checkpoint", "fast",
                "--wal-method", "stream", "--write-recovery-conf", "--no-sync",
            )
            other.start()
            if synchronous:
                self.configure("synchronous_standby_names", name)
            state = "sync" if synchronous else "async"
            probe = f"SELECT count(*) FROM pg_stat_replication WHERE application_name = '{name}' AND sync_state = '{state}'"
            wait_until(lambda: self.sql(probe) == "1", "the replica")
        except BaseException:
            other.close()
            raise
        return other

    def promote(self):
        """Makes a replica the one that is written to."""
        if self.sql("SELECT pg_promote()") != "t":
            raise AssertionError("the replica was not promoted")


def main(command):
    """Runs the command beside a server, and gives its exit code, 128 and the number where a signal ended it."""
    numbers = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    end_with_parent = 1  # PR_SET_PDEATHSIG
    libc = ctypes.CDLL(None)

    def prepare():
        libc.prctl(end_with_parent, signal.SIGTERM)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, numbers | {signal.SIGCHLD})

    with PostgreSQL() as server:
        # From here on they wait until they are asked for, so that none is lost between two steps.
        signal.pthread_sigmask(signal.SIG_BLOCK, numbers | {signal.SIGCHLD})
        # The owner of the server, since tests make roles, and end the connections of others.
        url = server.url_of(USER, user=ADMIN)
        try:
            process = subprocess.Popen(command, env={**os.environ, VARIABLE: url}, preexec_fn=prepare)
        except OSError as error:
            print(f"{command[0]}: {error.strerror}", file=sys.stderr)
            return 127
        while process.poll() is None:
            told = signal.sigwaitinfo(numbers | {signal.SIGCHLD})
            # What a terminal sends goes to the command as well; what a person or a program sends came only here.
            if told.si_signo in numbers and told.si_pid != 0:
                process.send_signal(told.si_signo)
        return process.returncode if process.returncode >= 0 else 128 - process.returncode


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--guard":
        guard(pathlib.Path(sys.argv[2]))
    elif len(sys.argv) > 1:
        sys.exit(main(sys.argv[1:]))
    else:
        sys.exit("usage: python3 Tests/EndToEnd/postgresql.py COMMAND…")
