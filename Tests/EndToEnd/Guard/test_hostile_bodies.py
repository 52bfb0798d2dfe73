"""No body costs much more than a plain one of its size, whichever route it is sent to: counted in instructions."""

import collections
import pathlib
import re
import shutil
import subprocess
import tempfile

import support

MOST = 6
SIZE = 64_000 if support.FULL else 16_000
# Where nobody is let in, or nothing is found.
REFUSALS = {401, 403, 404, 405}
# As many routes at least read their bodies, so that the test cannot come to be turned away everywhere.
LEAST_REACHED = 70


def strip(program, folder):
    """The program with the libraries of Swift, all without symbols, on which Valgrind 3.19 aborts."""
    found = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    libraries = re.findall(r"=> (\S*/swift/linux/\S+\.so)", found)
    for file in [program, *libraries]:
        subprocess.run(["strip", "-o", f"{folder}/{pathlib.Path(file).name}", file], check=True)
    return f"{folder}/{pathlib.Path(program).name}"


def counts(size, stride):
    """By route: the instructions and the status of each kind of body."""
    valgrind = shutil.which("valgrind")
    assert valgrind, "valgrind is not installed: apt-get install valgrind"
    program = str(pathlib.Path(support.PROGRAM).with_name("HostileBodies"))
    found = collections.defaultdict(dict)
    with tempfile.TemporaryDirectory(prefix="phoneproof-hostile-") as folder:
        command = [valgrind, "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder}/counts",
                   "--compress-strings=yes", strip(program, folder), str(size), str(stride)]
        done = subprocess.run(command, capture_output=True, text=True, env={"LD_LIBRARY_PATH": folder, "PATH": "/usr/bin:/bin"})
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        for path in pathlib.Path(folder).glob("counts.*"):
            text = path.read_text(errors="replace")
            name = re.search(r"^desc: Trigger: Client Request: (.+)$", text, re.M)
            total = re.search(r"^(?:totals|summary): (\d+)", text, re.M)
            if name and total and "|" in name.group(1):
                route, kind, status = name.group(1).split("|")
                found[route][kind] = (int(total.group(1)), int(status))
    return found


def test_no_body_costs_more_than_six_plain_ones():
    found = counts(SIZE, 1 if support.FULL else 12)
    assert len(found) > 60, sorted(found)
    dear = {
        (route, kind): f"{count / kinds['plain'][0]:.1f} times {kinds['plain'][0]:,} instructions ({status})"
        for route, kinds in found.items() for kind, (count, status) in kinds.items() if count > MOST * kinds["plain"][0]
    }
    assert not dear, dear
    reached = {route for route, kinds in found.items() if any(status not in REFUSALS for _, status in kinds.values())}
    assert len(reached) >= LEAST_REACHED, sorted(reached)
