"""moto, which plays Amazon's services, as a program of its own, from PyPI. It verifies no signature; the tests of PhoneDelivery
do."""

import json
import os
import pathlib
import re
import subprocess
import sys
import urllib.request

from pypi import installed

REQUIREMENTS = pathlib.Path(__file__).resolve().parent / "moto-requirements.txt"


class Moto:
    """Amazon on a port that the system gives."""

    def __init__(self):
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"],
            env={**kept, "PYTHONPATH": str(installed(REQUIREMENTS, "moto")), "PYTHONUNBUFFERED": "1", "NO_COLOR": "1"},
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )
        seen = []
        for line in self.process.stderr:
            seen.append(line)
            if found := re.search(r"Running on http://127\.0\.0\.1:(\d+)", line):
                self.port = int(found.group(1))
                break
        else:
            self.process.wait()
            raise AssertionError(f"moto does not run: {''.join(seen)}")

    def messages(self):
        """The text messages that its SNS has published."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/moto-api/data.json", timeout=30) as answer:
            return json.load(answer).get("sns", {}).get("SMS", [])

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()
