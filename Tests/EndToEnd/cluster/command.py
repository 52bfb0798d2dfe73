"""What scripts/test-cluster does."""

import contextlib
import os
import shutil
import sys
import tempfile
import time

from cluster.availability import Availability
from cluster.judgement import Judgement
from cluster.postgresql_database import PostgreSQLDatabase
from cluster.sqlite_database import SQLiteDatabase
from cluster.trial import Trial
from support import PROGRAM


def run(seconds, seed, kind="postgresql", workers=16, keeps=False):
    """Strains a cluster, judges, prints; gives the exit code."""
    if not os.path.exists(PROGRAM):
        print(f"there is no {PROGRAM}: build it first, by `swift build`", file=sys.stderr)
        return 1
    begin = time.monotonic()

    def say(text):
        print(f"[{time.monotonic() - begin:6.1f} s] {text}" if not text.startswith("  ") else text, flush=True)

    say(f"Three instances behind nginx over {kind}, {workers} clients, faults for {seconds} s, --seed {seed}")
    folder = tempfile.mkdtemp(prefix="phoneproof-cluster-")
    is_good = False
    with contextlib.ExitStack() as stack:
        database = PostgreSQLDatabase() if kind == "postgresql" else SQLiteDatabase(f"{folder}/database")
        stack.callback(database.close)
        trial = Trial(folder, database, seed, seconds, workers, say=say)
        evidence = trial.run()
        judgement = Judgement(evidence)
        print("\nAvailability, which is shown and not judged:")
        for line in Availability(evidence.history, evidence.faults).lines:
            print(line)
        print("\nJudged:")
        for name, count in judgement.counts.items():
            print(f"  {count:7}  {name}")
        print(f"  {sum(trial.ends.values()):7}  instances ended: " + ", ".join(
            f"{count} {name}" for name, count in sorted(trial.ends.items())
        ))
        for note in judgement.notes:
            print(f"  {note}")
        wrong = [str(finding) for finding in judgement.findings] + trial.complaints
        for text in wrong[:50]:
            print(f"WRONG  {text}")
        is_good = not wrong
        print()
        say(f"{len(evidence.faults)} faults, {len(evidence.history)} requests: "
            + ("nothing is wrong." if is_good else f"{len(wrong)} things are wrong (--seed {seed})."))
    if keeps or not is_good:
        say(f"What was recorded is in {folder}")
    else:
        shutil.rmtree(folder, ignore_errors=True)
    return 0 if is_good else 1
