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
# Says where it lives, and stays there.
STAYS = ["sh", "-c", 'echo "$PHONEPROOF_TEST_POSTGRESQL"; exec sleep 100']


class PrivateServerTests(unittest.TestCase):
    def test_the_exit_code_is_that_of_the_command(self):
        for command, code in [("exit 7", 7), ("kill -9 $$", 137)]:
            self.assertEqual(subprocess.run([*PROGRAM, "sh", "-c", command]).returncode, code)

    def start(self):
        process = subprocess.Popen([*PROGRAM, *STAYS], stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdout.close)
        port = re.fullmatch(r"postgresql://phoneproof:.*@127\.0\.0\.1:(\d+)/phoneproof\n", process.stdout.readline())[1]
        return process, self.with_port(port)

    def with_port(self, port):
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if f"port={port}".encode() in (entry / "cmdline").read_bytes().split(b"\0"):
                    found.append(((entry / "cwd").readlink().parent, entry))
            except OSError:
                pass
        [(folder, entry)] = found
        return folder, entry

    def test_told_to_end_it_ends_both(self):
        for number in [signal.SIGINT, signal.SIGTERM]:
            process, (folder, entry) = self.start()
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=30), 128 + number)
            self.assertEqual((folder.exists(), entry.exists()), (False, False))

    def test_killed_it_leaves_nothing_behind(self):
        process, (folder, entry) = self.start()
        self.assertTrue(folder.exists() and entry.exists())
        process.kill()
        # The command ends as well, which the end of its output shows.
        self.assertEqual(process.stdout.read(), "")
        wait_for(lambda: not folder.exists() and not entry.exists(), "the end of the server and its folder")

    def test_a_server_that_is_halted_is_taken_away_too(self):
        with postgresql.PostgreSQL() as server:
            server.pause()
        self.assertFalse(server.folder.exists())


if __name__ == "__main__":
    unittest.main()
