"""What rows are measured beside: the floor, a bare server for bodies of the same size, and the yardstick, the least that any
program must do for the same promise."""

import re
import subprocess

import processes
import support
from service import Service


class HTTPFloor:
    """BenchmarkFloor's HTTP server on a free port, or another program that prints its own."""

    def __init__(self, program, *arguments, stderr=None):
        self.process = subprocess.Popen([program, *(arguments or ["serve"])], stdout=subprocess.PIPE, stderr=stderr, text=True)
        line = self.process.stdout.readline()
        ready = re.fullmatch(r"\w+ is ready at http://127\.0\.0\.1:(\d+)\n", line)
        if not ready:
            self.close()
            raise RuntimeError(f"{program} did not start")
        self.port = int(ready.group(1))

    def cpu_seconds(self):
        return processes.cpu_seconds(self.process.pid)

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Yardstick(Service):
    """Tools/Yardstick: it takes the calls of a service, and is measured as one."""

    # What it answers, but for signups.
    ROWS = ["start", "check", "wrong-check"]

    def __init__(self, program, gateway):
        self.program = program
        super().__init__("yardstick", gateway)

    def _prepare_store(self):
        self.key = "pk_yardstick"

    def _start(self):
        arguments = [f"{self.folder}/verifications", self.key, *(["console"] if self.gateway == "console" else [])]
        messages = self.enter_context(open(self.messages_path, "w"))
        self.instances.append(self.enter_context(HTTPFloor(self.program, *arguments, stderr=messages)))
        self.instances[0].client = support.Client(self.ports[0])
