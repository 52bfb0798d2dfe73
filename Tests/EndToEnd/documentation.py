"""The fenced blocks of the README and the articles, and how they are compared with real output."""

import contextlib
import dataclasses
import json
import re

from support import MODULES, ROOT

ARTICLES = MODULES["phoneproof"] / "phoneproof.docc"
# The page of Reactive is of diagrams.
DOCKS = sorted((ROOT / "Tests").glob("Docks/*"))
PAGES = [ROOT / "README.md", *sorted(set((ROOT / "Sources").glob("*/*/*.docc/**/*.md")) - set(MODULES["Reactive"].rglob("*.md")))]
# What differs from run to run is masked, in the page and in the output.
VARIABLE = [
    (re.compile(r"\b([a-z]{3}_)[0-9a-f]{32}\b"), r"\1ID"),
    (re.compile(r"\b([A-Z]{2})[0-9a-f]{32}\b"), r"\1ID"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z"), "TIME"),
    (re.compile(r"(?<![\d+])\d{6}(?!\d)"), "CODE"),
]


@dataclasses.dataclass
class Block:
    """A fenced block of a page.

    `sh` is run, all of a page in one shell; a `json` or `text` block after it is its output; `console` is a conversation
    in a terminal; `yaml` is a file of settings; `python` is run by Tests/Clients, or with a browser by test_openid.py; `html` by
    Tests/Browser; `ts` by Node, from test_documentation.py; `swift` must compile. The comment
    `<!-- not run: why -->` before a block exempts it.
    """

    page: str
    line: int
    language: str
    text: str
    reason: str | None

    @property
    def place(self):
        return f"{self.page}:{self.line}"


def blocks(path):
    pattern = r"(?:<!-- not run: (?P<reason>.+?) -->\n)?^(?P<indent> *)```(?P<language>\w*)\n(?P<text>.*?)^(?P=indent)```$"
    text = path.read_text()
    found = []
    for match in re.finditer(pattern, text, re.M | re.S):
        line = text.count("\n", 0, match.start("language")) + 1
        found.append(Block(path.stem, line, match["language"], match["text"], match["reason"]))
    return found


def all_blocks(*languages):
    """The blocks of these languages that are to be run."""
    return [block for path in PAGES for block in blocks(path) if block.language in languages and not block.reason]


def masked(text):
    for pattern, name in VARIABLE:
        text = pattern.sub(name, text)
    return text


def is_like(shown, printed):
    """Whether a page may show this: `…` stands for anything, and an object may have more members than are shown."""
    if isinstance(shown, dict):
        return isinstance(printed, dict) and all(key in printed and is_like(shown[key], printed[key]) for key in shown)
    if isinstance(shown, list):
        return isinstance(printed, list) and len(shown) == len(printed) and all(map(is_like, shown, printed))
    if isinstance(shown, str) and isinstance(printed, str):
        pattern = ".*".join(map(re.escape, masked(shown).split("…")))
        return re.fullmatch(pattern, masked(printed), re.S) is not None
    return shown == printed


def expects(block, printed):
    """Whether the block shows what was printed."""
    if block.language == "json":
        with contextlib.suppress(ValueError):
            return is_like(json.loads(block.text), json.loads(printed))
        return False
    return is_like(block.text.strip(), printed.strip())
