"""One instance of the service, which is started again whenever it ends."""

import os
import re
import signal
import subprocess
import threading
import time

from cluster.child import bound
from postgresql import new_port
from support import PROGRAM, environment


class Instance:
    """What an operator's supervisor does for a program: `tick` looks after it.

    Its port stays the same over restarts, as the proxy before it has it in its configuration.
    """

    # Seconds until one that has ended is started again.
    PAUSE = 1.0
    # The exit code of one that finds no database.
    UNREACHABLE = 69

    def __init__(self, name, folder, settings):
        self.name, self.folder, self.settings = name, folder, settings
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
                bound(PROGRAM, "serve", "--port", str(self.port)), stdout=subprocess.PIPE, stderr=log, text=True,
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
