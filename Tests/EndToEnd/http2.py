"""HTTP/2 by hand, frame by frame (RFC 9113), for what no proper client does."""

import socket
import ssl
import struct

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
NO_ERROR, PROTOCOL_ERROR, REFUSED_STREAM, CANCEL, ENHANCE_YOUR_CALM = 0, 1, 7, 8, 11
END_STREAM, ACK, END_HEADERS = 1, 1, 4
INITIAL_WINDOW_SIZE = 4
MAX_CONCURRENT_STREAMS, MAX_HEADER_LIST_SIZE = 3, 6
# In HPACK's static table (RFC 7541 appendix A).
METHODS = {"GET": b"\x82", "POST": b"\x83"}
SCHEME_HTTPS = b"\x87"


def literal(name, value):
    """A field that nobody is to remember (RFC 7541 section 6.2.2); name is text, or a number of the static table."""
    start = bytes([name]) if isinstance(name, int) else b"\x00" + number(len(name)) + name.encode()
    return start + number(len(value)) + value.encode()


def number(value):
    if value < 127:
        return bytes([value])
    value -= 127
    result = b"\x7f"
    while value >= 128:
        result += bytes([value % 128 + 128])
        value //= 128
    return result + bytes([value])


class Frame:
    def __init__(self, kind, flags, stream, payload):
        self.kind, self.flags, self.stream, self.payload = kind, flags, stream, payload

    @property
    def code(self):
        """The error of a RST_STREAM or a GOAWAY."""
        return struct.unpack(">I", self.payload[:4] if self.kind == RST_STREAM else self.payload[4:8])[0]

    @property
    def settings(self):
        return {key: value for key, value in struct.iter_unpack(">HI", self.payload)}

    @property
    def is_end(self):
        return self.kind in (DATA, HEADERS) and bool(self.flags & END_STREAM)


class HTTP2Connection:
    def __init__(self, port, context, settings=()):
        context.set_alpn_protocols(["h2"])
        self.socket = context.wrap_socket(socket.create_connection(("127.0.0.1", port), 30), server_hostname="localhost")
        assert self.socket.selected_alpn_protocol() == "h2"
        self.bytes = b""
        self.send_bytes(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        self.send(SETTINGS, 0, 0, b"".join(struct.pack(">HI", key, value) for key, value in settings))

    def send_bytes(self, data):
        self.socket.sendall(data)

    def send(self, kind, flags, stream, payload=b""):
        self.send_bytes(self.frame(kind, flags, stream, payload))

    @staticmethod
    def frame(kind, flags, stream, payload=b""):
        return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload

    @staticmethod
    def header(method, path, fields=()):
        block = METHODS[method] + SCHEME_HTTPS + literal(4, path) + literal(1, "localhost")
        return block + b"".join(literal(name, value) for name, value in fields)

    def ask(self, stream, method="GET", path="/health/live", fields=(), has_body=False):
        flags = END_HEADERS | (0 if has_body else END_STREAM)
        self.send(HEADERS, flags, stream, self.header(method, path, fields))

    def reset(self, stream, code=CANCEL):
        self.send(RST_STREAM, 0, stream, struct.pack(">I", code))

    def read(self):
        """The next frame; None at the end. Pings and settings are answered as they must be."""
        while True:
            while len(self.bytes) < 9 or len(self.bytes) < 9 + self.length:
                try:
                    more = self.socket.recv(65_536)
                except (ConnectionError, ssl.SSLError):
                    more = b""
                if not more:
                    return None
                self.bytes += more
            length = self.length
            kind, flags, stream = struct.unpack(">BBI", self.bytes[3:9])
            frame = Frame(kind, flags, stream, self.bytes[9 : 9 + length])
            self.bytes = self.bytes[9 + length :]
            try:
                if kind == SETTINGS and not flags & ACK:
                    self.send(SETTINGS, ACK, 0)
                if kind == PING and not flags & ACK:
                    self.send(PING, ACK, 0, frame.payload)
            except OSError:
                pass
            return frame

    @property
    def length(self):
        return struct.unpack(">I", b"\0" + self.bytes[:3])[0]

    def read_until(self, wanted):
        """The first frame that is wanted; fails if the connection ends before."""
        while True:
            frame = self.read()
            if frame is None:
                raise AssertionError("the connection ended too early")
            if wanted(frame):
                return frame

    def read_to_end(self):
        frames = []
        while frame := self.read():
            frames.append(frame)
        return frames

    def body(self, stream):
        """What is answered on this stream."""
        body = b""
        while True:
            frame = self.read_until(lambda frame: frame.stream == stream)
            if frame.kind == RST_STREAM:
                raise AssertionError(f"the stream was reset: {frame.code}")
            if frame.kind == DATA:
                body += frame.payload
            if frame.is_end:
                return body

    def close(self):
        self.socket.close()
