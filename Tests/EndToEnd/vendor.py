"""A vendor of text messages whom a test plays: it notes what it is asked and answers as it is told."""

import contextlib
import http.server
import threading


class Request:
    def __init__(self, handler):
        self.method = handler.command
        self.path = handler.path
        self.headers = handler.headers
        self.body = handler.rfile.read(int(handler.headers.get("Content-Length", 0))).decode()


class Vendor:
    def __init__(self, answer):
        """`answer` gets a request, and gives status and body."""
        self.requests = []
        vendor = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_message(self):
                request = Request(self)
                vendor.requests.append(request)
                status, text = answer(request)
                body = text.encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                # Whoever asked may have gone.
                with contextlib.suppress(ConnectionError):
                    self.end_headers()
                    self.wfile.write(body)

            do_GET = do_POST = do_PUT = handle_message

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_port
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
