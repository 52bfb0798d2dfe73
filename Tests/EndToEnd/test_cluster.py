"""Three instances over one database, with load and faults, for a while. See scripts/test-cluster for more of it."""

import pathlib
import subprocess
import sys
import unittest

from support import FULL


class ClusterTests(unittest.TestCase):
    def test_nothing_is_lost_or_done_twice(self):
        program = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "test-cluster"
        # Its words are shown as they come. The seed is fixed: what fails here is to fail again.
        print(flush=True)
        done = subprocess.run([sys.executable, str(program), "--seconds", "40" if FULL else "25", "--seed", "7"], timeout=600)
        self.assertEqual(done.returncode, 0, "see above")


if __name__ == "__main__":
    unittest.main()
