"""Starts a program in the root of another system under the restrictions of a systemd unit, as far as that goes without systemd,
for scripts/packaging/test. Run it by `unshare --mount --ipc --uts python3 confined.py SPECIFICATION`; it becomes the program.

The specification is JSON: `root`, `command`, `user` and `group` (numbers), `folder`, `writable` (folders), `environment`,
`credentials` (texts by name), `mounted` (texts by path, each with its mode and group; root owns them), `notify` (a socket
outside), `umask`, `files` (the most that may be open), `syscalls` (names that are allowed, if it has it) and `families` of
sockets.
"""

import ctypes
import json
import os
import resource
import socket
import subprocess
import sys
from pathlib import Path

PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 24, 38
SCMP_ACT_ALLOW, SCMP_CMP_EQ, SCMP_CMP_MASKED_EQ = 0x7FFF0000, 4, 7
PROT_EXEC, EPERM = 4, 1


class Comparison(ctypes.Structure):
    _fields_ = [("argument", ctypes.c_uint), ("operator", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64)]


def mount(*arguments):
    subprocess.run(["mount", *map(str, arguments)], check=True)


def confine(root, specification):
    """The view of the file system: all of it read-only but what is writable, with devices, processes and temporary files of
    its own (ProtectSystem=strict, PrivateDevices, PrivateTmp, ProtectProc=invisible, ProcSubset=pid, LoadCredential)."""
    mount("--make-rprivate", "/")
    mount("--bind", root, root)
    for folder in specification["writable"]:
        mount("--bind", f"{root}{folder}", f"{root}{folder}")
    for name in ("proc", "dev", "run", "tmp", "var/tmp"):
        (root / name).mkdir(parents=True, exist_ok=True)
    mount("-t", "proc", "-o", "hidepid=invisible,subset=pid", "proc", root / "proc")
    mount("-t", "tmpfs", "-o", "mode=755", "dev", root / "dev")
    for device in ("null", "zero", "full", "random", "urandom"):
        (root / "dev" / device).touch()
        mount("--bind", f"/dev/{device}", root / "dev" / device)
    mount("-t", "tmpfs", "-o", "mode=755", "run", root / "run")
    for name in ("tmp", "var/tmp"):
        mount("-t", "tmpfs", "-o", "mode=1777", "tmp", root / name)
    if specification.get("notify"):
        (root / "run/notify").touch()
        mount("--bind", specification["notify"], root / "run/notify")
    if "credentials" in specification:
        folder = root / "run/credentials"
        folder.mkdir(mode=0o500)
        for name, text in specification["credentials"].items():
            (folder / name).write_text(text)
            (folder / name).chmod(0o400)
            os.chown(folder / name, specification["user"], specification["group"])
        os.chown(folder, specification["user"], specification["group"])
    for path, (text, mode, group) in specification.get("mounted", {}).items():
        file = Path(f"{root}{path}")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        os.chown(file, 0, group)
        file.chmod(mode)
    mount("-o", "remount,bind,ro", root)
    os.chroot(root)


def filter_syscalls(library, names, families):
    """SystemCallFilter, RestrictAddressFamilies and MemoryDenyWriteExecute; what is not allowed fails with EPERM."""
    library.seccomp_init.restype = ctypes.c_void_p
    rules = ctypes.c_void_p(library.seccomp_init(0x00050000 | EPERM))

    def allow(name, *comparisons):
        number = library.seccomp_syscall_resolve_name(name.encode())
        # A negative number is a call that this architecture has not.
        if number >= 0:
            array = (Comparison * len(comparisons))(*comparisons)
            if library.seccomp_rule_add_array(rules, ctypes.c_uint32(SCMP_ACT_ALLOW), number, len(array), array) != 0:
                sys.exit(f"cannot allow {name}")

    for name in names:
        if name == "socket":
            for family in families:
                allow(name, Comparison(0, SCMP_CMP_EQ, getattr(socket, family), 0))
        elif name in ("mmap", "mprotect", "pkey_mprotect"):
            # Code is mapped from files, read-only; nothing that was written becomes code. PROT_WRITE is 2.
            allow(name, Comparison(2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0))
            if name == "mmap":
                allow(name, Comparison(2, SCMP_CMP_MASKED_EQ, PROT_EXEC | 2, PROT_EXEC))
        else:
            allow(name)
    if library.seccomp_load(rules) != 0:
        sys.exit("the filter of system calls cannot be set")


def main(path):
    specification = json.loads(Path(path).read_text())
    seccomp = ctypes.CDLL("libseccomp.so.2")
    libc = ctypes.CDLL(None)
    confine(Path(specification["root"]), specification)
    os.chdir(specification["folder"])
    os.umask(specification["umask"])
    # No more than this machine lets its root have.
    files = min(specification["files"], resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # CapabilityBoundingSet= of nothing, and with it the permitted ones when the user changes.
    for capability in range(64):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    os.setgroups([])
    os.setgid(specification["group"])
    os.setuid(specification["user"])
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if specification.get("syscalls"):
        filter_syscalls(seccomp, specification["syscalls"], specification["families"])
    os.execve(specification["command"][0], specification["command"], specification["environment"])


if __name__ == "__main__":
    main(sys.argv[1])
