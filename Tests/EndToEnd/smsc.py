"""An SMS centre of a carrier that speaks SMPP 3.4 (the parts that a transceiver needs), played on a free port."""

import contextlib
import socketserver
import struct
import threading


def text(body, start):
    """A string that ends with NUL, and where the next field begins."""
    end = body.index(b"\0", start)
    return body[start:end].decode(), end + 1


class SMSCentre:
    """Accepts every message and reports its `fate`: DELIVRD, UNDELIV, or None for nothing."""

    BIND, SUBMIT, DELIVER, UNBIND, ENQUIRE, ANSWER = 0x9, 0x4, 0x5, 0x6, 0x15, 0x80000000

    def __init__(self, fate="DELIVRD"):
        self.fate, self.messages = fate, []
        centre = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                with contextlib.suppress(ConnectionError):
                    while head := self.rfile.read(16):
                        length, command, _, number = struct.unpack(">4I", head)
                        centre.take(self, command, number, self.rfile.read(length - 16))

            def send(self, command, number, body=b""):
                self.wfile.write(struct.pack(">4I", 16 + len(body), command, 0, number) + body)

        self.server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def take(self, handler, command, number, body):
        if command & self.ANSWER:
            return
        if command != self.SUBMIT:
            name = b"carrier\0" if command == self.BIND else b""
            return handler.send(command | self.ANSWER, number, name)
        _, start = text(body, 0)
        sender, start = text(body, start + 2)
        recipient, start = text(body, start + 2)
        _, start = text(body, start + 3)
        _, start = text(body, start)
        asks, _, coding, _, length = body[start : start + 5]
        message = body[start + 5 : start + 5 + length]
        self.messages.append((sender, recipient, message.decode("utf-16-be" if coding == 8 else "latin-1")))
        name = f"{len(self.messages):08x}"
        handler.send(command | self.ANSWER, number, name.encode() + b"\0")
        if self.fate and asks & 1:
            report = (
                f"id:{name} sub:001 dlvrd:001 submit date:2601010000 done date:2601010000 stat:{self.fate} err:000 text:"
            ).encode()
            fields = b"\0\1\1" + recipient.encode() + b"\0\5\0" + sender.encode() + b"\0\4\0\0\0\0\0\0\0\0"
            handler.send(self.DELIVER, 1000 + len(self.messages), fields + bytes([len(report)]) + report)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
