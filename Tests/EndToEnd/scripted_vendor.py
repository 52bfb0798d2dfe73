"""A vendor's HTTP server that a test writes the answers of."""

import contextlib
import threading

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Request:
    def __init__(self, handler):
        self.method = handler.command
        self.path = handler.path
        self.headers = handler.headers
        self.body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))


@contextlib.contextmanager
def vendor(answer):
    """Serves what `answer(request)` gives: a status and a body; gives the port."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_one(self):
            status, body = answer(Request(self))
            body = body.encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            # Whoever asked may have gone.
            with contextlib.suppress(ConnectionError):
                self.end_headers()
                self.wfile.write(body)

        do_GET = do_POST = handle_one

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
