"""Finds `phonenumbers`, whose metadata and behaviour the numbering plans are made from and compared with."""

import os
import subprocess
import sys
from pathlib import Path

VERSION = "9.0.43"


def install(version=None):
    """Makes the version importable, from PyPI if it must; a folder of its own leaves the system's packages alone."""
    version = version or VERSION
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "phoneproof" / f"phonenumbers-{version}"
    if not (folder / "phonenumbers").is_dir():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*command, "--target", str(folder), f"phonenumbers=={version}"], check=True)
    sys.path.insert(0, str(folder))
