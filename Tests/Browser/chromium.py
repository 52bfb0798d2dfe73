"""What the tests in a real browser share: headless Chromium, and pages of another site."""

import http.server
import threading
import urllib.parse

from selenium import webdriver
from selenium.webdriver.chrome.service import Service


def chromium(javascript=True, language="en"):
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--lang={language}"):
        options.add_argument(argument)
    preferences = {"intl.accept_languages": language}
    if not javascript:
        preferences["profile.managed_default_content_settings.javascript"] = 2
    options.add_experimental_option("prefs", preferences)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


class Site:
    """Another site on a free port: each path has a page, or a function that gets the request's handler and the query."""

    def __init__(self):
        self.pages, self.headers, self.requests = {}, {}, []
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                url = urllib.parse.urlsplit(self.path)
                site.requests.append((self.path, self.headers))
                page = site.pages.get(url.path)
                if callable(page):
                    page = page(self, dict(urllib.parse.parse_qsl(url.query)))
                status, headers, text = page if isinstance(page, tuple) else (404 if page is None else 200, {}, page or "")
                self.send_response(status)
                for name, value in {"Content-Type": "text/html; charset=utf-8", **site.headers, **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
