"""moto, which plays Amazon's services, as a program of its own: installed from PyPI if it must be, in a folder of its own, which
leaves the system's packages alone. It verifies no signature; the tests of PhoneDelivery do."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request

REQUIREMENTS = pathlib.Path(__file__).resolve().parent / "moto-requirements.txt"


def packages():
    """The folder of what moto-requirements.txt names."""
    wanted = REQUIREMENTS.read_text()
    version = re.search(r"^moto==(.*)$", wanted, re.M).group(1)
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "phoneproof"
    folder = cache / f"moto-{version}-{sys.implementation.cache_tag}"
    mark = folder / "requirements.txt"
    if mark.is_file() and mark.read_text() == wanted:
        return folder
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as fresh:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        command += ["--target", f"{fresh}/packages", "--requirement", str(REQUIREMENTS)]
        subprocess.run(command, env={**os.environ, "PIP_ROOT_USER_ACTION": "ignore"}, check=True)
        shutil.copy(REQUIREMENTS, f"{fresh}/packages/requirements.txt")
        shutil.rmtree(folder, ignore_errors=True)
        os.rename(f"{fresh}/packages", folder)
    return folder


class Moto:
    """Amazon on a port that the system gives."""

    def __init__(self):
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"],
            env={**kept, "PYTHONPATH": str(packages()), "PYTHONUNBUFFERED": "1", "NO_COLOR": "1"},
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
