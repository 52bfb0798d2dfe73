"""The network between the instances and their database."""

import json
import pathlib
import subprocess
import sys

from cluster.child import bound


class DatabaseLinks:
    """A port for each instance, behind which the database is, as far as the network lets it."""

    def __init__(self, port, count):
        program = pathlib.Path(__file__).with_name("link_program.py")
        self.process = subprocess.Popen(
            bound(sys.executable, "-B", str(program), str(port), str(count)), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True,
        )
        self.ports = json.loads(self.process.stdout.readline())

    def set(self, link, mode, value=0):
        """See link_program.py for the modes."""
        print(json.dumps({"link": link, "mode": mode, "value": value}), file=self.process.stdin, flush=True)

    def close(self):
        self.process.stdin.close()
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()
