"""A body that is longer than the service takes, by clients that send all of it before they read the answer."""

import subprocess

import httpx
import requests
from test_tls import ServedByTLS

# Far beyond the first window of HTTP/2, which is as long as the longest body that is taken (RFC 9113 section 6.9.2).
BODY = b'{"region":"' + b" " * 200_000 + b'"}'
JSON = {"Content-Type": "application/json"}


class LongBodyTests(ServedByTLS):
    def setUp(self):
        super().setUp()
        self.server = self.serve()
        self.url = f"https://localhost:{self.server.port}/v1/signups"

    def httpx(self, content, **options):
        with httpx.Client(verify=self.context(), timeout=20, **options) as client:
            refused = client.post(self.url, content=content, headers=JSON)
            # The connection is of use afterwards, or another is made.
            self.assertEqual(client.post(self.url, json={}).status_code, 201)
        self.assertEqual((refused.status_code, refused.json()["code"]), (413, "body_too_large"))
        return refused.http_version

    def test_httpx_over_http2(self):
        self.assertEqual(self.httpx(BODY, http2=True), "HTTP/2")

    def test_httpx_over_http2_without_a_length(self):
        parts = (BODY[start : start + 10_000] for start in range(0, len(BODY), 10_000))
        self.assertEqual(self.httpx(parts, http2=True), "HTTP/2")

    def test_httpx_over_http1(self):
        self.assertEqual(self.httpx(BODY), "HTTP/1.1")

    def test_requests(self):
        refused = requests.post(self.url, data=BODY, headers=JSON, verify=self.authority, timeout=20)
        self.assertEqual((refused.status_code, refused.json()["code"]), (413, "body_too_large"))

    def test_curl(self):
        for version in ("--http1.1", "--http2"):
            # Without a wait for "100 Continue", which spares it the body.
            done = subprocess.run(
                ["curl", "--silent", "--show-error", version, "--cacert", self.authority, "--max-time", "20", "--header", "Expect:",
                 "--header", "Content-Type: application/json", "--data-binary", "@-", "--output", "-", "--write-out",
                 "\n%{http_code}", self.url],
                input=BODY, capture_output=True,
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            body, status = done.stdout.decode().rsplit("\n", 1)
            self.assertEqual(status, "413")
            self.assertIn('"body_too_large"', body)
