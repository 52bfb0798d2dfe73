"""Installs Schemathesis, starts a service, and holds it to its own description."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from pypi import installed
from support import Server, run as run_program, sql, wait_for

HERE = pathlib.Path(__file__).resolve().parent
REQUIREMENTS = HERE / "requirements.txt"


def packages():
    """The folder of what requirements.txt names."""
    if sys.version_info < (3, 11):
        sys.exit("scripts/test-contract: Schemathesis needs Python 3.11 or later")
    return installed(REQUIREMENTS, "schemathesis")


def make_key(folder, scope):
    """An API key for a service that keeps everything in this folder."""
    code, out, err = run_program("keys", "create", "--name", "contract", "--scope", scope, folder=folder)
    if code:
        sys.exit(f"scripts/test-contract: no key can be made: {err}")
    return out.strip()


def made(client, key, count):
    """Verifications and signups to ask about, of which some have come further than others."""
    verifications, signups = {}, {}
    for index in range(count):
        begun = client.call("POST", "/v1/verifications", {"phone_number": f"010-4000-{index:04}"}, key).json
        verifications[begun["id"]] = {"number": begun["phone_number"]}
        signup = client.call("POST", "/v1/signups").json
        known = signups[signup["id"]] = {"token": signup["token"], "number": None}
        if index % 4:
            path, body = f"/v1/signups/{signup['id']}/send", {"phone_text": f"010-4001-{index:04}"}
            sent = client.call("POST", path, body, signup["token"]).json
            known["number"] = sent["verification"]["phone_number"]
    return verifications, signups


def signed_up(client, number):
    """A signup of this number that has been tried with the right code, and the answer to that."""
    signup = client.call("POST", "/v1/signups").json
    path, token = f"/v1/signups/{signup['id']}", signup["token"]
    # Its code must be the last message.
    client.call("DELETE", "/stub/messages")
    client.call("POST", f"{path}/send", {"phone_text": number}, token)
    code = client.code(number)
    return signup, client.call("POST", f"{path}/sign-up", {"code_text": code}, token).json


def devices(client, count):
    """Devices that are signed in, and the verification of another number by which each may change its own."""
    made = []
    for index in range(count):
        tokens = signed_up(client, f"+8210600{index:05}")[1]["tokens"]
        access = tokens["access_token"]
        begun = client.call("POST", "/v1/accounts/me/number-changes", {"phone_number": f"+8210601{index:05}"}, access).json
        sessions = client.call("GET", "/v1/sessions", token=access).json["sessions"]
        made.append({
            "access": access, "refresh": tokens["refresh_token"], "session": sessions[0]["id"], "change": begun["id"],
            "number": begun["phone_number"],
        })
    return made


def dormant_signups(client, folder, count):
    """Signups whose numbers have accounts that nobody has used for long, about which it has to be decided."""
    numbers = [f"+8210602{index:05}" for index in range(count)]
    for number in numbers:
        signed_up(client, number)
    sql(folder, "UPDATE account SET last_active_at = last_active_at - 100 * 86400000")
    made = {}
    for number in numbers:
        signup, answer = signed_up(client, number)
        assert answer["code"] == "account_dormant", answer
        made[signup["id"]] = {"token": signup["token"], "number": number}
    return made


def undo_tokens(client, count):
    """What the old numbers of accounts were sent to undo a change by."""
    tokens = []
    for index in range(count):
        old = f"+8210603{index:05}"
        access = signed_up(client, old)[1]["tokens"]["access_token"]
        begun = client.call("POST", "/v1/accounts/me/number-changes", {"phone_number": f"+8210604{index:05}"}, access)
        code = client.code(begun.json["phone_number"])
        client.call("POST", begun.headers["Location"] + "/checks", {"code": code}, access)
        notice = wait_for(lambda: next((body for body in client.messages(old) if "http" in body), None), "the notice")
        tokens.append(re.search(r"/([A-Za-z0-9_-]{22})\b", notice).group(1))
    return tokens


# By what Twilio signs its reports, and where it was told to make them.
TWILIO = {"token": "token-of-the-test", "reports": "https://phone.example/v1/receipts/twilio"}


def tell_of(reached):
    """Prints how often each operation was answered by which status. Gives whether each was granted: where everything is
    refused, nothing is tried."""
    operations = {}
    for line, count in reached.items():
        operation, status = line.split("\t")
        operations.setdefault(operation, {})[status] = count
    print("\nAnswered:")
    for operation, statuses in sorted(operations.items()):
        print(f"  {operation:<36}" + "".join(f"{status} ×{count}  " for status, count in sorted(statuses.items())))
    never = [name for name, statuses in operations.items() if not any(status[0] == "2" for status in statuses)]
    if never:
        print(f"scripts/test-contract: never granted: {', '.join(never)}", file=sys.stderr)
    return bool(operations) and not never


def run(seconds, seed, arguments):
    """Gives the exit code: 0 if nothing was found."""
    folder = packages()
    settings = {
        "SERVER_INSECURE_NO_KEYS": None,
        "LIMITS_ENABLED": "false",
        "ACCOUNTS_RECYCLING": "ask",
        # Nobody sends by it: the stub takes everything. But it may report.
        "SMS_GATEWAY": "stub,twilio",
        "SMS_TWILIO_ACCOUNT_SID": "AC" + "0" * 32,
        "SMS_TWILIO_AUTH_TOKEN": TWILIO["token"],
        "SMS_TWILIO_FROM": "+15005550006",
        "SMS_TWILIO_STATUS_CALLBACK_URL": TWILIO["reports"],
        # Or a number would be closed after its first message, and after a few wrong codes.
        "VERIFICATION_RESEND_COOLDOWNS_SECONDS": "0",
        "VERIFICATION_MAX_SENDS": "20",
        "VERIFICATION_MAX_SENDS_PER_NUMBER_PER_DAY": "100",
    }
    with tempfile.TemporaryDirectory() as place, Server(place, **settings) as server:
        address = f"http://127.0.0.1:{server.port}"
        description, world = pathlib.Path(place) / "openapi.json", pathlib.Path(place) / "world.json"
        reached = pathlib.Path(place) / "reached.json"
        description.write_text(server.client.call("GET", "/openapi.json").text)
        key = make_key(place, "verifications")
        verifications, signups = made(server.client, key, 60)
        dormant = dormant_signups(server.client, place, 20)
        world.write_text(json.dumps({
            "server": address, "key": key, "admin_key": make_key(place, "admin"),
            "accounts_key": make_key(place, "accounts"), "verifications": verifications, "signups": signups,
            "dormant": dormant, "devices": devices(server.client, 60), "undo": undo_tokens(server.client, 10),
            "reached": str(reached), "twilio": TWILIO,
        }))
        variables = {
            **os.environ,
            "PYTHONPATH": str(folder),
            "SCHEMATHESIS_HOOKS": str(HERE / "hooks.py"),
            "CONTRACT_WORLD": str(world),
        }
        validate = [sys.executable, "-m", "openapi_spec_validator", str(description)]
        ask = [
            sys.executable, "-m", "schemathesis.cli", "--config-file", str(HERE / "schemathesis.toml"), "run",
            f"{address}/openapi.json", "--checks", "all", "--max-time", str(seconds), "--seed", str(seed),
            "--generation-database", "none", "--request-timeout", "10", "--continue-on-failure", *arguments,
        ]
        # A service that hangs must not hang the test.
        failed = [
            command for command in (validate, ask)
            if subprocess.run(command, cwd=place, env=variables, timeout=seconds + 120).returncode
        ]
        if server.process.poll() is not None:
            print(f"scripts/test-contract: the service has ended:\n{server.log_text[-2000:]}", file=sys.stderr)
            return 1
        if not tell_of(json.loads(reached.read_text())) or failed:
            return 1
        if server.stop():
            print("scripts/test-contract: the service did not end as it should", file=sys.stderr)
            return 1
    return 0
