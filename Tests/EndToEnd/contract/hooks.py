"""Lets Schemathesis get past the doors: real identifiers, tokens and codes in place of made-up ones of the same form.

A value that has the wrong form is left as it is, since the point of it is to be refused. What a value becomes depends on
the value alone, so that a failure can be told again.
"""

import json
import os
import re
import urllib.parse
import urllib.request
import zlib

import schemathesis

SERVER = os.environ["CONTRACT_SERVER"]
# Of each kind, what was made before: the verifications with their numbers, the signups with their tokens.
VERIFICATIONS = dict(json.loads(os.environ["CONTRACT_VERIFICATIONS"]))
SIGNUPS = dict(json.loads(os.environ["CONTRACT_SIGNUPS"]))


def chosen(known, value, share=4):
    """One of the known for most of the values, always the same for the same one; else the value itself."""
    number = zlib.crc32(value.encode("utf-8", "surrogatepass"))
    return value if number % share == 0 else list(known)[number % len(known)]


def code_sent_to(number):
    """The code in the last message to this number, or None."""
    query = urllib.parse.urlencode({"to": number, "limit": 1})
    with urllib.request.urlopen(f"{SERVER}/stub/messages?{query}", timeout=10) as answer:
        found = re.search(r"\b\d{6}\b", answer.read().decode())
    return found and found.group(0)


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    value = (path_parameters or {}).get("id")
    if isinstance(value, str):
        for prefix, known in (("ver_", VERIFICATIONS), ("sgn_", SIGNUPS)):
            if re.fullmatch(prefix + "[0-9a-f]{32}", value) and value not in known:
                path_parameters["id"] = chosen(known, value)
    return path_parameters


@schemathesis.hook
def map_body(context, body):
    """A text where a number is asked for becomes a number, mostly."""
    for name in ("phone_number", "phone_text"):
        if isinstance(body, dict) and isinstance(body.get(name), str):
            value = zlib.crc32(body[name].encode("utf-8", "surrogatepass"))
            if value % 4:
                body[name] = f"010-5{value // 4 % 1000:03}-{value // 4000 % 10000:04}"
    return body


@schemathesis.hook
def before_call(context, case, kwargs):
    """A text where a code is asked for becomes the code, sometimes."""
    if not isinstance(case.body, dict):
        return
    for name, known in (("code", VERIFICATIONS), ("code_text", SIGNUPS)):
        text = case.body.get(name)
        number = known.get((case.path_parameters or {}).get("id"))
        if isinstance(text, str) and number and zlib.crc32(text.encode("utf-8", "surrogatepass")) % 3 == 0:
            number = number if name == "code" else number["number"]
            case.body[name] = (number and code_sent_to(number)) or text


@schemathesis.hook
def after_call(context, case, response):
    """Remembers what was made, for the calls that follow by the links of the description."""
    if response.status_code in (200, 201) and case.path in ("/v1/verifications", "/v1/signups"):
        try:
            made = response.json()
        except ValueError:
            return
        if case.path == "/v1/verifications":
            VERIFICATIONS.setdefault(made["id"], made["phone_number"])
        elif "token" in made:
            SIGNUPS.setdefault(made["id"], {"token": made["token"], "number": None})


@schemathesis.auth(refresh_interval=None).apply_to(path_regex="^/v1/signups/")
class SignupToken:
    """The token of the signup that the path names."""

    def get(self, case, context):
        signup = SIGNUPS.get((case.path_parameters or {}).get("id"))
        return signup and signup["token"]

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"
