"""A program that is told of events: it verifies every signature by itself, and answers as a test wants."""

import base64
import hashlib
import hmac
import http.server
import json
import threading
import time


class Told:
    """One request, as it came."""

    def __init__(self, headers, body):
        self.id = headers["webhook-id"]
        self.timestamp = int(headers["webhook-timestamp"])
        self.signatures = headers["webhook-signature"].split(" ")
        self.headers = headers
        self.body = body
        self.json = json.loads(body)

    @property
    def type(self):
        return self.json["type"]

    def is_signed_with(self, secret):
        """As https://github.com/standard-webhooks/standard-webhooks has it."""
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        content = f"{self.id}.{self.timestamp}.".encode() + self.body
        expected = "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
        return any(hmac.compare_digest(expected, signature) for signature in self.signatures)


class Receiver:
    """Takes what it is told on a free port. `answer` is called with each request and gives a status, or `hang`, or `stall`:
    the head of a 200 comes and its body does not, or `cut`: the connection is closed in the middle of the answer."""

    def __init__(self, secret, answer=lambda told: 204, port=0):
        self.secret = secret
        self.answer = answer
        self.lock = threading.Lock()
        self.all = []
        self.taken = []
        self.wrong = []
        self.over = threading.Event()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                answer = receiver.take(Told(self.headers, body), self.path)
                if answer == "hang":
                    receiver.over.wait(30)
                    self.close_connection = True
                elif answer == "stall":
                    self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")
                    receiver.over.wait(90)
                    self.close_connection = True
                elif answer == "cut":
                    self.wfile.write(b"HTTP/1.1 20")
                    self.close_connection = True
                else:
                    status, headers = answer if isinstance(answer, tuple) else (answer, {})
                    self.send_response(status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", "0")
                    self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_port
        self.url = f"http://127.0.0.1:{self.port}/hooks?from=phoneproof"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def take(self, told, path):
        answer = self.answer(told)
        with self.lock:
            if not told.is_signed_with(self.secret) or abs(time.time() - told.timestamp) > 60 or path != "/hooks?from=phoneproof":
                self.wrong.append(told)
            self.all.append(told)
            if isinstance(answer, int) and 200 <= answer < 300:
                self.taken.append(told)
        return answer

    def types(self):
        """The kinds of what it took, in no order."""
        with self.lock:
            return sorted(told.type for told in self.taken)

    def close(self):
        self.over.set()
        self.server.shutdown()
        self.server.server_close()
