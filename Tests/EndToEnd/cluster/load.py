"""Many clients at once."""

import random
import threading
import traceback

from cluster.scenarios import Scenarios


class Load:
    """Threads that make visit after visit until they are told to stop."""

    def __init__(self, port, history, gateway, people, seed, workers):
        self._over = threading.Event()
        # What went wrong with the load itself.
        self.errors = []
        self.scenarios = [
            Scenarios(port, history, gateway, people, random.Random(f"{seed} worker {number}"), self._over.is_set)
            for number in range(workers)
        ]
        self._threads = [threading.Thread(target=self._work, args=[each], daemon=True) for each in self.scenarios]

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

    def stop(self):
        self._over.set()
        for thread in self._threads:
            thread.join(timeout=60)
            if thread.is_alive():
                self.errors.append("a client did not come to an end")
