"""What processes have used, as Linux says it."""

import os
import pathlib

TICK = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid, with_children=False):
    """The processor time of a process; with that of its children that have ended, if asked for; 0 if it is gone."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(int(field) for field in fields[11:15 if with_children else 13]) / TICK


def memory_bytes(pid, field="VmRSS"):
    """`VmRSS`, what is resident now, or `VmHWM`, the most that was."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise ValueError(f"/proc/{pid}/status has no {field}")


def machine():
    """What the figures were taken on."""
    text = pathlib.Path("/proc/cpuinfo").read_text()
    models = {line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")}
    return {"cores": os.cpu_count(), "processor": ", ".join(sorted(models)) or "unknown", "kernel": os.uname().release}
