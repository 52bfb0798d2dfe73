"""How many instructions each operation takes, by callgrind: a guard that no other load on the machine disturbs."""

import json
import pathlib
import re
import shutil
import subprocess
import tempfile

import work

BOUNDS = pathlib.Path(__file__).resolve().parent / "instructions.json"
# So much more than was measured is let through: compilers and libraries change, too.
GENEROSITY = 1.2
# The shorter of the two loops; the longer is three times as long.
LOOPS = {"read-number": 500, "type-number": 200, "render-message": 300, "seal-code": 200}
LOOP = 40
# Each run makes an RSA key, whose random primes take more, or less, than all the signatures that follow.
UNCOUNTED = {"sign-id-token"}


def tool(name, package):
    program = shutil.which(name)
    if not program:
        raise RuntimeError(f"{name} is not installed: apt-get install {package}")
    return program


def count(program, operation, loop):
    """The instructions of a whole run."""
    command = [tool("valgrind", "valgrind"), "--tool=callgrind", "--callgrind-out-file=/dev/null", program, operation, str(loop)]
    done = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not found:
        raise RuntimeError(f"{' '.join(command)} failed: {done.stderr.strip()[-500:]}")
    return int(found.group(1))


def measure(program, operation):
    """The instructions of one operation: what a longer loop takes beyond a shorter one, so that the start falls out."""
    loop = LOOPS.get(operation, LOOP)
    return round((count(program, operation, 3 * loop) - count(program, operation, loop)) / (2 * loop))


def run(program, is_update, out):
    """Counts all operations and compares them with their bounds; gives the exit code."""
    bounds = json.loads(BOUNDS.read_text()) if BOUNDS.exists() else {}
    found, over = {}, []
    out(f"{'operation':<20}{'instructions':>14}{'bound':>14}")
    with tempfile.TemporaryDirectory(prefix="phoneproof-bench-") as folder:
        # Valgrind 3.19 aborts on the symbols of Swift 6.3.
        stripped = f"{folder}/BenchmarkWork"
        subprocess.run([tool("strip", "binutils"), "-o", stripped, program], check=True)
        for operation in (name for name, _ in work.operations(stripped) if name not in UNCOUNTED):
            found[operation] = measure(stripped, operation)
            bound = bounds.get(operation)
            shown = f"{bound:,}" if bound else "none"
            is_over = not is_update and (bound is None or found[operation] > bound)
            out(f"{operation:<20}{found[operation]:>14,}{shown:>14}{'  OVER' if is_over else ''}")
            if is_over:
                over.append(operation)
    if is_update:
        bounds = {operation: round(GENEROSITY * counted, -3) or 1000 for operation, counted in found.items()}
        BOUNDS.write_text(json.dumps({name: int(bound) for name, bound in bounds.items()}, indent=2) + "\n")
        out(f"{BOUNDS.name}: {GENEROSITY} times what was counted")
        return 0
    for operation in over:
        out(f"{operation} takes more instructions than its bound in Tests/Benchmarks/{BOUNDS.name}; if that is as it should be, "
            "scripts/bench --instructions --update")
    return 1 if over else 0
