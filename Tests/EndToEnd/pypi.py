"""Packages from PyPI in folders of their own, which leave the system's packages alone and need neither root nor
python3-venv."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


def installed(requirements, folder, name):
    """The folder, in which is what the file of requirements names, all of it pinned; from PyPI, unless it is there
    already. Ends the program, by saying what it needs, if it cannot be had."""
    wanted = pathlib.Path(requirements).read_text()
    folder = pathlib.Path(folder)
    mark = folder / "requirements.txt"
    if mark.is_file() and mark.read_text() == wanted:
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    print(f"Installing {name} ...", file=sys.stderr)
    with tempfile.TemporaryDirectory(dir=folder.parent) as fresh:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        command += ["--target", f"{fresh}/packages", "--requirement", str(requirements)]
        if subprocess.run(command, env={**os.environ, "PIP_ROOT_USER_ACTION": "ignore"}).returncode:
            program = os.path.relpath(sys.argv[0])
            sys.exit(f"{program}: {name} cannot be installed; this needs python3-pip, and PyPI the first time")
        # Last, so that a folder that bears it is whole.
        shutil.copy(requirements, f"{fresh}/packages/requirements.txt")
        shutil.rmtree(folder, ignore_errors=True)
        os.rename(f"{fresh}/packages", folder)
    return folder


def version(package, requirements):
    """The version of a package that a file of requirements pins."""
    lines = pathlib.Path(requirements).read_text().splitlines()
    return next(line.split("==")[1] for line in lines if line.startswith(f"{package}=="))
