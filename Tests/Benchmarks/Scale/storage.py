"""The floor of storage: what SQLite and PostgreSQL themselves make of the statements of a start."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import figures
import postgresql
import support

# What a start reads and writes in PostgreSQL, for all starts of a transaction at once, as PhoneProof does it.
SCRIPT = pathlib.Path(__file__).resolve().parent / "start.sql"


def sqlite(program, synchronous, seconds, batch):
    """Starts a second by SQLite's own interface, in a new file with PhoneProof's tables."""
    support.database = support.SQLite()
    with tempfile.TemporaryDirectory(prefix="phoneproof-bench-") as folder:
        code, _, errors = support.run("migrate", folder=folder)
        if code != 0:
            raise RuntimeError(f"phoneproof migrate failed: {errors.strip()}")
        command = [program, "sqlite", f"{folder}/phoneproof.sqlite", synchronous, str(seconds), str(batch)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)} failed: {done.stderr.strip()[-300:]}")
        report = json.loads(done.stdout)
        return report["starts"] / report["seconds"]


def pgbench_program():
    program = shutil.which("pgbench") or postgresql.programs() / "pgbench"
    if not os.access(program, os.X_OK):
        raise RuntimeError("pgbench is not installed: apt-get install postgresql-contrib, or postgresql")
    return program


def pgbench(server, url, seconds, batch, clients=4):
    """Starts a second by pgbench on a database with PhoneProof's tables."""
    with tempfile.TemporaryDirectory(prefix="phoneproof-bench-") as folder:
        script = pathlib.Path(folder) / "start.sql"
        script.write_text(SCRIPT.read_text().replace(":batch", str(batch)))
        command = [
            pgbench_program(), "--no-vacuum", "--protocol=prepared", f"--client={clients}", "--jobs=1",
            f"--time={max(1, round(seconds))}", f"--file={script}", url,
        ]
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        found = re.search(r"^tps = ([\d.]+)", done.stdout, re.M)
        if done.returncode != 0 or not found:
            raise RuntimeError(f"pgbench failed: {done.stderr.strip()[-500:]}")
        return float(found.group(1)) * batch


def measure(store, program, seconds, batch):
    if store.startswith("sqlite"):
        return sqlite(program, store.removeprefix("sqlite-"), seconds, batch)
    options = {"shared_buffers": "256MB", "log_connections": "off"}
    with postgresql.PostgreSQL(durable=True, options=options) as server, tempfile.TemporaryDirectory() as folder:
        settings = {"DATABASE_URL": server.url, "KEYS_FILE": f"{folder}/keys"}
        for arguments in [("keys", "make"), ("migrate",)]:
            code, _, errors = support.run(*arguments, folder=folder, **settings)
            if code != 0:
                raise RuntimeError(f"phoneproof {' '.join(arguments)} failed: {errors.strip()}")
        return pgbench(server, server.url, seconds, batch)


def run(options, program, entries, out):
    """For each store, starts a second with as many in a transaction as the service had, and the service's share of it."""
    out("\nstorage: the statements of POST /v1/verifications by the database itself, so many starts to a transaction")
    out("  `service` is its throughput in the rows above, where there are any, at 64 connections or the most there were; it")
    out("  keeps what becomes of each message besides, in as many transactions.")
    out(f"{'store':<15}{'batch':>7}{'starts/s':>10}{'spread':>16}{'service':>9}{'ratio':>7}")
    results = []
    for store in options.stores:
        if store in ("memory", "postgresql-3"):
            continue
        rows = [entry for entry in entries if entry["row"] == "start" and entry["store"] == store]
        row = next((entry for entry in rows if entry["connections"] == 64), rows[-1] if rows else None)
        mean = row["subject"].get("batch") if row else None
        batch = max(1, round(mean["median"])) if mean else 12
        found = figures.summary([measure(store, program, options.seconds, batch) for _ in range(options.runs)])
        result = {"store": store, "batch": batch, "starts": found}
        line = f"{store:<15}{batch:>7}{found['median']:>10,.0f}{found['least']:>9,.0f}–{found['most']:<6,.0f}"
        if row:
            result["service"] = row["subject"]["throughput"]["median"]
            result["ratio"] = result["service"] / found["median"]
            line += f"{result['service']:>9,.0f}{100 * result['ratio']:>6.0f}%"
        out(line)
        results.append(result)
    return results
