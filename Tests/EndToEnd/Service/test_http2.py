"""HTTP/2 with clients that mean it ill: too many streams, too many of them called off, too slow, too large."""

import contextlib
import os
import re
import signal
import socket
import ssl
import struct
import unittest

from support import FULL, wait_for
from test_tls import ServedByTLS

# HTTP/2 by hand, frame by frame (RFC 9113), for what no proper client does.
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
NO_ERROR, PROTOCOL_ERROR, REFUSED_STREAM, CANCEL, ENHANCE_YOUR_CALM = 0, 1, 7, 8, 11
END_STREAM, ACK, END_HEADERS = 1, 1, 4
INITIAL_WINDOW_SIZE = 4
MAX_CONCURRENT_STREAMS, MAX_HEADER_LIST_SIZE = 3, 6
# In HPACK's static table (RFC 7541 appendix A).
METHODS = {"GET": b"\x82", "POST": b"\x83"}
SCHEME_HTTPS = b"\x87"
JSON = [("content-type", "application/json")]


def literal(name, value):
    """A field that nobody is to remember (RFC 7541 section 6.2.2); name is text, or a number of the static table."""
    start = bytes([name]) if isinstance(name, int) else b"\x00" + integer(len(name)) + name.encode()
    return start + integer(len(value)) + value.encode()


def integer(value):
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


class HTTP2Tests(ServedByTLS):
    def connect(self, server, settings=()):
        connection = HTTP2Connection(server.port, self.context(), settings)
        self.addCleanup(connection.close)
        return connection

    def test_one_connection_serves_many_at_once(self):
        connection = self.connect(self.serve())
        streams = range(1, 200, 2)
        for stream in streams:
            connection.ask(stream)
        bodies = {stream: b"" for stream in streams}
        ended = set()
        while len(ended) < len(bodies):
            frame = connection.read_until(lambda frame: frame.stream)
            self.assertIn(frame.kind, (HEADERS, DATA))
            if frame.kind == DATA:
                bodies[frame.stream] += frame.payload
            if frame.is_end:
                ended.add(frame.stream)
        self.assertEqual(set(bodies.values()), {b'{"status":"ok"}'})

    def test_a_client_that_exceeds_the_stream_limit_is_disconnected(self):
        connection = self.connect(self.serve())
        settings = connection.read_until(lambda frame: frame.kind == SETTINGS and not frame.flags & ACK)
        self.assertEqual(settings.settings[MAX_CONCURRENT_STREAMS], 100)
        # What is read of it, so that what is too long is answered.
        self.assertEqual(settings.settings[MAX_HEADER_LIST_SIZE], 131_072)
        for stream in range(1, 200, 2):
            connection.ask(stream, "POST", "/v1/signups", JSON, has_body=True)
        connection.send(DATA, END_STREAM, 1, b"{}")
        self.assertIn(b'"token"', connection.body(1))
        for stream in (201, 203):
            connection.ask(stream, "POST", "/v1/signups", JSON, has_body=True)
        end = [frame for frame in connection.read_to_end() if frame.kind == GOAWAY]
        self.assertEqual([frame.code for frame in end], [PROTOCOL_ERROR])

    def test_a_request_that_is_none_ends_its_stream_alone(self):
        connection = self.connect(self.serve())
        connection.ask(1, "POST", "/v1/signups", JSON, has_body=True)
        for stream, fields in [(3, [("Upper", "a")]), (5, [("connection", "close")]), (7, [(":path", "/")])]:
            connection.ask(stream, fields=fields)
            reset = connection.read_until(lambda frame: frame.stream == stream)
            self.assertEqual((reset.kind, reset.code), (RST_STREAM, PROTOCOL_ERROR))
        connection.send(DATA, END_STREAM, 1, b"{}")
        self.assertIn(b'"token"', connection.body(1))

    def test_a_client_that_resets_too_many_streams_is_disconnected(self):
        server = self.serve()
        connection = self.connect(server)
        frames = b""
        for stream in range(1, 1000, 2):
            frames += connection.frame(HEADERS, END_HEADERS | END_STREAM, stream,
                                       connection.header("GET", "/health/live"))
            frames += connection.frame(RST_STREAM, 0, stream, struct.pack(">I", CANCEL))
        connection.send_bytes(frames)
        end = [frame for frame in connection.read_to_end() if frame.kind == GOAWAY]
        self.assertEqual([frame.code for frame in end], [ENHANCE_YOUR_CALM])
        self.assertEqual(server.client.call("GET", "/health/live").status, 200)
        # A few are everybody's right.
        modest = self.connect(server)
        for stream in range(1, 20, 2):
            modest.ask(stream)
            modest.reset(stream)
        modest.ask(21)
        self.assertEqual(modest.body(21), b'{"status":"ok"}')

    def test_floods_of_frames_that_ask_for_nothing(self):
        server = self.serve()
        frames = [(PING, 0, b"\0" * 8), (SETTINGS, 0, b""), (WINDOW_UPDATE, 0, b"\0\0\0\1"), (99, 0, b"")]
        for kind, flags, payload in frames:
            connection = self.connect(server)
            try:
                connection.send_bytes(connection.frame(kind, flags, 0, payload) * 10_000)
            except OSError:
                pass
            self.assertIn(GOAWAY, [frame.kind for frame in connection.read_to_end()])
        self.assertEqual(server.client.call("GET", "/health/live").status, 200)

    def test_the_streams_of_all_connections_are_bound_and_their_memory_comes_back(self):
        server = self.serve()
        before = self.resident(server)
        greedy = [self.connect(server) for _ in range(20)]
        for connection in greedy:
            frames = b""
            for stream in range(1, 200, 2):
                frames += connection.frame(HEADERS, END_HEADERS, stream, connection.header("POST", "/v1/signups"))
            connection.send_bytes(frames)
        refused = 0
        for connection in greedy:
            # Behind what the last stream is answered by.
            connection.send(PING, 0, 0, b"behind..")
            connection.read_until(lambda frame: frame.kind == SETTINGS and frame.flags & ACK)
            while (frame := connection.read()).kind != PING:
                if frame.kind == RST_STREAM:
                    self.assertEqual(frame.code, REFUSED_STREAM)
                    refused += 1
        # As many as there may be, and one of each connection that came too late for them.
        self.assertIn(2000 - refused, range(1000, 1020))
        # Others may ask as they do by HTTP/1.1, one request at a time.
        modest = self.connect(server)
        for stream in (1, 3, 5):
            modest.ask(stream)
            self.assertEqual(modest.body(stream), b'{"status":"ok"}')
        # 2,000 streams that were served would take some 60 MB.
        self.assertLess(self.resident(server) - before, 50)
        for connection in greedy:
            connection.close()
        wait_for(lambda: self.resident(server) - before < 15, "the memory to be given back", seconds=60)

    def resident(self, server):
        """The resident memory of the service, in MB."""
        with open(f"/proc/{server.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+) kB", status.read()).group(1)) / 1000

    def test_a_header_may_be_so_long(self):
        server = self.serve()
        connection = self.connect(server)
        connection.ask(1, fields=[("x", "a" * 1000)])
        self.assertEqual(connection.body(1), b'{"status":"ok"}')
        connection.ask(3, fields=[("x", "a" * 16_250)])
        connection.ask(5)
        self.assertIn(b'"header_too_large"', connection.body(3))
        self.assertEqual(connection.body(5), b'{"status":"ok"}')
        # The first request of a connection, which comes before the client has seen any settings.
        first = self.connect(server)
        block = first.header("GET", "/health/live", [("cookie", "a=" + "b" * 100_000)])
        parts = [block[start : start + 16_384] for start in range(0, len(block), 16_384)]
        for number, part in enumerate(parts):
            flags = (0 if number else END_STREAM) | (END_HEADERS if number == len(parts) - 1 else 0)
            first.send(CONTINUATION if number else HEADERS, flags, 1, part)
        self.assertIn(b'"header_too_large"', first.body(1))
        first.ask(3)
        self.assertEqual(first.body(3), b'{"status":"ok"}')
        endless = self.connect(server)
        endless.send(HEADERS, END_STREAM, 1, endless.header("GET", "/health/live"))
        try:
            for _ in range(1000):
                endless.send(CONTINUATION, 0, 1, literal("x", "a"))
        except OSError:
            pass
        self.assertEqual([frame for frame in endless.read_to_end() if frame.stream == 1], [])

    @unittest.skipUnless(FULL, "takes as long as a body and a response may")
    def test_a_stream_that_does_not_keep_time_is_reset_and_the_others_go_on(self):
        server = self.serve()
        slow = self.connect(server)
        slow.socket.settimeout(60)
        slow.ask(1, "POST", "/v1/signups", JSON, has_body=True)
        slow.send(DATA, 0, 1, b"{")
        reset = slow.read_until(lambda frame: frame.kind == RST_STREAM)
        self.assertEqual(reset.stream, 1)
        slow.ask(3)
        self.assertEqual(slow.body(3), b'{"status":"ok"}')
        # One who lets nothing be sent to him.
        deaf = self.connect(server, [(INITIAL_WINDOW_SIZE, 0)])
        deaf.socket.settimeout(60)
        deaf.ask(1)
        reset = deaf.read_until(lambda frame: frame.kind == RST_STREAM)
        self.assertEqual(reset.stream, 1)

    def test_a_connection_without_streams_ends(self):
        server = self.serve(SERVER_IDLE_TIMEOUT_SECONDS=1)
        connection = self.connect(server)
        connection.ask(1)
        self.assertEqual(connection.body(1), b'{"status":"ok"}')
        end = [frame.code for frame in connection.read_to_end() if frame.kind == GOAWAY]
        self.assertEqual(set(end), {NO_ERROR})

    def test_one_who_does_not_take_his_leave_is_left(self):
        server = self.serve(SERVER_IDLE_TIMEOUT_SECONDS=1)
        connection = self.connect(server)
        # No answer to the ping that asks whether he has heard.
        connection.socket.settimeout(30)
        received = b""
        while more := connection.socket.recv(65_536):
            received += more
        self.assertTrue(received)

    def test_of_clients_who_have_gone_nothing_stays(self):
        server = self.serve()
        folder = f"/proc/{server.process.pid}/fd"
        before = len(os.listdir(folder))
        for leave in [False, True]:
            connections = [self.connect(server) for _ in range(20)]
            for connection in connections:
                connection.ask(1)
                self.assertEqual(connection.body(1), b'{"status":"ok"}')
            # Files of the service's own come and go.
            self.assertGreaterEqual(len(os.listdir(folder)), before + 15)
            for connection in connections:
                if leave:
                    # Without waiting for the other side's.
                    connection.socket.setblocking(False)
                    with contextlib.suppress(ssl.SSLError):
                        connection.socket.unwrap()
                connection.close()
            # Long before anybody's time is over.
            wait_for(lambda: len(os.listdir(folder)) < before + 10, "the end of connections", seconds=20)

    def test_the_service_ends_with_what_is_under_way(self):
        server = self.serve()
        connection = self.connect(server)
        connection.ask(1, "POST", "/v1/signups", JSON, has_body=True)
        connection.ask(3)
        self.assertEqual(connection.body(3), b'{"status":"ok"}')
        server.process.send_signal(signal.SIGTERM)
        connection.read_until(lambda frame: frame.kind == GOAWAY)
        connection.send(DATA, END_STREAM, 1, b"{}")
        self.assertIn(b'"token"', connection.body(1))
        self.assertEqual(server.process.wait(timeout=30), 0)
        self.assertNotIn(" error ", server.log_text)
