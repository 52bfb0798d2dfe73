"""Installs Schemathesis, starts a service, and holds it to its own description."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from support import Server

HERE = pathlib.Path(__file__).resolve().parent
REQUIREMENTS = HERE / "requirements.txt"


def packages():
    """The folder of what requirements.txt names, installed from PyPI if it must be; a folder of its own leaves the
    system's packages alone, and needs neither root nor python3-venv."""
    if sys.version_info < (3, 11):
        sys.exit("scripts/test-contract: Schemathesis needs Python 3.11 or later")
    wanted = REQUIREMENTS.read_text()
    version = next(line.split("==")[1] for line in wanted.splitlines() if line.startswith("schemathesis=="))
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "phoneproof"
    folder = cache / f"schemathesis-{version}-{sys.implementation.cache_tag}"
    mark = folder / "requirements.txt"
    if mark.is_file() and mark.read_text() == wanted:
        return folder
    cache.mkdir(parents=True, exist_ok=True)
    print(f"Installing Schemathesis {version} ...", file=sys.stderr)
    with tempfile.TemporaryDirectory(dir=cache) as fresh:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        command += ["--target", f"{fresh}/packages", "--requirement", str(REQUIREMENTS)]
        if subprocess.run(command, env={**os.environ, "PIP_ROOT_USER_ACTION": "ignore"}).returncode:
            sys.exit("scripts/test-contract: Schemathesis cannot be installed; this needs python3-pip and PyPI")
        shutil.copy(REQUIREMENTS, f"{fresh}/packages/requirements.txt")
        shutil.rmtree(folder, ignore_errors=True)
        os.rename(f"{fresh}/packages", folder)
    return folder


def made(client, count):
    """Verifications and signups to ask about, of which some have come further than others."""
    verifications, signups = {}, {}
    for number in range(count):
        begun = client.call("POST", "/v1/verifications", {"phone_number": f"010-4000-{number:04}"})
        verifications[begun.json["id"]] = begun.json["phone_number"]
        signup = client.call("POST", "/v1/signups").json
        phone = f"010-4001-{number:04}" if number % 2 else None
        if phone:
            path = f"/v1/signups/{signup['id']}/send"
            client.call("POST", path, {"phone_text": phone}, signup["token"])
        phone = phone and "+82" + phone.replace("-", "")[1:]
        signups[signup["id"]] = {"token": signup["token"], "number": phone}
    return verifications, signups


def run(seconds, seed, arguments):
    """Gives the exit code: 0 if nothing was found."""
    folder = packages()
    settings = {
        "LIMITS_ENABLED": "false",
        # Or a number would be closed after its first message.
        "VERIFICATION_RESEND_COOLDOWNS_SECONDS": "0",
        "VERIFICATION_MAX_SENDS": "20",
        "VERIFICATION_MAX_SENDS_PER_NUMBER_PER_DAY": "100",
    }
    with tempfile.TemporaryDirectory() as place, Server(place, **settings) as server:
        address = f"http://127.0.0.1:{server.port}"
        description = pathlib.Path(place) / "openapi.json"
        description.write_text(server.client.call("GET", "/openapi.json").text)
        verifications, signups = made(server.client, 40)
        variables = {
            **os.environ,
            "PYTHONPATH": str(folder),
            "SCHEMATHESIS_HOOKS": str(HERE / "hooks.py"),
            "CONTRACT_SERVER": address,
            "CONTRACT_VERIFICATIONS": json.dumps(verifications),
            "CONTRACT_SIGNUPS": json.dumps(signups),
        }
        validate = [sys.executable, "-m", "openapi_spec_validator", str(description)]
        ask = [
            sys.executable, "-m", "schemathesis.cli", "--config-file", str(HERE / "schemathesis.toml"), "run",
            f"{address}/openapi.json", "--checks", "all", "--max-time", str(seconds), "--seed", str(seed),
            "--generation-database", "none", "--request-timeout", "10", "--continue-on-failure", *arguments,
        ]
        for command in (validate, ask):
            # A service that hangs must not hang the test.
            code = subprocess.run(command, cwd=place, env=variables, timeout=seconds + 120).returncode
            if code:
                return 1
        if server.process.poll() is not None:
            print(f"scripts/test-contract: the service has ended:\n{server.log_text[-2000:]}", file=sys.stderr)
            return 1
        if server.stop():
            print("scripts/test-contract: the service did not end as it should", file=sys.stderr)
            return 1
    return 0
