"""scripts/run, with a compiler that only pretends: what is built, what is said meanwhile, and what becomes of keys."""

import os
import pathlib
import shutil
import subprocess
import termios

import pexpect

from support import ROOT, ServiceTestCase, wait_for

# It waits until somebody writes to the pipe, once it has printed what SwiftPM would.
SWIFT = """#!/usr/bin/env bash
[ "$1" = build ] || { echo "Swift version 6.3.1"; exit; }
echo "$*" >>builds
cat output
read -r status <pipe
[ "$status" -eq 0 ] || exit "$status"
echo '{}' >Package.resolved
mkdir -p .build/release
cp program .build/release/phoneproof
"""
PROGRAM = """#!/usr/bin/env bash
echo "ready: $*"
read -r line
echo "got $line"
"""
WAIT = "Another instance of SwiftPM (PID: 4711) is already running using '/x/.build', "
WAIT += "waiting until that process has finished execution..."


class RunScriptTests(ServiceTestCase):
    def setUp(self):
        super().setUp()
        self.folder = pathlib.Path(self.folder).resolve() / "project"
        shutil.copytree(ROOT / "scripts" / "flags", self.folder / "scripts" / "flags")
        for name in ["run", "setup"]:
            shutil.copy(ROOT / "scripts" / name, self.folder / "scripts")
        (self.folder / "Sources" / "guide.docc").mkdir(parents=True)
        for name in ["bin", "Tools"]:
            (self.folder / name).mkdir()
        for name, text in [
            ("bin/swift", SWIFT), ("program", PROGRAM), ("Package.swift", ""), ("Sources/main.swift", ""), ("output", ""),
        ]:
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)
        os.mkfifo(self.folder / "pipe")
        self.environment = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "TERM": "xterm"}
        self.environment.pop("PHONEPROOF_BUILD", None)

    def start(self):
        child = pexpect.spawn(
            "scripts/run", cwd=self.folder, env=self.environment, encoding="utf-8", timeout=20, dimensions=(24, 100)
        )
        self.addCleanup(child.close, force=True)
        child.delaybeforesend = None
        return child

    def end_build(self, status=0):
        (self.folder / "pipe").write_text(f"{status}\n")

    def finish(self, child):
        child.sendline("")
        child.expect(pexpect.EOF)
        child.close()
        return child.exitstatus

    def builds(self):
        return len((self.folder / "builds").read_text().splitlines())

    def run_once(self):
        before = self.builds()
        done = subprocess.run(
            ["scripts/run"], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=20,
        )
        self.assertEqual((done.returncode, done.stdout), (0, "ready: signup\ngot \n"), done.stderr)
        return self.builds() - before

    def test_it_builds_if_something_is_newer_and_only_then(self):
        (self.folder / "builds").write_text("")
        (self.folder / "pipe").unlink()
        self.end_build()
        self.assertEqual([self.run_once(), self.run_once()], [1, 0])
        for change in [
            lambda: (self.folder / "Sources/main.swift").write_text("1"),
            lambda: (self.folder / "Sources/main.swift").unlink(),
            lambda: (self.folder / "Sources/main.swift").write_text("2"),
            # As of an older file that is put back.
            lambda: os.utime(self.folder / "Sources/main.swift", (1, 1)),
            lambda: (self.folder / "Package.resolved").write_text("another"),
            lambda: (self.folder / "scripts/flags/release").write_text("-v"),
            lambda: (self.folder / ".build/release/phoneproof").unlink(),
        ]:
            change()
            self.assertEqual([self.run_once(), self.run_once()], [1, 0])
        (self.folder / "Sources/guide.docc/page.md").write_text("")
        (self.folder / "README.md").write_text("")
        self.assertEqual(self.run_once(), 0)

    def test_it_says_what_it_is_doing_and_waiting_for(self):
        (self.folder / "output").write_text(WAIT)
        child = self.start()
        child.expect_exact("Waiting for another build (process 4711) to end ...")
        self.end_build()
        child.expect_exact("\r\x1b[Kready: signup")
        self.finish(child)

        (self.folder / "output").write_text(f"{WAIT}[0/1] Planning build\n[7/12] Compiling PhoneDomain Account.swift\n")
        (self.folder / "Package.swift").write_text("1")
        child = self.start()
        child.expect_exact("Building PhoneProof: [7/12] Compiling PhoneDomain Account.swift")
        self.end_build()
        child.expect_exact("ready: signup")
        self.finish(child)

    def test_what_is_no_terminal_gets_whole_lines_and_a_failure_all_of_the_output(self):
        (self.folder / "output").write_text("[1/2] Compiling\nmain.swift:1: error: what\n")
        child = subprocess.Popen(
            ["scripts/run", "serve"], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(child.stderr.close)
        self.assertEqual(child.stderr.readline(), "Building PhoneProof; the first time takes up to seven minutes on two cores ...\n")
        self.end_build(3)
        self.assertEqual(
            child.stderr.read(),
            "[1/2] Compiling\nmain.swift:1: error: what\nscripts/run: the build failed; see above\n",
        )
        self.assertEqual(child.wait(), 1)
        self.assertFalse((self.folder / ".build").exists())

    def test_keys_typed_meanwhile_are_not_shown_but_kept(self):
        child = self.start()
        child.expect_exact("Building PhoneProof")
        child.send("typed ahead\r")
        self.end_build()
        child.expect_exact("got typed ahead")
        self.assertNotIn("typed", child.before)
        self.assertTrue(self.echoes(child))

    def test_the_program_has_the_name_that_was_typed(self):
        """So that the commands that it prints work in the folder where the person stands."""
        # It prints its file of this name: the words that it was started with.
        shutil.copy("/usr/bin/cat", self.folder / "program")
        (self.folder / "pipe").unlink()
        self.end_build()
        (self.folder / "elsewhere").mkdir()
        for typed in ["../scripts/run", str(self.folder / "scripts" / "run")]:
            done = subprocess.run(
                [typed, "/proc/self/cmdline"], cwd=self.folder / "elsewhere", env=self.environment, capture_output=True, text=True,
            )
            self.assertEqual(done.stdout, f"{typed}\0/proc/self/cmdline\0", done.stderr)

    def test_ctrl_c_ends_a_build(self):
        child = self.start()
        child.expect_exact("Building PhoneProof")
        self.assertFalse(self.echoes(child))
        # What bash has forked for the compiler, and is none yet, would take the key as bash does.
        wait_for((self.folder / "builds").exists, "the compiler")
        child.send("\x03")
        child.expect(pexpect.EOF)
        self.assertTrue(self.echoes(child))
        child.close()
        self.assertEqual(child.exitstatus, 130)

    def echoes(self, child):
        return bool(termios.tcgetattr(child.child_fd)[3] & termios.ECHO)
