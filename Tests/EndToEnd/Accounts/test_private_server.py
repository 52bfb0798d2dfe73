"""The PostgreSQL server of the tests: that it passes on what becomes of the tests, and leaves nothing behind."""

import pathlib
import re
import signal
import subprocess
import sys
import unittest

import postgresql
from support import wait_for

PROGRAM = [sys.executable, postgresql.__file__]
# Says where the server is and who it is itself, and stays.
STAYS = ["sh", "-c", 'echo "$PHONEPROOF_TEST_POSTGRESQL $$"; exec sleep 100']


class PrivateServerTests(unittest.TestCase):
    def test_the_exit_code_is_that_of_the_command(self):
        for command, code in [("exit 7", 7), ("kill -9 $$", 137)]:
            self.assertEqual(subprocess.run([*PROGRAM, "sh", "-c", command]).returncode, code)

    def start(self):
        # What a shell starts in the background ignores it, and whatever that starts does.
        heeding = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
        process = subprocess.Popen([*PROGRAM, *STAYS], stdout=subprocess.PIPE, text=True, preexec_fn=heeding)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdout.close)
        line = process.stdout.readline()
        port, pid = re.fullmatch(r"postgresql://postgres:.*@127\.0\.0\.1:(\d+)/phoneproof (\d+)\n", line).groups()
        data = next(entry / "cwd" for entry in pathlib.Path("/proc").iterdir() if self.listens(entry, port)).readlink()
        # Its children bear its name until they have one of their own.
        server = (data / "postmaster.pid").read_text().split("\n")[0]
        return process, [data.parent, pathlib.Path("/proc") / server, pathlib.Path("/proc") / pid]

    def listens(self, entry, port):
        try:
            return f"port={port}".encode() in (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            return False

    def test_a_termination_signal_ends_both(self):
        for number in [signal.SIGINT, signal.SIGTERM]:
            process, traces = self.start()
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=30), 128 + number)
            self.assertEqual([trace for trace in traces if trace.exists()], [])

    def test_killed_it_leaves_nothing_behind(self):
        process, traces = self.start()
        self.assertTrue(all(trace.exists() for trace in traces))
        process.kill()
        wait_for(lambda: not any(trace.exists() for trace in traces), "the end of server, folder and command")

    def test_a_server_that_is_halted_is_taken_away_too(self):
        with postgresql.PostgreSQL() as server:
            server.pause()
        self.assertFalse(server.folder.exists())
