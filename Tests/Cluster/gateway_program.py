"""An SMS gateway that speaks as much of Twilio's Messages API as the service does, and forgets nothing.

It is a process of its own, so that no fault of the others delays it. What it takes is in its file before it answers; then it
takes its time, so that instances die while they wait.
"""

import http.server
import itertools
import json
import random
import sys
import threading
import time
import urllib.parse


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    lock = threading.Lock()
    numbers = itertools.count(1)
    chance = random.Random(0)
    file = None

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length)
        if len(body) < length:
            # The instance was killed while it spoke.
            self.close_connection = True
            return
        form = dict(urllib.parse.parse_qsl(body.decode()))
        with self.lock:
            sid = f"SM{next(self.numbers):032x}"
            line = {"sid": sid, "to": form["To"], "body": form["Body"], "arrived": time.time_ns() // 1_000_000}
            print(json.dumps(line, ensure_ascii=False), file=self.file, flush=True)
            delay = self.chance.choice([0.01, 0.03, 0.1, 0.3])
        time.sleep(delay)
        answer = json.dumps({"sid": sid, "status": "queued", "error_code": None, "to": form["To"]}).encode()
        self.send_response(201)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass

    def handle(self):
        try:
            super().handle()
        except OSError:
            # The instance is gone.
            pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 256
    daemon_threads = True


if __name__ == "__main__":
    Handler.file = open(sys.argv[1], "a")
    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
