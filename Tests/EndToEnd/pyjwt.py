"""PyJWT, by which access tokens are verified as strangers verify them, with no code of ours: installed from PyPI if it must
be, in a folder of its own, which leaves the system's packages alone."""

import os
import pathlib
import subprocess
import sys
import tempfile

PACKAGES = ["PyJWT==2.15.1", "cryptography==50.0.2", "cffi==2.1.1", "pycparser==3.12"]


def install():
    """Makes `jwt` and `cryptography` importable."""
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "phoneproof"
    name = "-".join(package.split("==")[1] for package in PACKAGES[:2])
    folder = cache / f"pyjwt-{name}-{sys.implementation.cache_tag}"
    if not folder.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as fresh:
            command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
            command += ["--target", f"{fresh}/packages", *PACKAGES]
            subprocess.run(command, env={**os.environ, "PIP_ROOT_USER_ACTION": "ignore"}, check=True)
            os.rename(f"{fresh}/packages", folder)
    sys.path.insert(0, str(folder))
