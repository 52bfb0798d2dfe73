"""What the tests in a real browser share: headless Chromium, and pages of another site."""

import pathlib
import sys
import urllib.parse

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

SHARED = pathlib.Path(__file__).resolve().parents[1] / "EndToEnd"
sys.path[:0] = [str(SHARED), str(SHARED / "Guard")]

from peer import Peer  # noqa: E402


def chromium(javascript=True, language="en", arguments=()):
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--lang={language}", *arguments):
        options.add_argument(argument)
    preferences = {"intl.accept_languages": language}
    if not javascript:
        preferences["profile.managed_default_content_settings.javascript"] = 2
    options.add_experimental_option("prefs", preferences)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    driver.has_scripts = javascript
    return driver


class Site(Peer):
    """Another site on a free port: each path has a page, or a function that gets the request and the query; or a status, header
    fields and a text."""

    def __init__(self):
        super().__init__(self.shown)
        self.pages, self.fields = {}, {}

    def shown(self, request):
        url = urllib.parse.urlsplit(request.path)
        page = self.pages.get(url.path)
        if callable(page):
            page = page(request, dict(urllib.parse.parse_qsl(url.query)))
        status, fields, text = page if isinstance(page, tuple) else (404 if page is None else 200, {}, page or "")
        return status, text, {"Content-Type": "text/html; charset=utf-8", **self.fields, **fields}
