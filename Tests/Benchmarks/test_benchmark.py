"""What scripts/bench makes of its figures; the figures themselves are nobody's test."""

import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests" / "EndToEnd"))
import compare  # noqa: E402
import figures  # noqa: E402
import instructions  # noqa: E402

BENCH = ROOT / "scripts" / "bench"


def entry(throughput, p99=2.0):
    """A row of calls whose every run had these ratios."""
    spread = lambda middle: {"median": middle, "least": 0.95 * middle, "most": 1.05 * middle}
    ratio = {"throughput": spread(throughput), "p99": spread(p99), "cpu": spread(3.0)}
    return {"row": "start", "store": "sqlite-full", "connections": 64, "ratio": ratio}


class FigureTests(unittest.TestCase):
    def test_a_ratio_is_that_of_runs_beside_each_other(self):
        # Whatever slowed the machine down in the second one slowed both.
        self.assertEqual(figures.ratios([700, 300, 600], [1000, 600, 500]), {"median": 0.7, "least": 0.5, "most": 1.2})

    def test_a_target_is_reached_on_its_side_of_the_bound(self):
        most = figures.Target("p99 by the floor's", "at most", 2.5, "×")
        self.assertEqual(most.judge(2.5), {
            "target": "p99 by the floor's at most 2.50 ×", "value": 2.5, "shown": "2.50 ×", "is_reached": True,
        })
        self.assertFalse(most.judge(2.51)["is_reached"])
        least = figures.Target("throughput", "at least", 0.75, "%")
        self.assertEqual([least.judge(value)["is_reached"] for value in [0.74, 0.75]], [False, True])

    def test_what_lies_within_the_spread_is_the_same(self):
        old, new = {"calls": [entry(0.80)], "runs": 3}, {"calls": [entry(0.85, p99=3.0)], "runs": 3}
        lines, worse = compare.compare(old, new)
        self.assertEqual((worse, [line.split()[-1] for line in lines]), (1, ["%", "worse", "%"]))
        name = "start, sqlite-full, 64 connections: p99 by the floor's"
        self.assertEqual(lines[1], f"{name:<70}{'2':>10} → {'3':<10}{'+50 %':>8}  worse")

    def test_more_throughput_and_less_of_anything_else_is_better(self):
        lines, worse = compare.compare({"calls": [entry(0.5, 4.0)], "runs": 3}, {"calls": [entry(0.8, 2.0)], "runs": 3})
        self.assertEqual((worse, [line.split()[-1] for line in lines]), (0, ["better", "better", "%"]))

    def test_a_single_run_shows_only_the_ratio(self):
        lines, _ = compare.compare({"calls": [entry(0.80)], "runs": 1}, {"calls": [entry(0.90)], "runs": 1})
        self.assertEqual(lines[0].split()[-1], "%")

    def test_what_only_one_of_them_has_is_passed_over(self):
        self.assertEqual(compare.compare({"runs": 3}, {"calls": [entry(0.8)], "runs": 3}), ([], 0))


class InstructionTests(unittest.TestCase):
    def test_a_count_is_as_it_was_within_two_percent(self):
        self.assertEqual([instructions.verdict(count, 400_000) for count in [392_000, 408_000]], ["", ""])
        self.assertEqual([instructions.verdict(count, 400_000) for count in [391_000, 409_000]], ["LESS", "MORE"])
        self.assertEqual(instructions.verdict(400_000, None), "NOT KEPT")


class CommandTests(unittest.TestCase):
    def bench(self, *arguments):
        done = subprocess.run([BENCH, *arguments], capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout, done.stderr

    def test_it_says_what_it_measures(self):
        code, out, _ = self.bench("--help")
        self.assertEqual(code, 0)
        self.assertIn("POST /v1/verifications", out)

    def test_a_row_that_there_is_not_is_refused_by_name(self):
        code, out, err = self.bench("--only", "start,stop")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("there is no 'stop', only start, check, wrong-check, signup", err)

    def test_bounds_are_updated_only_where_they_are_counted(self):
        code, _, err = self.bench("--update")
        self.assertEqual(code, 2)
        self.assertIn("--update belongs to --instructions", err)

    def test_a_peer_is_a_program_that_is_there(self):
        for peer in ["otpgateway=/nowhere", f"kratos={BENCH}", "otpgateway"]:
            code, _, err = self.bench("--peer", peer)
            self.assertEqual(code, 2)
            self.assertIn("is not otpgateway=PATH", err)
