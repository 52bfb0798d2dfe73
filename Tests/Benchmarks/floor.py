"""The floors: what a bare server needs for bodies of the same size, and what the databases need for the same statements."""

import re
import subprocess

import processes


class HTTPFloor:
    """BenchmarkFloor's HTTP server on a free port."""

    def __init__(self, program):
        self.process = subprocess.Popen([program, "serve"], stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        ready = re.fullmatch(r"BenchmarkFloor is ready at http://127\.0\.0\.1:(\d+)\n", line)
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
