"""Lets Schemathesis get past the doors: real identifiers, keys, tokens and codes in place of made-up ones of that form.

A value that has the wrong form is left as it is, since the point of it is to be refused. What a value becomes depends on
the value alone, so that a failure can be told again.
"""

import atexit
import base64
import collections
import hmac
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
# Signups about whose numbers it has to be decided, and what undoes changes of number.
DORMANT, UNDO = WORLD["dormant"], WORLD["undo"]
SIGNUPS.update(DORMANT)
# Devices that are signed in. What ends a session has devices of its own, one after the other, so that the others stay.
DEVICES, DOOMED = WORLD["devices"][:20], WORLD["devices"][20:]
# Verifications by which a device changes its number: whose each is, and of which number.
CHANGES = {device["change"]: device for device in DEVICES}
# Of two letters that are made up, most are no region; numbers here are Korean ones.
REGIONS = ["KR", "kr", "KR", "KR", "US", "ZZ"]
# Texts that are seldom made up, and that programs stumble over.
NASTY = [
    "\0", "%", "%00", "%2e%2e%2f", "\u202e010", "\ud7ff\ue000", "🇰🇷" * 200, "e\u0301" * 500, "٠١٠١٢٣٤٥٦٧٨",
    "'; DROP TABLE signup;--",
    "{{7*7}}", "${jndi:x}", "9" * 5000, "+" * 300, "\r\nX: y", "\u2028", "\ufeff01012345678", "-0", "NaN", "null", "true",
]
# How often each operation was answered by each status.
REACHED = collections.Counter()


def number_of(value):
    """A number that stands for this text; 1 for the shortest ones, which are the most frequent."""
    return zlib.crc32(value.encode("utf-8", "surrogatepass")) if len(value) > 1 else 1


def code_sent_to(number):
    """The code in the last message to this number, or None."""
    query = urllib.parse.urlencode({"to": number, "limit": 1})
    with urllib.request.urlopen(f"{WORLD['server']}/stub/messages?{query}", timeout=10) as answer:
        found = re.search(r"\b\d{6}\b", answer.read().decode())
    return found and found.group(0)


def signature_of(form):
    """By what Twilio would sign this form."""
    fields = sorted((name.encode("utf-8", "replace"), str(value).encode("utf-8", "replace")) for name, value in form.items())
    text = WORLD["twilio"]["reports"].encode() + b"".join(name + value for name, value in fields)
    return base64.b64encode(hmac.digest(WORLD["twilio"]["token"].encode(), text, "sha1")).decode()


@schemathesis.hook
def before_call(context, case, kwargs):
    """Puts in what is there: mostly known identifiers, mostly numbers, and every other time the right code."""
    parameters, body = case.path_parameters or {}, case.body
    id = parameters.get("id")
    is_change = case.path.startswith("/v1/accounts/me/number-changes/")
    is_dormant = case.path.endswith("/dormant-account")
    for prefix, known in (("ver_", CHANGES if is_change else VERIFICATIONS), ("sgn_", DORMANT if is_dormant else SIGNUPS)):
        if isinstance(id, str) and re.fullmatch(prefix + "[0-9a-f]{32}", id) and id not in known:
            choice = number_of(id)
            if choice % 4:
                id = parameters["id"] = list(known)[choice % len(known)]
    if isinstance(id, str) and re.fullmatch("ses_[0-9a-f]{32}", id) and number_of(id) % 4:
        # That of the device whose token is shown.
        parameters["id"] = next(
            (device["session"] for device in DOOMED if case.headers.get("Authorization") == f"Bearer {device['access']}"), id,
        )
    text = parameters.get("text")
    if isinstance(text, str) and text and number_of(text) % 4 == 0:
        parameters["text"] = NASTY[number_of(text) // 4 % len(NASTY)]
    key = case.headers.get("Idempotency-Key")
    # Under one key there is one request: other bodies need other keys, and the same ones ask once more.
    if isinstance(key, str) and re.fullmatch(r'[\w.~-]+|"[^"\\]+"', key, re.ASCII) and number_of(key + str(body)) % 8:
        case.headers["Idempotency-Key"] = f'"{number_of(key + str(body) + str(id))}"'
    if case.path == "/v1/receipts/{gateway}" and number_of(f"{parameters} {body}") % 4:
        if case.media_type == "application/x-www-form-urlencoded" and isinstance(body, dict):
            parameters["gateway"], case.headers["X-Twilio-Signature"] = "twilio", signature_of(body)
        else:
            parameters["gateway"], case.query = "http", {**(case.query or {}), "token": WORLD["receipts"], "id": "m1"}
    if case.path == "/v1/inbound/{gateway}" and number_of(f"{parameters} {body}") % 4:
        parameters["gateway"], case.query = "http", {**(case.query or {}), "token": WORLD["receipts"], "text": "hello"}
    if not isinstance(body, dict):
        return
    if isinstance(body.get("refresh_token"), str) and number_of(body["refresh_token"]) % 4:
        body["refresh_token"] = DEVICES[number_of(body["refresh_token"]) % len(DEVICES)]["refresh"]
    if case.path.endswith("/undo") and isinstance(body.get("token"), str) and number_of(body["token"]) % 4:
        body["token"] = UNDO[number_of(body["token"]) % len(UNDO)]
    for name in ("phone_number", "phone_text"):
        if isinstance(body.get(name), str) and number_of(body[name]) % 4:
            choice = number_of(body[name]) // 4
            body[name] = f"010-5{choice % 1000:03}-{choice // 1000 % 10000:04}"
    for name in ("phone_number", "phone_text", "code", "code_text"):
        if isinstance(body.get(name), str) and number_of(body[name]) % 8 == 0:
            body[name] = NASTY[number_of(body[name]) // 8 % len(NASTY)]
    # Any name may be a channel's, and few are those of this service.
    if isinstance(body.get("channel"), str) and number_of(body["channel"]) % 4:
        body["channel"] = ("sms", "auto", "call")[number_of(body["channel"]) % 3]
    if isinstance(body.get("client_address"), str) and number_of(body["client_address"]) % 4:
        choice = number_of(body["client_address"])
        body["client_address"] = f"203.0.113.{choice % 256}" if choice % 8 < 5 else f"2001:db8::{choice % 65536:x}"
    if case.path.endswith("/proof") and isinstance(body.get("kind"), str) and number_of(body["kind"]) % 4:
        body["kind"] = "network"
    if isinstance(body.get("region"), str) and re.fullmatch("[A-Za-z]{2}", body["region"]):
        body["region"] = REGIONS[number_of(body["region"]) % len(REGIONS)]
    for name, known in (("code", CHANGES if is_change else VERIFICATIONS), ("code_text", SIGNUPS)):
        number = (known.get(id) or {}).get("number")
        if number and isinstance(body.get(name), str) and number_of(f"{id} {body}") % 2:
            code = code_sent_to(number)
            if code:
                body[name] = code


@schemathesis.hook
def after_call(context, case, response):
    """Remembers what was made, for the calls that follow by the links of the description."""
    REACHED[f"{case.operation.label}\t{response.status_code}"] += 1
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
    elif case.path == "/v1/tokens" and case.method.upper() == "POST":
        for device in DEVICES:
            if isinstance(case.body, dict) and case.body.get("refresh_token") == device["refresh"]:
                device.update(refresh=made["refresh_token"], access=made["access_token"])
    elif case.path == "/v1/accounts/me/number-changes":
        shown = (case.headers or {}).get("Authorization")
        device = next((device for device in DEVICES if shown == f"Bearer {device['access']}"), None)
        if device:
            CHANGES.setdefault(made["id"], {**device, "number": made["phone_number"]})
    elif case.path.endswith("/send"):
        SIGNUPS[made["id"]]["number"] = made["verification"]["phone_number"]


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """What is not a failure here.

    To a wrong token of a signup the answer is 404, the same as to a signup that is not there: whoever guesses learns
    nothing. That 401 is the answer to none at all is still asked for.

    DELETE calls a verification off. It is not gone: its owner may see how it ended.

    A refresh token that is not valid is 400 where OAuth's form was sent (RFC 6749 section 5.2), which no schema can tell from
    one that is."""
    is_canceled = failure.code == "ST301" and case.path in ("/v1/verifications/{id}", "/v1/accounts/me/number-changes/{id}")
    is_wrong_token = failure.code == "ST401" and failure.title == "Unexpected response to invalid authentication"
    is_invalid_grant = failure.code == "ST202" and case.path == "/v1/tokens" and b'"error":"invalid_grant"' in response.content
    return not is_canceled and not is_invalid_grant and not (is_wrong_token and case.path.startswith("/v1/signups/") and "got `404 " in failure.message)


class Credentials:
    """What the service knows the caller by: for a signup its token, else a key."""

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.auth(refresh_interval=None).apply_to(path_regex="^/v1/signups/[^/]*/dormant-account$")
class DecidersKey(Credentials):
    def get(self, case, context):
        return WORLD["accounts_key"]


@schemathesis.auth(refresh_interval=None).apply_to(path_regex="^/v1/(tokens|sessions|accounts)")
class AccessToken(Credentials):
    def get(self, case, context):
        is_end = case.method.upper() == "DELETE" and "number-changes" not in case.path
        if is_end and DOOMED:
            # The next one has its turn with the next call.
            DOOMED.append(DOOMED.pop(0))
            return DOOMED[-1]["access"]
        id = (case.path_parameters or {}).get("id")
        if isinstance(id, str) and "number-changes" in case.path:
            if id not in CHANGES and number_of(id) % 4:
                id = list(CHANGES)[number_of(id) % len(CHANGES)]
            if id in CHANGES:
                return CHANGES[id]["access"]
        return DEVICES[number_of(str(case.body)) % len(DEVICES)]["access"]


@schemathesis.auth(refresh_interval=None).apply_to(path_regex="^/v1/signups/(?!.*/dormant-account$)")
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
