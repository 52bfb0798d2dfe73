"""A vendor of text messages that the tests play: it notes what it is asked and answers as it is told."""

import http.server
import threading


class Vendor:
    def __init__(self, answer):
        """`answer` gets a request (method, path, headers, body) and gives status and body."""
        self.requests = []
        self.answer = answer
        vendor = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_message(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                request = (self.command, self.path, self.headers, body)
                vendor.requests.append(request)
                status, text = vendor.answer(*request)
                self.send_response(status)
                self.send_header("Content-Length", str(len(text.encode())))
                self.end_headers()
                self.wfile.write(text.encode())

            do_POST = do_PUT = handle_message

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
