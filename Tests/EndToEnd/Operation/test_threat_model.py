"""Checks that every test exists that the threat model names, that it says of every table what bounds it, and what no test of behavior
could show of all texts and files."""

import collections
import re
import unittest

from support import MODULES, ROOT

FOLDER = MODULES["phoneproof"] / "phoneproof.docc" / "Assurance"
ARTICLES = [FOLDER / f"{name}.md" for name in ("ThreatModel", "StorageBounds", "Standards")]
# Docks have their threats and their tables in articles of their own.
ARTICLES += [article for path in (ROOT / "Tests").glob("Docks/*") for article in MODULES[path.name].glob("*.docc/*.md")]


def names_of_tests():
    """The names of all tests: of functions, and the display names of tests, suites and store rules."""
    names = set()
    for path in (ROOT / "Tests").rglob("*.swift"):
        text = path.read_text()
        names.update(re.findall(r"func `([^`]+)`\(", text))
        names.update(re.findall(r"func (\w+)\(", text))
        names.update(re.findall(r'(?:\w*[rR]ule|@Test|@Suite)\(\s*"([^"]+)"', text))
    for path in (ROOT / "Tests").rglob("test_*.py"):
        names.update(re.findall(r"def (test_\w+)\(", path.read_text()))
    return names


class ThreatModelTests(unittest.TestCase):
    def test_every_test_that_it_names_exists(self):
        named, rows, isShown = [], 0, False
        for line in [line for article in ARTICLES for line in article.read_text().splitlines()]:
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            isShown = line.startswith("|") and (isShown or cells[-1] == "shown by")
            if not isShown or cells[-1] == "shown by" or set(cells[-1]) <= {"-"}:
                continue
            rows += 1
            found = re.findall(r'`([^`]+)`|"([^"]+)"', cells[-1])
            named += [code or text for code, text in found]
            self.assertTrue(found or cells[-1].startswith(("not met", "measured")), line)
        self.assertGreater(rows, 40)
        self.assertEqual(sorted(set(named) - names_of_tests()), [])

    def test_it_says_of_every_table_what_bounds_it(self):
        tables = set()
        for path in (ROOT / "Sources").rglob("*.swift"):
            tables.update(re.findall(r'\bTable\(\s*"(\w+)"', path.read_text()))
        listed = set()
        for line in [line for article in ARTICLES for line in article.read_text().splitlines()]:
            if line.startswith("| `") and line.count(" | ") == 6:
                listed.update(re.findall(r"`(\w+)`", line.split("|")[1]))
        self.assertEqual(listed, tables)


class SourceTests(unittest.TestCase):
    def test_no_decision_goes_by_the_rules_of_unicode(self):
        """Where texts of requests are read."""
        forbidden = {
            ".lowercased()": "it makes U+212A a `k`: use asciiLowercased",
        }
        found = [
            f"{path.relative_to(ROOT)}:{number}: {why}"
            for folder in ("PhoneHTTP", "OpenSSLCrypto", "CoreEncodings")
            for path in MODULES[folder].rglob("*.swift")
            for number, line in enumerate(path.read_text().splitlines(), 1)
            for text, why in forbidden.items() if text in line.split("//")[0]
        ]
        self.assertEqual(found, [])

    def test_files_have_names_of_their_own_and_are_short(self):
        files = [
            path for folder in ("Sources", "Tests", "Tools", "scripts") for path in (ROOT / folder).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        ]
        written = [path for path in files if path.suffix in (".swift", ".py") and ".generated." not in path.name]
        names = collections.Counter(path.name for path in written)
        folders = collections.Counter(path.parent for path in files)
        self.assertEqual([name for name, count in names.items() if count > 1], [])
        self.assertEqual([str(folder) for folder, count in folders.items() if count > 15], [])
        self.assertEqual([str(path) for path in written if path.read_text().count("\n") > 500], [])
