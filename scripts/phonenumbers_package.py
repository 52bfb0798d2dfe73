"""Shared by the scripts about numbers: installs `phonenumbers`, whose metadata the numbering plans are generated from
and whose behaviour they are compared with, and builds our side of the comparison."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

# Python's own regular expression parser, which splits the metadata's patterns. It moved in Python 3.11.
if sys.version_info >= (3, 11):
    from re import _constants as op, _parser as sre_parse  # noqa: F401
else:
    import sre_constants as op, sre_parse  # noqa: F401

VERSION = "9.0.43"


def install(version=None):
    """Makes the version importable, from PyPI if it must; a folder of its own leaves the system's packages alone."""
    version = version or VERSION
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "phoneproof" / f"phonenumbers-{version}"
    if not (folder / "phonenumbers").is_dir():
        if not importlib.util.find_spec("pip"):
            sys.exit(f"{sys.argv[0]}: this needs pip: apt-get install python3-pip")
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        command += ["--no-deps", "--target", str(folder), f"phonenumbers=={version}"]
        subprocess.run(command, env={**os.environ, "PIP_ROOT_USER_ACTION": "ignore"}, check=True)
    sys.path.insert(0, str(folder))


def build(product):
    """Builds one of our programs and says where it is."""
    root = Path(__file__).resolve().parent.parent
    # As scripts/run has it, so that neither builds all anew.
    lines = (root / "scripts" / "release-flags").read_text().splitlines()
    flags = [flag for line in lines if not line.startswith("#") for flag in line.split()]
    command = ["swift", "build", "--configuration", "release", *flags, "--product", product]
    subprocess.run(command, cwd=root, check=True, stdout=sys.stderr)
    folder = subprocess.run([*command, "--show-bin-path"], cwd=root, check=True, capture_output=True, text=True)
    return f"{folder.stdout.strip()}/{product}"
