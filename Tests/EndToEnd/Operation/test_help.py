"""The manual pages and the completions, which are made from the commands themselves."""

import json
import os
import pathlib
import shutil
import subprocess

from support import PROGRAM, ROOT, ServiceTestCase, environment

BASH = """
set -u
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
COMP_LINE="${COMP_WORDS[*]}"
COMP_POINT=${#COMP_LINE}
COMP_TYPE=9
COMPREPLY=()
"$(complete -p phoneproof | sed -E 's/.* -F ([^ ]+) .*/\\1/')" phoneproof "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


def commands(command, path=()):
    """The full name of every command."""
    path = (*path, command["commandName"])
    yield path
    for one in command.get("subcommands", []):
        if one["commandName"] != "help":
            yield from commands(one, path)


class ManualTests(ServiceTestCase):
    def test_every_command_has_a_page_that_formats_without_a_warning(self):
        subprocess.run(
            [ROOT / "scripts" / "packaging" / "man-pages", self.folder, PROGRAM], check=True, capture_output=True,
            env={**os.environ, "SOURCE_DATE_EPOCH": "1767225600"},
        )
        known = set(commands(json.loads(self.done("--experimental-dump-help"))["command"]))
        self.assertGreater(len(known), 40)
        pages = sorted(pathlib.Path(self.folder).glob("*.1"))
        self.assertEqual([page.name for page in pages], sorted(f"{'-'.join(path)}.1" for path in known))
        for page in pages:
            done = subprocess.run(["groff", "-man", "-Tutf8", "-Wall", page], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), page.name)
            self.assertIn("2026-01-01", done.stdout)
            if shutil.which("mandoc"):
                done = subprocess.run(["mandoc", "-Tlint", page], capture_output=True, text=True)
                self.assertEqual(done.stdout, "", page.name)
        text = (pathlib.Path(self.folder) / "phoneproof-backup.1").read_text()
        for part in [r"\fB\-\-with\-keys\fR", ".SH DESCRIPTION", ".BR phoneproof (1)"]:
            self.assertIn(part, text)


class CompletionTests(ServiceTestCase):
    def complete(self, *words):
        """What bash offers for the last of these words."""
        script = f"{self.folder}/completions"
        with open(script, "w") as file:
            file.write(self.done("completions", "bash"))
        done = subprocess.run(
            ["bash", "--norc", "-c", BASH, "bash", script, "phoneproof", *words], capture_output=True, text=True,
            cwd=self.folder, env=environment(self.folder, {"PATH": f"{pathlib.Path(PROGRAM).parent}:{os.environ['PATH']}"}),
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [word.strip() for word in done.stdout.split()]

    def test_bash_completes_commands_options_and_values(self):
        self.assertEqual(self.complete("ba"), ["backup"])
        self.assertEqual(self.complete("keys", "rot"), ["rotate", "rotate-signing"])
        self.assertEqual(self.complete("backup", "--wi"), ["--with-keys"])
        self.assertEqual(self.complete("number", "--region", "K"), ["KE", "KG", "KH", "KI", "KM", "KN", "KP", "KR", "KW", "KY", "KZ"])
        self.assertEqual(sorted(self.complete("outbox", "list", "--status", "un")), ["undelivered", "unknown"])
        self.assertEqual(self.complete("completions", "f"), ["fish"])
        open(f"{self.folder}/mine.yaml", "w").close()
        self.assertEqual(self.complete("serve", "--config", "mi"), ["mine.yaml"])

    def test_the_scripts_of_each_shell_are_valid(self):
        for shell, begins in [("bash", "#!/bin/bash"), ("zsh", "#compdef phoneproof"), ("fish", "function ")]:
            script = self.done("completions", shell)
            self.assertTrue(script.startswith(begins), script[:60])
            self.assertIn("with-keys", script)
            if shutil.which(shell):
                done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
