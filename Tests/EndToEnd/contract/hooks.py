"""Lets Schemathesis get past the doors: real identifiers, keys, tokens and codes in place of made-up ones of that form.

A value that has the wrong form is left as it is, since the point of it is to be refused. What a value becomes depends on
the value alone, so that a failure can be told again.
"""

import atexit
import collections
import json
import os
import pathlib
import re
import urllib.parse
import urllib.request
import zlib

import schemathesis

with open(os.environ["CONTRACT_WORLD"]) as file:
    WORLD = json.load(file)
# Of each kind, what there is: verifications with their numbers, signups with their tokens and numbers.
VERIFICATIONS, SIGNUPS = WORLD["verifications"], WORLD["signups"]
# How often each operation was answered by each status.
REACHED = collections.Counter()


def number_of(value):
    """A number that stands for this text."""
    return zlib.crc32(value.encode("utf-8", "surrogatepass"))


def code_sent_to(number):
    """The code in the last message to this number, or None."""
    query = urllib.parse.urlencode({"to": number, "limit": 1})
    with urllib.request.urlopen(f"{WORLD['server']}/stub/messages?{query}", timeout=10) as answer:
        found = re.search(r"\b\d{6}\b", answer.read().decode())
    return found and found.group(0)


@schemathesis.hook
def before_call(context, case, kwargs):
    """Puts in what is there: mostly known identifiers, mostly numbers, and every other time the right code."""
    parameters, body = case.path_parameters or {}, case.body
    id = parameters.get("id")
    for prefix, known in (("ver_", VERIFICATIONS), ("sgn_", SIGNUPS)):
        if isinstance(id, str) and re.fullmatch(prefix + "[0-9a-f]{32}", id) and id not in known:
            choice = number_of(id)
            if choice % 4:
                id = parameters["id"] = list(known)[choice % len(known)]
    if not isinstance(body, dict):
        return
    for name in ("phone_number", "phone_text"):
        if isinstance(body.get(name), str) and number_of(body[name]) % 4:
            choice = number_of(body[name]) // 4
            body[name] = f"010-5{choice % 1000:03}-{choice // 1000 % 10000:04}"
    for name, known in (("code", VERIFICATIONS), ("code_text", SIGNUPS)):
        number = (known.get(id) or {}).get("number")
        is_sign_up = case.path.endswith("/sign-up") and name == "code_text" and name not in body
        if number and (isinstance(body.get(name), str) or is_sign_up) and number_of(f"{id} {body}") % 2:
            code = code_sent_to(number)
            if code:
                body[name] = code


@schemathesis.hook
def after_call(context, case, response):
    """Remembers what was made, for the calls that follow by the links of the description."""
    REACHED[f"{case.operation.id or case.operation.label} {case.method.upper()} {response.status_code}"] += 1
    if response.status_code not in (200, 201, 202):
        return
    try:
        made = response.json()
    except ValueError:
        return
    if case.path == "/v1/verifications" and case.method.upper() == "POST":
        VERIFICATIONS.setdefault(made["id"], {"number": made["phone_number"]})
    elif case.path == "/v1/signups" and case.method.upper() == "POST":
        SIGNUPS.setdefault(made["id"], {"token": made["token"], "number": None})
    elif case.path.endswith("/send"):
        SIGNUPS[made["id"]]["number"] = made["verification"]["phone_number"]


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """To a wrong token of a signup the answer is 404, the same as to a signup that is not there: whoever guesses learns
    nothing. That 401 is the answer to none at all is still asked for."""
    is_wrong_token = failure.code == "ST401" and failure.title == "Unexpected response to invalid authentication"
    return not (is_wrong_token and case.path.startswith("/v1/signups/") and "got `404 " in failure.message)


class Credentials:
    """What the service knows the caller by: for a signup its token, else a key."""

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.auth(refresh_interval=None).apply_to(path_regex="^/v1/signups/")
class SignupToken(Credentials):
    def get(self, case, context):
        # The identifier is changed later in the same way; a token of another signup would open nothing.
        id = (case.path_parameters or {}).get("id")
        if isinstance(id, str) and id not in SIGNUPS and number_of(id) % 4:
            id = list(SIGNUPS)[number_of(id) % len(SIGNUPS)]
        return SIGNUPS.get(id, {}).get("token")


@schemathesis.auth(refresh_interval=None).apply_to(path_regex="^/v1/(verifications|phone-numbers)")
class CallersKey(Credentials):
    def get(self, case, context):
        return WORLD["key"]


@schemathesis.auth(refresh_interval=None).apply_to(path="/metrics")
class OperatorsKey(Credentials):
    def get(self, case, context):
        return WORLD["admin_key"]


@atexit.register
def tell():
    pathlib.Path(WORLD["reached"]).write_text(json.dumps(REACHED))
