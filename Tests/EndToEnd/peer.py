"""Servers that the tests play: they keep what they are sent, and answer as a test wants."""

import base64
import contextlib
import hashlib
import hmac
import http.server
import json
import threading
import time
import urllib.parse


class Request:
    def __init__(self, handler):
        self.method, self.path, self.headers = handler.command, handler.path, handler.headers
        self.url = f"http://{self.headers['Host']}{self.path}"
        self.bytes = handler.rfile.read(int(self.headers.get("Content-Length", 0)))
        # Of Protocol Buffers it is no text.
        self.body = self.bytes.decode(errors="replace")

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def form(self):
        return dict(urllib.parse.parse_qsl(self.body, keep_blank_values=True, strict_parsing=True))


class Server(http.server.ThreadingHTTPServer):
    # With the standard 5, connections of a crowd are dropped and come a second later, or never.
    request_queue_size = 128


class Peer:
    """Listens on a free port, unless one is given. `answer` is called with each request and gives a status, or a tuple of
    status, body and header fields; or `hang`, `stall`: the head of a 200 comes and its body does not, or `cut`: the
    connection is closed in the middle of the answer."""

    kind = Request

    def __init__(self, answer=lambda request: 200, port=0, tls=None):
        self.answer, self.requests = answer, []
        self.lock, self.over = threading.Lock(), threading.Event()
        peer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_request(self):
                # Whoever asked may have waited for long enough, and be gone.
                with contextlib.suppress(ConnectionError):
                    self.give(peer.take(peer.kind(self)))

            do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = handle_request

            def give(self, answer):
                if answer in ("hang", "stall", "cut"):
                    self.close_connection = True
                    head = {"hang": b"", "stall": b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", "cut": b"HTTP/1.1 20"}
                    self.wfile.write(head[answer])
                    return answer == "cut" or peer.over.wait(90)
                status, body, headers = (*answer, *("", {})[len(answer) - 1 :])
                body = (body if isinstance(body, str) else json.dumps(body)).encode()
                self.send_response(status)
                fields = {"Content-Type": "application/json", "Content-Length": str(len(body))} if status != 204 else {}
                for name, value in {**fields, **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = Server(("127.0.0.1", port), Handler)
        if tls:
            self.server.socket = tls.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_port
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def take(self, request):
        """Notes it; gives the answer."""
        with self.lock:
            self.requests.append(request)
        answer = self.answer(request)
        return (answer,) if isinstance(answer, int) else answer

    def close(self):
        self.over.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Told(Request):
    """An event, as https://github.com/standard-webhooks/standard-webhooks has it."""

    def __init__(self, handler):
        super().__init__(handler)
        self.id = self.headers["webhook-id"]
        self.timestamp = int(self.headers["webhook-timestamp"])
        self.signatures = self.headers["webhook-signature"].split(" ")
        self.type = self.json["type"]

    def is_signed_with(self, secret):
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        content = f"{self.id}.{self.timestamp}.".encode() + self.bytes
        expected = "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
        return any(hmac.compare_digest(expected, signature) for signature in self.signatures)


class Receiver(Peer):
    """A program that is notified of events: it verifies every signature by itself."""

    kind = Told

    def __init__(self, secret, answer=lambda told: 204, port=0):
        self.secret, self.taken, self.wrong = secret, [], []
        super().__init__(answer, port)
        self.hooks = f"{self.url}/hooks?from=phoneproof"

    def take(self, told):
        answer = super().take(told)
        with self.lock:
            if not told.is_signed_with(self.secret) or abs(time.time() - told.timestamp) > 60 or told.url != self.hooks:
                self.wrong.append(told)
            if answer[0] in range(200, 300):
                self.taken.append(told)
        return answer

    def types(self):
        """The kinds of what it took, in no order."""
        with self.lock:
            return sorted(told.type for told in self.taken)
