"""The power cut at any moment, and a disk that fails: what was answered is there, and nothing is that was not asked for.

What runs here is a sample; scripts/measure/power makes as many cuts as one has time for.
"""

import contextlib
import copy
import random
import subprocess
import sys
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).resolve().parents[1] / "EndToEnd")]
import power  # noqa: E402
from postgresql import PostgreSQL  # noqa: E402
from support import FULL, PROGRAM, ServiceTestCase, environment  # noqa: E402

SEEDS = range(2000 if FULL else 150)


class PowerCutTests(ServiceTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.recordings = {}

    def recording(self, durability="full", **work):
        if durability not in self.recordings:
            folder = self.enter_for_all(power.tempfile.TemporaryDirectory())
            self.recordings[durability] = power.Recording(folder, durability)
            self.recordings[durability].work(**work)
        return self.recordings[durability]

    def assert_found(self, pattern, recording, seeds=range(60)):
        """That the judges see a fault which was planted."""
        self.assertRegex("\n".join(power.cut(recording, seeds)), pattern)

    def test_nothing_that_was_answered_is_lost_and_files_are_whole(self):
        self.assertEqual(power.cut(self.recording(), SEEDS), [])

    def test_a_service_that_goes_on_after_a_cut_takes_each_code_once(self):
        for seed in SEEDS[:40:10]:
            self.assertEqual(list(self.recording().revive(seed, self.new_folder())), [])

    def test_without_durability_the_last_moments_alone_are_lost(self):
        # One client, so that the order of its answers is that of what they answer for.
        recording = self.recording("normal", workers=1, turns=40)
        self.assertEqual(power.cut(recording, SEEDS), [])
        strict = copy.copy(recording)
        strict.durability = "full"
        self.assert_found("which was answered, is lost", strict)

    def test_a_flush_that_is_left_out_is_found(self):
        for kinds, name, found in (
            ("SX", "", "is lost|are gone|is gone"), ("S", "phoneproof.sqlite", "damaged|cannot be read|lost"), ("X", "", "gone|is not there"),
        ):
            with self.subTest(kinds=kinds, name=name):
                recording = copy.copy(self.recording())
                ids = {change.file for change in recording.changes if change.kind == "C" and change.path == f"/{name}"}
                recording.changes = [
                    change for change in recording.changes
                    if change.kind not in kinds or name and change.file not in ids
                ]
                self.assert_found(found, recording, range(300))

    def test_what_is_left_of_an_erased_number_is_found(self):
        recording = copy.copy(self.recording())
        recording.events = [
            power.Event(event.position, "erased" if event.kind == "erasing" else event.kind, **event.what)
            for event in recording.events if event.kind != "erased"
        ]
        self.assert_found("was erased, and phoneproof.sqlite(-wal)? has it", recording, range(300))


class CopyTests(ServiceTestCase):
    def test_a_copy_that_is_cut_off_is_made_again(self):
        """From SQLite and from PostgreSQL, of which each is a copy of the other."""
        original = power.Recording(self.folder)
        original.work(workers=2, turns=6)
        server = self.enter(PostgreSQL())
        kept = power.read(f"{original.root}/phoneproof.sqlite")[0]
        self.done("copy", "--quiet", "--from", f"sqlite:{original.root}/phoneproof.sqlite", DATABASE_URL=server.url)
        for source in (f"sqlite:{original.root}/phoneproof.sqlite", server.url):
            with self.subTest(source=source.split(":")[0]):
                recording = power.Recording(self.new_folder())
                recording.copy(source)
                self.assertEqual(power.read(f"{recording.root}/copy.sqlite")[0], kept)
                for seed in range(200 if FULL else 3):
                    self.assertEqual(list(recording.copy_again(source, seed, self.new_folder())), [])

    def test_a_copy_whose_target_fails_is_made_again(self):
        """PostgreSQL is killed, and the program with it or not, while rows are copied."""
        original = power.Recording(self.folder)
        original.work(workers=2, turns=6)
        source = f"sqlite:{original.root}/phoneproof.sqlite"
        server = self.enter(PostgreSQL())
        for seed in range(20 if FULL else 2):
            url = server.create_database()
            copying = subprocess.Popen(
                [PROGRAM, "copy", "--quiet", "--from", source], env=environment(self.folder, DATABASE_URL=url),
                cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )
            # Somewhere between its beginning and its end, which nobody sees from outside.
            with contextlib.suppress(subprocess.TimeoutExpired):
                copying.wait(random.Random(seed).uniform(0.05, 1))
            server.kill()
            out, err = copying.communicate(timeout=60)
            self.assertTrue(copying.returncode == 0 or err.startswith("phoneproof: "), err)
            server.start()
            self.done("copy", "--quiet", "--from", source, DATABASE_URL=url)
            target = f"{self.new_folder()}/back.sqlite"
            self.done("copy", "--quiet", "--to", f"sqlite:{target}", DATABASE_URL=url)
            self.assertEqual(power.read(target), power.read(f"{original.root}/phoneproof.sqlite"))


class FailingDiskTests(ServiceTestCase):
    def test_each_operation_that_fails_is_a_clear_answer_and_loses_nothing(self):
        recording = power.Recording(self.folder)
        self.assertEqual(list(recording.fail(range(1, 41) if FULL else range(1, 41, 3))), [])
        self.assertEqual(power.cut(recording, SEEDS), [])
        self.assertIn("F", {change.kind for change in recording.changes})

    def test_a_start_on_a_failing_disk_says_so_and_the_next_one_succeeds(self):
        recording = power.Recording(self.folder)
        self.assertEqual(list(recording.fail_at_start(range(1, 300, 1 if FULL else 12))), [])

    def test_a_command_on_a_failing_disk_says_so_and_the_next_one_succeeds(self):
        recording = power.Recording(self.folder)
        self.assertEqual(list(recording.fail_commands(range(1, 150, 1 if FULL else 21))), [])


if __name__ == "__main__":
    unittest.main()
