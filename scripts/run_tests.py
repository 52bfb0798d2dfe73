"""What scripts/test does once everything is installed."""

import argparse
import concurrent.futures
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / ".build" / "tests"


class Job:
    """A program that runs beside others, with its output in a file."""

    running = set()

    def __init__(self, name, needs, *command):
        self.name, self.needs, self.command = name, needs, [sys.executable, *(str(part) for part in command)]
        self.log = LOGS / f"{name.replace(' ', '-')}.log"

    def run(self, limit):
        start = time.monotonic()
        with open(self.log, "w") as log:
            # In a session of its own, so that all of it can be ended.
            process = subprocess.Popen(self.command, cwd=ROOT, stdout=log, stderr=log, start_new_session=True)
            Job.running.add(process.pid)
            try:
                self.status = process.wait(limit)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                self.status = process.wait()
                log.write(f"\nscripts/test: ended, since it took longer than {limit} s\n")
            Job.running.discard(process.pid)
        self.seconds = time.monotonic() - start
        self.output = self.log.read_text(errors="replace").strip()
        print(f"{self.name}: {'failed' if self.status else 'passed'} in {self.seconds:.0f} s", flush=True)


def interrupted(number, _):
    for process in Job.running:
        os.killpg(process, signal.SIGKILL)
    os._exit(128 + number)


def end_to_end(files):
    # Four at a time, since they mostly wait. Debian's pexpect calls what newer Pythons call otherwise.
    pytest = ["-W", "ignore::DeprecationWarning", "-m", "pytest", "-p", "no:cacheprovider", "--quiet", "--durations", "10"]
    pytest += ["--numprocesses", "4", "--dist", "loadscope", "-o", "faulthandler_timeout=300"]
    return Job("end-to-end tests", "phoneproof", *pytest, *files)


def swift(*filters):
    command = ["Tests/EndToEnd/postgresql.py", "swift", "test", "--skip-build", "--disable-xctest", *filters]
    return Job("Swift tests", "phoneproofPackageTests", *command)


def others(is_full):
    jobs = [
        Job("clients", "phoneproof", "scripts/test-clients"),
        Job("contract", "phoneproof", "scripts/test-contract", "--seconds", 60 if is_full else 20),
        Job("plans", None, "scripts/update-numbering-plans", "--check"),
        Job("numbers", "NumberOracle", "scripts/test-numbers", "--quick"),
    ]
    # The clients and Schemathesis are not to be had for older ones.
    if sys.version_info < (3, 11):
        print("scripts/test: clients and contract need Python 3.11 or later, and are left out.", file=sys.stderr)
        del jobs[:2]
    return {job.name: job for job in jobs}


def matching(names, known):
    """Of what is known all that is called so, or else all that has it in its name."""
    found = set()
    for name in names:
        text = name.lower().removeprefix("test_").removesuffix(".py")
        some = {each for each in known if each.lower() in (text, f"{text}tests")}
        some = some or {each for each in known if text in each.lower()}
        if not some:
            sys.exit(f"scripts/test: there is no test called {name}, but {', '.join(known)}")
        found |= some
    return [each for each in known if each in found]


def stages(names, is_full):
    """What runs one after the other; in a stage what runs side by side, and there again one after the other."""
    files = {path.stem.removeprefix("test_"): path for path in sorted((ROOT / "Tests" / "EndToEnd").glob("test_*.py"))}
    rest = others(is_full)
    if not names:
        return [[[end_to_end(files.values())]], [[*rest.values()], [swift()]]]
    filters = {path.name: rf"^{path.name}\." for path in sorted((ROOT / "Tests").glob("*Tests"))}
    for path in sorted((ROOT / "Tests").glob("*Tests/**/*.swift")):
        for name in re.findall(r"\b(?:struct|class) (\w+Tests)\b", path.read_text()):
            filters[name] = rf"\.{name}/"
    wanted = matching(names, [*files, *rest, *filters])
    chosen = [files[name] for name in wanted if name in files]
    jobs = [end_to_end(chosen)] if chosen else []
    jobs += [rest[name] for name in wanted if name in rest]
    if chosen := [filters[name] for name in wanted if name in filters]:
        jobs.append(swift("--filter", "|".join(chosen)))
    return [[jobs]]


def build(jobs, is_full):
    """What these need; the programs of the benchmarks only with --full."""
    products = dict.fromkeys(job.needs for job in jobs if job.needs)
    for what in [["--build-tests"]] if is_full else [["--product", product] for product in products]:
        subprocess.run(["swift", "build", "--quiet", *what], cwd=ROOT, check=True)


def report(jobs):
    print("\nWhere the time went:")
    for job in jobs:
        print(f"{job.seconds:7.1f} s  {job.name}")
    for job in jobs:
        for took, name in re.findall(r"^([\d.]+)s (?:call|setup|teardown) +Tests/EndToEnd/(\S+)", job.output, re.M):
            print(f"{float(took):7.1f} s  {name}")
    # At the end stands what failed, or else what the Swift tests sum up.
    for job in sorted(jobs, key=lambda job: job.status != 0):
        summary = job.output.split("\n")[-1]
        print(f"\n{job.name}: {job.output if job.status else summary}")


def main():
    parser = argparse.ArgumentParser("scripts/test", description="Installs what is missing, builds, and runs the tests.")
    parser.add_argument("--full", action="store_true", help="in the sizes of a release, with what is left out otherwise")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only what is called so, or has it in its name")
    options = parser.parse_args()
    os.environ["NUMBER_ORACLE"] = str(ROOT / ".build" / "debug" / "NumberOracle")
    if options.full:
        os.environ["PHONEPROOF_TESTS"] = "full"
    plan = stages(options.names, options.full)
    jobs = [job for stage in plan for lane in stage for job in lane]
    if not options.names:
        lint = ["swift", "format", "lint", "--strict", "--parallel", "--recursive", "Package.swift", "Sources", "Tests"]
        subprocess.run(lint, cwd=ROOT, check=True)
    build(jobs, options.full)
    if len(jobs) == 1:
        sys.exit(subprocess.run(jobs[0].command, cwd=ROOT).returncode)
    signal.signal(signal.SIGINT, interrupted)
    signal.signal(signal.SIGTERM, interrupted)
    LOGS.mkdir(exist_ok=True)
    for stage in plan:
        with concurrent.futures.ThreadPoolExecutor(len(stage)) as pool:
            list(pool.map(lambda lane: [job.run(3600 if options.full else 1200) for job in lane], stage))
    report(jobs)
    sys.exit(any(job.status for job in jobs))


try:
    main()
except subprocess.CalledProcessError as error:
    sys.exit(error.returncode)
