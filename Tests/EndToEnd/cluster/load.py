"""Many clients at once."""

import random
import threading
import traceback

from cluster.caller import Caller
from cluster.scenarios import Scenarios


class Load:
    """Threads that make visit after visit until they are told to stop.

    A client that waits for an instance which is halted asks nobody else meanwhile, and so do all after a while. That says
    nothing of how the others would have been served; so besides somebody new comes at every beat, whatever became of
    those before.
    """

    # Seconds between two who are new.
    BEAT = 0.25

    def __init__(self, port, history, gateway, people, seed, workers):
        self._over = threading.Event()
        # What went wrong with the load itself.
        self.errors = []
        self.scenarios = [
            Scenarios(port, history, gateway, people, random.Random(f"{seed} worker {number}"), self._over.is_set)
            for number in range(workers)
        ]
        self._threads = [threading.Thread(target=self._work, args=[each], daemon=True) for each in self.scenarios]
        self._caller = Caller(port, history)
        self._beats = []
        self._threads.append(threading.Thread(target=self._beat, daemon=True))

    def start(self):
        for thread in self._threads:
            thread.start()

    def _work(self, scenarios):
        while not self._over.is_set():
            try:
                scenarios.one()
            except Exception:
                self.errors.append(traceback.format_exc())
                return

    def _beat(self):
        while not self._over.wait(self.BEAT):
            count = len(self._beats)
            address = f"127.2.{count // 250}.{count % 250 + 1}"
            self._beats.append(threading.Thread(target=self._come, args=[address], daemon=True))
            self._beats[-1].start()

    def _come(self, address):
        self._caller.ask("signup_begin", "POST", "/v1/signups", {"region": "KR"}, source=address, attempts=1)

    def stop(self):
        self._over.set()
        for thread in self._threads + self._beats:
            thread.join(timeout=60)
            if thread.is_alive():
                self.errors.append("a client did not come to an end")
