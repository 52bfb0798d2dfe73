"""The gateway that all instances send by."""

import collections
import json
import pathlib
import subprocess
import sys
import threading
import time

from cluster.message import Message
from cluster.child import bound


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
