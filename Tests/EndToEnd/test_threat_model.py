"""Checks that every test exists that the threat model names, and what no test of behavior could show of all texts."""

import re
import unittest

from support import ROOT

ARTICLE = ROOT / "Sources" / "phoneproof" / "phoneproof.docc" / "ThreatModel.md"


def names_of_tests():
    """The names of all tests: of functions, and the display names of tests, suites and store rules."""
    names = set()
    for path in (ROOT / "Tests").rglob("*.swift"):
        text = path.read_text()
        names.update(re.findall(r"func `([^`]+)`\(", text))
        names.update(re.findall(r"func (\w+)\(", text))
        names.update(re.findall(r'(?:StoreRule|@Test|@Suite)\(\s*"([^"]+)"', text))
    for path in [*(ROOT / "Tests" / "EndToEnd").glob("test_*.py"), *(ROOT / "Tests" / "Browser").glob("test_*.py")]:
        names.update(re.findall(r"def (test_\w+)\(", path.read_text()))
    return names


class ThreatModelTests(unittest.TestCase):
    def test_every_test_that_it_names_exists(self):
        named, rows = [], 0
        for line in ARTICLE.read_text().splitlines():
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if not line.startswith("|") or len(cells) < 3 or cells[-1] == "shown by" or set(cells[-1]) <= {"-"}:
                continue
            rows += 1
            found = re.findall(r'`([^`]+)`|"([^"]+)"', cells[-1])
            named += [code or text for code, text in found]
            self.assertTrue(found or cells[-1].startswith(("not met", "measured")), line)
        self.assertGreater(rows, 40)
        self.assertEqual(sorted(set(named) - names_of_tests()), [])


class SourceTests(unittest.TestCase):
    def test_no_decision_goes_by_the_rules_of_unicode(self):
        """Where texts of requests are read."""
        forbidden = {
            ".lowercased()": "it makes U+212A a `k`: use asciiLowercased",
            "request.cookies": "Hummingbird splits it at U+037E as well: use BrowserCookies",
        }
        found = [
            f"{path.relative_to(ROOT)}:{number}: {why}"
            for folder in ("PhoneHTTP", "OpenSSLCrypto", "TextEncodings")
            for path in (ROOT / "Sources" / folder).rglob("*.swift")
            for number, line in enumerate(path.read_text().splitlines(), 1)
            for text, why in forbidden.items() if text in line.split("//")[0]
        ]
        self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main()
