"""Runs the tests; scripts/test calls it when everything is installed."""

import argparse
import concurrent.futures
import difflib
import importlib.util
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Of the end-to-end tests.
FOLDERS = ["EndToEnd", "Cluster", "PowerCuts", "Benchmarks",
           *(f"Docks/{path.name}" for path in sorted((ROOT / "Tests").glob("Docks/*")))]


class Job:
    """A program that runs beside others, with its output in a file. `needs` names the products that it takes, if any."""

    running = set()

    def __init__(self, name, needs, *command):
        self.name, self.needs, self.command = name, needs.split(), [sys.executable, *command]
        self.log = ROOT / ".build" / "tests" / f"{name.replace(' ', '-')}.log"

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


# Debian's pexpect and Selenium call what newer Pythons call otherwise.
PYTEST = ["-W", "ignore::DeprecationWarning", "-m", "pytest", "-p", "no:cacheprovider", "--quiet", "--durations", "10"]


def end_to_end(files):
    # Four at a time, since they mostly wait.
    parallel = ["--numprocesses", "4", "--dist", "loadscope", "-o", "faulthandler_timeout=300"]
    return Job("end-to-end tests", "phoneproof ClientDriver HostileBodies", *PYTEST, *parallel, *files)


def swift(*filters):
    command = ["Tests/EndToEnd/postgresql.py", "swift", "test", "--skip-build", "--disable-xctest", *filters]
    return Job("Swift tests", "phoneproofPackageTests", *command)


def others():
    jobs = [
        Job("clients", "phoneproof", "scripts/tests/clients"),
        Job("contract", "phoneproof", "scripts/tests/contract", "--seconds", "120"),
        Job("plans", "", "scripts/numbers/update-plans", "--check"),
        Job("numbers", "NumberOracle", "scripts/numbers/compare", "--quick"),
    ]
    # The clients and Schemathesis are not to be had for older ones.
    if sys.version_info < (3, 11):
        print("scripts/test: clients and contract need Python 3.11 or later, and are left out.", file=sys.stderr)
        del jobs[:2]
    if all(map(os.path.exists, ["/usr/bin/chromium", "/usr/bin/chromedriver"])) and importlib.util.find_spec("selenium"):
        jobs.append(Job("browser", "phoneproof", *PYTEST, "Tests/Browser"))
    else:
        print("scripts/test: browser needs Debian's chromium, chromium-driver and python3-selenium, and is left out.",
              file=sys.stderr)
    return {job.name: job for job in jobs}


def matching(name, known):
    """Of what is known all that is called so, or else all that has it in its name."""
    text = name.lower().removeprefix("test_").removesuffix(".py")
    same = [each for each in known if each.lower() in (text, f"{text}tests")]
    part = [each for each in known if text in each.lower()]
    near = ", ".join(difflib.get_close_matches(name, known, 8, 0.3))
    return same or part or sys.exit(
        f"scripts/test: there is no test called {name}; tests are called as the files of Tests/EndToEnd, Tests/Cluster and "
        f"Tests/PowerCuts, the targets and suites of Tests, clients, contract, plans, numbers and browser{f'; near it: {near}' if near else ''}")


def stages(names):
    """What runs one after the other; in a stage what runs side by side, and there again one after the other."""
    files = {path.stem.removeprefix("test_"): path for folder in FOLDERS
             for pattern in ("test_*.py", "[A-Z]*/test_*.py") for path in sorted((ROOT / "Tests" / folder).glob(pattern))}
    rest = others()
    if not names:
        beside = [rest.pop(name) for name in ("contract", "browser") if name in rest]
        return [[[end_to_end(files.values())], beside], [[*rest.values()], [swift()]]]
    filters = {path.name: rf"^{path.name}\." for path in sorted((ROOT / "Tests").rglob("*Tests"))}
    for path in sorted((ROOT / "Tests").rglob("*Tests/**/*.swift")):
        for name in re.findall(r"\b(?:struct|class) (\w+Tests)\b", path.read_text()):
            filters[name] = rf"\.{name}/"
    wanted = {each for name in names for each in matching(name, [*files, *rest, *filters])}
    files, rest, filters = ([each[name] for name in each if name in wanted] for each in (files, rest, filters))
    jobs = [end_to_end(files), *rest] if files else rest
    return [[jobs + [swift("--filter", "|".join(filters))] if filters else jobs]]


def run(*command):
    if code := subprocess.run(command, cwd=ROOT).returncode:
        sys.exit(code)


def build(jobs, is_full):
    """What these need; the programs of the benchmarks only with --full."""
    products = dict.fromkeys(product for job in jobs for product in job.needs)
    for what in [["--build-tests"]] if is_full else [["--product", product] for product in products]:
        run("swift", "build", "--quiet", *what)


def report(jobs):
    print("\nWhere the time went:")
    for job in jobs:
        print(f"{job.seconds:7.1f} s  {job.name}")
    for job in jobs:
        for took, name in re.findall(r"^([\d.]+)s (?:call|setup|teardown) +Tests/(?:EndToEnd|Cluster|PowerCuts|Browser|Docks)/(\S+)", job.output, re.M):
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
    plan = stages(options.names)
    jobs = [job for stage in plan for lane in stage for job in lane]
    if not options.names:
        run("swift", "format", "lint", "--strict", "--parallel", "--recursive", "Package.swift", "Sources", "Tests", "Tools")
    build(jobs, options.full)
    print(f"scripts/test: runs {', '.join(job.name for job in jobs)}", flush=True)
    if len(jobs) == 1:
        return run(*jobs[0].command)
    signal.signal(signal.SIGINT, interrupted)
    signal.signal(signal.SIGTERM, interrupted)
    jobs[0].log.parent.mkdir(exist_ok=True)
    for stage in plan:
        with concurrent.futures.ThreadPoolExecutor(len(stage)) as pool:
            list(pool.map(lambda lane: [job.run(3600 if options.full else 1200) for job in lane], stage))
    report(jobs)
    sys.exit(any(job.status for job in jobs))


main()
