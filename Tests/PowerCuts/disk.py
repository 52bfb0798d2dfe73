"""A disk that forgets: from the trace of a program's changes (disk.c), what a power cut at any of them may leave.

What was flushed stays. Of what was not, each write is kept, dropped or torn at a sector, whatever came after it; names that
were made, changed or removed are kept as far as the seed says, in their order. That is what POSIX allows, and more than
file systems do: where the seed says so, a flush keeps all names that came before it, as ext4, XFS and btrfs do.
"""

import os
import random
import struct
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
SECTOR = 512
HEAD = struct.Struct("<cQQII")
# What disk.c shares with a test: the operations that were counted, and which of them fails.
OPERATIONS, FAILURE = struct.Struct("<Q"), struct.Struct("<QIII")
SHORT_WRITE = 0


def build(folder):
    """The library to preload."""
    library = f"{folder}/disk.so"
    subprocess.run(["clang", "-O2", "-shared", "-fPIC", "-o", library, HERE / "disk.c", "-ldl"], check=True)
    return library


class Change:
    """One record of a trace, with its end in the file."""

    def __init__(self, kind, file, offset, path, data, end):
        self.kind, self.file, self.offset, self.path, self.data, self.end = kind, file, offset, path, data, end


def changes(trace):
    """What a trace has, in its order."""
    found, content, position = [], Path(trace).read_bytes(), 0
    while position < len(content):
        kind, file, offset, path, data = HEAD.unpack_from(content, position)
        position += HEAD.size
        name = content[position:position + path].decode()
        end = position + path + data
        found.append(Change(kind.decode(), file, offset, name, content[position + path:end], end))
        position = end
    return found


class File:
    """What is certain of a file's content, and what was done to it since."""

    def __init__(self, content=b""):
        self.content = bytearray(content)
        # In order: a change, and whether it is "new", "flushed", or "given up" by a flush that failed: no later one makes
        # such a write certain.
        self.pending = []
        # How many are no longer "new", which are the first.
        self.marked = 0

    def mark(self, state):
        # What a flush gave up stays, and all behind it: with thousands of them each flush may look at its own alone.
        for index in range(self.marked, len(self.pending)):
            self.pending[index] = (self.pending[index][0], state)
        certain = next((index for index, (_, old) in enumerate(self.pending) if old != "flushed"), len(self.pending))
        for change, _ in self.pending[:certain]:
            apply(self.content, *parts(change))
        del self.pending[:certain]
        self.marked = len(self.pending)

    def after_cut(self, dice, style):
        content = bytearray(self.content)
        stop = dice.randint(0, len(self.pending))
        for index, (change, state) in enumerate(self.pending):
            fate = "kept"
            if state != "flushed":
                by_style = {"all": "kept", "none": "dropped", "prefix": "kept" if index < stop else "dropped"}
                fate = by_style.get(style) or dice.choice(("kept", "dropped", "torn"))
            if fate == "kept":
                apply(content, *parts(change))
            elif fate == "torn" and change.kind == "W":
                for offset, piece in sectors(change):
                    if dice.random() < 0.5:
                        apply(content, "W", offset, piece)
        return content


def parts(change):
    return change.kind, change.offset, change.data


def sectors(change):
    """The write in pieces that a disk writes whole."""
    position = change.offset
    end = position + len(change.data)
    while position < end:
        stop = min(end, (position // SECTOR + 1) * SECTOR)
        yield position, change.data[position - change.offset:stop - change.offset]
        position = stop


def apply(content, kind, offset, data):
    if kind == "T":
        if len(content) > offset:
            del content[offset:]
        else:
            content.extend(bytes(offset - len(content)))
        return
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    content[offset:offset + len(data)] = data


class Disk:
    """The files below a folder, as far as a trace was followed."""

    def __init__(self, folder=None):
        # By path; None is a folder.
        self.names, self.unflushed, self.files = {}, [], {}
        for path in sorted(Path(folder).rglob("*")) if folder else []:
            if path.name.endswith("-shm"):
                continue
            name = f"/{path.relative_to(folder)}"
            self.names[name] = None
            if path.is_file():
                self.names[name] = self.files[path.stat().st_ino] = File(path.read_bytes())

    def follow(self, change):
        kind = change.kind
        if kind in "CL":
            file = File() if kind == "C" else self.files[change.file]
            self.files[change.file] = file
            if change.path:
                self.unflushed.append(("add", change.path, file))
        elif kind in "WT":
            # One that was there before the trace and outside the folder that was looked at is not ours.
            if change.file in self.files:
                self.files[change.file].pending.append((change, "new"))
        elif kind == "S":
            if change.file in self.files:
                self.files[change.file].mark("flushed")
            self.unflushed.append(("flush", None, None))
        elif kind == "F":
            if change.file in self.files:
                self.files[change.file].mark("given up")
        elif kind == "X":
            kept = [name for name in self.unflushed if name[0] == "flush" or parent(name[1]) != (change.path or "/")]
            for name in self.unflushed:
                if name not in kept:
                    rename(self.names, name)
            self.unflushed = kept
        elif kind == "R":
            self.unflushed.append(("move", change.path, change.data.decode()))
        elif kind in "UD":
            self.unflushed.append(("remove", change.path, None))
        elif kind == "M":
            self.unflushed.append(("add", change.path, None))

    def after_cut(self, seed, folder):
        """Writes what is left below a folder, which has to be empty."""
        dice = random.Random(seed)
        style = dice.choice(("none", "all", "prefix", "any", "any", "any"))
        names = dict(self.names)
        least = 0
        if dice.random() < 0.5:
            least = max((index for index, name in enumerate(self.unflushed) if name[0] == "flush"), default=0)
        for name in self.unflushed[:dice.randint(least, len(self.unflushed))]:
            rename(names, name)
        for name, file in sorted(names.items()):
            path = Path(f"{folder}{name}")
            path.parent.mkdir(parents=True, exist_ok=True)
            if file is None:
                path.mkdir(exist_ok=True)
            else:
                path.write_bytes(file.after_cut(dice, style))
                path.chmod(0o600)
        return style


def parent(path):
    return os.path.dirname(path)


def rename(names, change):
    kind, path, other = change
    if kind == "add":
        names[path] = other
    elif kind == "remove":
        names.pop(path, None)
    elif kind == "move" and path in names:
        names[other] = names.pop(path)


class Control:
    """The page by which a test makes the disk of a program fail."""

    def __init__(self, path):
        self.path = path
        Path(path).write_bytes(bytes(4096))

    def _write(self, *failure):
        with open(self.path, "r+b") as file:
            file.seek(OPERATIONS.size)
            file.write(FAILURE.pack(*failure))

    def fail(self, place, error, for_good=False, kind="\0"):
        """Makes an operation of this kind fail, the first from now on or a later one, and all after it if that is for good."""
        self.heal()
        (operations,) = OPERATIONS.unpack_from(Path(self.path).read_bytes())
        self._write(operations + place, error, for_good, ord(kind))

    def heal(self):
        self._write(0, 0, 0, 0)
