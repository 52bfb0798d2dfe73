"""What the tests of clients share: programs of one's own, and one who is called back."""

import http.server
import tempfile
import threading
import unittest
import urllib.parse

from support import Server


class ClientTestCase(unittest.TestCase):
    """Starts what a test asks for, and ends it with the test."""

    def serve(self, **settings):
        """A service of one's own with these settings (as `environment` of support.py has them), and its address."""
        return self.start(("serve",), settings)

    def stub(self, **settings):
        """An SMS stub of one's own, and its address."""
        return self.start(("sms-stub",), settings)

    def start(self, command, settings):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        server = Server(folder.name, command=command, **settings)
        self.addCleanup(server.close)
        return server, f"{server.scheme}://127.0.0.1:{server.port}"

    def receiver(self, answer=lambda told: 204):
        """One who is called back. `answer` is called with each request and gives a status and, if need be, headers, or
        `hang`."""
        receiver = Receiver(answer)
        self.addCleanup(receiver.close)
        return receiver


class Told:
    """A form that was posted."""

    def __init__(self, url, headers, body):
        self.url = url
        self.headers = headers
        self.form = dict(urllib.parse.parse_qsl(body, keep_blank_values=True, strict_parsing=True))


class Receiver:
    def __init__(self, answer):
        self.all = []
        self.lock = threading.Lock()
        self.over = threading.Event()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                told = Told(f"http://{self.headers['Host']}{self.path}", self.headers, body)
                with receiver.lock:
                    receiver.all.append(told)
                answered = answer(told)
                if answered == "hang":
                    receiver.over.wait(30)
                    self.close_connection = True
                    return
                status, headers = answered if isinstance(answered, tuple) else (answered, {})
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if status != 204:
                    self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def told(self):
        """All that was posted, in the order in which it came."""
        with self.lock:
            return list(self.all)

    def close(self):
        self.over.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
