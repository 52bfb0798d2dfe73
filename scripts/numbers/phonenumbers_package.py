"""Shared by the scripts about numbers: `phonenumbers`, whose metadata the numbering plans are generated from and whose
behaviour they are compared with."""

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "EndToEnd"))
from pypi import installed  # noqa: E402
from support import build  # noqa: E402, F401

# Python's own regular expression parser, which splits the metadata's patterns. It moved in Python 3.11.
if sys.version_info >= (3, 11):
    from re import _constants as op, _parser as sre_parse  # noqa: F401
else:
    import sre_constants as op, sre_parse  # noqa: F401

VERSION = "9.0.43"


def install(version=None):
    """Makes the version importable, from PyPI if it must."""
    with tempfile.NamedTemporaryFile("w") as requirements:
        requirements.write(f"phonenumbers=={version or VERSION}\n")
        requirements.flush()
        sys.path.insert(0, str(installed(requirements.name, "phonenumbers")))


def choices(items):
    """The characters of a class of a regular expression."""
    found = ""
    for code, argument in items:
        if code is op.LITERAL:
            found += chr(argument)
        elif code is op.RANGE:
            found += "".join(map(chr, range(argument[0], argument[1] + 1)))
        else:
            found += "0123456789"
    return found
