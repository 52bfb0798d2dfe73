"""A service as a released version has left it: its database, a backup, its keys and its settings, kept beside the tests.

    /usr/bin/python3 -B Tests/EndToEnd/released.py

makes that of the version of the tree anew, with the program that is built. It is for a version that has no tag yet: what a released
version has made never changes, and neither does its digest.
"""

import gzip
import hashlib
import json
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

from support import ROOT, Server, make_key, run

FOLDER = pathlib.Path(__file__).parent / "Released"
FILES = ["phoneproof.sqlite.gz", "backup.gz", "phoneproof.keys", "settings.yaml", "facts.json"]
# The sessions and the audit log outlive the tests.
SETTINGS = """\
profile: development
server: {insecure_no_keys: true, trusted_proxies: [10.0.0.0/8], max_body_bytes: 131072}
locale: {region: KR, language: ko}
verification: {max_checks: 4, resend_cooldowns_seconds: [0], allowed_regions: [KR, US], accepted_kinds: [mobile, fixed_line_or_mobile]}
limits: {address_sends: [50/1h, 500/1d], daily_budget: 5000}
guard: {level: max, mode: enforce, answer: refuse}
challenge: {kind: proof_of_work, easiest: 1000, wait_seconds: 30}
test_numbers: {numbers: ["+821000000001=123456"], until: "2036-01-31T00:00:00Z"}
accounts: {recycling: ask, dormant_days: 3650, undo_hours: 168}
messages: {service_name: Ace}
pages: {name: Ace, accent: "#0b57d0", terms_url: "https://example.com/terms", consent: notice, consent_version: "3"}
sms: {gateway: [stub, console], routes: {KR: [stub]}, prices: {currency: KRW, stub: {KR: 9}}, fallback: offer}
webhooks: {url: "http://127.0.0.1:9/", events: [account.created, number.changed]}
tokens: {session_days: 3650, idle_days: 3650, access_ttl_seconds: 300}
retention: {days: 3650, audit_days: 3650}
log: {level: warning, format: json}
supabase: {enabled: true, api_keys: [sb_publishable_shop]}
"""
SECRETS = {"WEBHOOKS_SECRETS": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "SERVER_INSECURE_NO_KEYS": None}
# What stands in the file, and not in variables, which have precedence.
COMMAND = ("serve", "--config", "settings.yaml")


def digests(folder):
    lines = (f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}" for name in FILES)
    return "".join(line + "\n" for line in lines)


def restored(version, folder):
    """Lays a version's files into a folder, and gives what is known of it."""
    source = FOLDER / version
    for name in FILES:
        if name.endswith(".gz"):
            (pathlib.Path(folder) / name.removesuffix(".gz")).write_bytes(gzip.decompress((source / name).read_bytes()))
        else:
            shutil.copy(source / name, folder)
    (pathlib.Path(folder) / "phoneproof.keys").chmod(0o600)
    return json.loads((source / "facts.json").read_text())


def done(folder, *arguments):
    code, out, err = run(*arguments, "--config", "settings.yaml", folder=folder, **SECRETS)
    assert code == 0, (arguments, out, err)
    return out


def fill(folder):
    """Does what leaves something in each part of the database; gives what a later version is asked for."""
    with Server(folder, COMMAND, **SECRETS) as server:
        client, admin = server.client, make_key(folder, "admin")
        verifier = make_key(folder)
        kim, lee = (client.sign_up(number).json for number in ("010-1234-5678", "010-8765-4321"))
        moved = client.call(
            "POST", "/v1/accounts/me/number-changes", {"phone_number": "+821011112222"}, lee["tokens"]["access_token"],
        )
        code = client.code("+821011112222")
        assert client.call("POST", moved.headers["Location"] + "/checks", {"code": code}, lee["tokens"]["access_token"]).status == 200
        pending = client.begin("+821033334444", more={"reference": "order 7", "tags": {"shop": "1"}})
        client.call("POST", pending.headers["Location"] + "/checks", {"code": "000000"})
        approved = client.begin("+821055556666")
        assert client.call("POST", approved.headers["Location"] + "/checks", {"code": client.code("+821055556666")}).status == 200
        people = {"items": [{"phone_number": "+821077778888", "external_id": "auth0|7"}], "reason": "moved"}
        acts = [
            ("PATCH", f"/accounts/{kim['account']['id']}", {"metadata": {"plan": "gold", "name": "김"}, "reason": "asked"}),
            ("POST", "/accounts/import", people),
            ("POST", "/guard/rules", {"prefix": "+8210999", "action": "block", "reason": "pumping"}),
            ("POST", "/guard/mode", {"mode": "shadow", "reason": "try"}),
            ("POST", "/gateways/console/pause", {"reason": "try"}),
            ("POST", "/clients", {"name": "Shop", "redirect_uris": ["https://shop.example/cb"], "reason": "new"}),
        ]
        answers = [client.call(method, "/v1/admin" + path, body, admin) for method, path, body in acts]
        assert all(answer.status in (200, 201, 204) for answer in answers), [answer.text for answer in answers]
        imported = client.call("GET", "/v1/admin/accounts?external_id=auth0%7C7", token=admin).json["items"][0]
        done(folder, "accounts", "suspend", imported["id"], "--reason", "lost phone")
        assert client.call("GET", "/health/ready").status == 200
        done(folder, "backup", f"{folder}/backup")
        assert server.stop() == 0
    done(folder, "keys", "rotate")
    return {
        "admin_key": admin, "key": verifier, "refresh_token": kim["tokens"]["refresh_token"], "account": kim["account"]["id"],
        "moved": lee["account"]["id"], "suspended": imported["id"], "client": answers[-1].json["id"],
        "approved": approved.json["id"],
    }


def main():
    version = re.search(r'version = "([^"]+)"', (ROOT / "Sources/Drivers/PhoneHTTP/Serving/PhoneAPI.swift").read_text()).group(1)
    tag = subprocess.run(["git", "-C", ROOT, "tag", "--list", f"v{version}"], capture_output=True, text=True, check=True)
    if tag.stdout:
        sys.exit(f"{version} is released: what it has made stays as it is")
    target = FOLDER / version
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "settings.yaml").write_text(SETTINGS)
        facts = fill(folder)
        # Without what was deleted, which pages of a file keep.
        with sqlite3.connect(f"{folder}/phoneproof.sqlite") as database:
            facts["rows"] = {
                name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
                for name, in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
            }
            database.execute("VACUUM INTO ?", (f"{folder}/whole",))
        (target / "phoneproof.sqlite.gz").write_bytes(gzip.compress(pathlib.Path(f"{folder}/whole").read_bytes(), mtime=0))
        (target / "backup.gz").write_bytes(gzip.compress(pathlib.Path(f"{folder}/backup").read_bytes(), mtime=0))
        for name in ("phoneproof.keys", "settings.yaml"):
            shutil.copy(f"{folder}/{name}", target)
    (target / "facts.json").write_text(json.dumps(facts, indent=1) + "\n")
    (target / "SHA256SUMS").write_text(digests(target))
    print(f"Made {target.relative_to(ROOT)}.")


if __name__ == "__main__":
    main()
