"""The scripts and style sheets of the pages, as a browser reads them: it drops silently what it does not understand."""

import re
import unittest

from chromium import chromium
from support import ROOT

# A browser leaves out a rule whose selector it does not know, and a declaration whose value it does not know.
DROPPED = """
const [text] = arguments, sheet = new CSSStyleSheet()
sheet.replaceSync(text)
const count = rules => [...rules ?? []].reduce((sum, rule) => sum + 1 + count(rule.cssRules), 0)
const declarations = [...text.replaceAll("!important", "").matchAll(/[{;]\\s*([-a-z]+)\\s*:\\s*([^{};]+?)\\s*(?=[;}])/g)]
return [text.split("{").length - 1 - count(sheet.cssRules),
  declarations.filter(([, name, value]) => !CSS.supports(name, value)).map(([, name, value]) => `${name}: ${value}`)]
"""


class FileTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = chromium()
        cls.addClassCleanup(cls.browser.quit)

    def files(self, ending):
        found = sorted((ROOT / "Sources").glob(f"*/*/**/*.{ending}"))
        self.assertGreater(len(found), 3)
        return [(path.name, path.read_text()) for path in found]

    def test_every_script_parses(self):
        for name, text in self.files("js"):
            script = {"expression": text, "sourceURL": "", "persistScript": False}
            self.browser.execute_cdp_cmd("Runtime.enable", {})
            self.assertNotIn("exceptionDetails", self.browser.execute_cdp_cmd("Runtime.compileScript", script), name)

    def test_nothing_of_a_style_sheet_is_dropped(self):
        for name, text in self.files("css"):
            text = re.sub(r"/\*.*?\*/|url\(.*?\)", "", text, flags=re.S)
            self.assertEqual(self.browser.execute_script(DROPPED, text), [0, []], name)
