"""Packages from PyPI in folders of their own, which leave the system's packages alone and need neither root nor
python3-venv."""

import fcntl
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "phoneproof"


def installed(requirements, package, parent=CACHE):
    """The folder in which is what the file of requirements names, all of it pinned; from PyPI, unless it is there
    already. It is named after one of the packages. Ends the program, by saying what it needs, if it cannot be had."""
    wanted = pathlib.Path(requirements).read_text()
    name = f"{package}-" + re.search(rf"^{package}==(\S+)", wanted, re.M).group(1)
    folder = parent / f"{name}-{sys.implementation.cache_tag}"
    mark = folder / "requirements.txt"
    parent.mkdir(parents=True, exist_ok=True)
    # The workers of pytest all come at once.
    with open(f"{folder}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if mark.is_file() and mark.read_text() == wanted:
            return folder
        print(f"Installing {name} ...", file=sys.stderr)
        with tempfile.TemporaryDirectory(dir=parent) as fresh:
            command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
            command += ["--target", f"{fresh}/packages", "--requirement", str(requirements)]
            if subprocess.run(command, env={**os.environ, "PIP_ROOT_USER_ACTION": "ignore"}).returncode:
                program = os.path.relpath(sys.argv[0])
                sys.exit(f"{program}: {name} cannot be installed; this needs python3-pip, and PyPI the first time")
            # Last, so that a folder that has it is whole.
            shutil.copy(requirements, f"{fresh}/packages/requirements.txt")
            shutil.rmtree(folder, ignore_errors=True)
            os.rename(f"{fresh}/packages", folder)
    return folder
