"""HTTP/2 with clients that mean it ill: too many streams, too many of them called off, too slow, too large."""

import contextlib
import os
import re
import signal
import ssl
import struct
import unittest

import http2
from http2 import HTTP2Connection
from support import wait_for
from test_tls import ServedByTLS

JSON = [("content-type", "application/json")]


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
            self.assertIn(frame.kind, (http2.HEADERS, http2.DATA))
            if frame.kind == http2.DATA:
                bodies[frame.stream] += frame.payload
            if frame.is_end:
                ended.add(frame.stream)
        self.assertEqual(set(bodies.values()), {b'{"status":"ok"}'})

    def test_a_client_that_exceeds_the_stream_limit_is_disconnected(self):
        connection = self.connect(self.serve(SERVER_HTTP2_MAX_STREAMS=2))
        settings = connection.read_until(lambda frame: frame.kind == http2.SETTINGS and not frame.flags & http2.ACK)
        self.assertEqual(settings.settings[http2.MAX_CONCURRENT_STREAMS], 2)
        self.assertEqual(settings.settings[http2.MAX_HEADER_LIST_SIZE], 16_384)
        for stream in (1, 3):
            connection.ask(stream, "POST", "/v1/signups", JSON, has_body=True)
        connection.send(http2.DATA, http2.END_STREAM, 1, b"{}")
        self.assertIn(b'"token"', connection.body(1))
        for stream in (5, 7):
            connection.ask(stream, "POST", "/v1/signups", JSON, has_body=True)
        end = [frame for frame in connection.read_to_end() if frame.kind == http2.GOAWAY]
        self.assertEqual([frame.code for frame in end], [http2.PROTOCOL_ERROR])

    def test_a_request_that_is_none_ends_its_stream_alone(self):
        connection = self.connect(self.serve())
        connection.ask(1, "POST", "/v1/signups", JSON, has_body=True)
        for stream, fields in [(3, [("Upper", "a")]), (5, [("connection", "close")]), (7, [(":path", "/")])]:
            connection.ask(stream, fields=fields)
            reset = connection.read_until(lambda frame: frame.stream == stream)
            self.assertEqual((reset.kind, reset.code), (http2.RST_STREAM, http2.PROTOCOL_ERROR))
        connection.send(http2.DATA, http2.END_STREAM, 1, b"{}")
        self.assertIn(b'"token"', connection.body(1))

    def test_a_client_that_resets_too_many_streams_is_disconnected(self):
        server = self.serve(SERVER_HTTP2_MAX_STREAM_RESETS=20)
        connection = self.connect(server)
        frames = b""
        for stream in range(1, 200, 2):
            frames += connection.frame(http2.HEADERS, http2.END_HEADERS | http2.END_STREAM, stream,
                                       connection.header("GET", "/health/live"))
            frames += connection.frame(http2.RST_STREAM, 0, stream, struct.pack(">I", http2.CANCEL))
        connection.send_bytes(frames)
        end = [frame for frame in connection.read_to_end() if frame.kind == http2.GOAWAY]
        self.assertEqual([frame.code for frame in end], [http2.ENHANCE_YOUR_CALM])
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
        frames = [(http2.PING, 0, b"\0" * 8), (http2.SETTINGS, 0, b""), (http2.WINDOW_UPDATE, 0, b"\0\0\0\1"), (99, 0, b"")]
        for kind, flags, payload in frames:
            connection = self.connect(server)
            try:
                connection.send_bytes(connection.frame(kind, flags, 0, payload) * 10_000)
            except OSError:
                pass
            self.assertIn(http2.GOAWAY, [frame.kind for frame in connection.read_to_end()])
        self.assertEqual(server.client.call("GET", "/health/live").status, 200)

    def test_the_streams_of_all_connections_are_bound_and_their_memory_comes_back(self):
        server = self.serve(SERVER_HTTP2_MAX_OPEN_STREAMS=20)
        before = self.resident(server)
        greedy = [self.connect(server) for _ in range(20)]
        for connection in greedy:
            frames = b""
            for stream in range(1, 200, 2):
                frames += connection.frame(http2.HEADERS, http2.END_HEADERS, stream, connection.header("POST", "/v1/signups"))
            connection.send_bytes(frames)
        refused = 0
        for connection in greedy:
            # Behind what the last stream is answered by.
            connection.send(http2.PING, 0, 0, b"behind..")
            connection.read_until(lambda frame: frame.kind == http2.SETTINGS and frame.flags & http2.ACK)
            while (frame := connection.read()).kind != http2.PING:
                if frame.kind == http2.RST_STREAM:
                    self.assertEqual(frame.code, http2.REFUSED_STREAM)
                    refused += 1
        # As many as there may be, and one of each connection that came too late for them.
        self.assertIn(2000 - refused, range(20, 40))
        # Others may ask as they do by HTTP/1.1, one request at a time.
        modest = self.connect(server)
        for stream in (1, 3, 5):
            modest.ask(stream)
            self.assertEqual(modest.body(stream), b'{"status":"ok"}')
        # 2,000 streams that were served would take some 60 MB.
        self.assertLess(self.resident(server) - before, 40)
        for connection in greedy:
            connection.close()
        wait_for(lambda: self.resident(server) - before < 15, "the memory to be given back", seconds=60)

    def resident(self, server):
        """The resident memory of the service, in MB."""
        with open(f"/proc/{server.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+) kB", status.read()).group(1)) / 1000

    def test_a_header_may_be_so_long(self):
        server = self.serve(SERVER_MAX_HEADER_BYTES=2048)
        connection = self.connect(server)
        connection.ask(1, fields=[("x", "a" * 1000)])
        self.assertEqual(connection.body(1), b'{"status":"ok"}')
        connection.ask(3, fields=[("x", "a" * 3000)])
        self.assertEqual([frame for frame in connection.read_to_end() if frame.stream == 3], [])
        endless = self.connect(server)
        endless.send(http2.HEADERS, http2.END_STREAM, 1, endless.header("GET", "/health/live"))
        try:
            for _ in range(1000):
                endless.send(http2.CONTINUATION, 0, 1, http2.literal("x", "a"))
        except OSError:
            pass
        self.assertEqual([frame for frame in endless.read_to_end() if frame.stream == 1], [])

    def test_a_body_may_be_so_long_and_the_rest_is_not_wanted(self):
        connection = self.connect(self.serve(SERVER_MAX_BODY_BYTES=2048))
        connection.ask(1, "POST", "/v1/signups", JSON, has_body=True)
        connection.send(http2.DATA, 0, 1, b" " * 2049)
        self.assertIn(b'"body_too_large"', connection.body(1))
        reset = connection.read_until(lambda frame: frame.kind == http2.RST_STREAM)
        self.assertEqual((reset.stream, reset.code), (1, http2.NO_ERROR))
        connection.ask(3)
        self.assertEqual(connection.body(3), b'{"status":"ok"}')

    def test_a_stream_that_does_not_keep_time_is_reset_and_the_others_go_on(self):
        server = self.serve(SERVER_BODY_TIMEOUT_SECONDS=1, SERVER_WRITE_TIMEOUT_SECONDS=1)
        slow = self.connect(server)
        slow.ask(1, "POST", "/v1/signups", JSON, has_body=True)
        slow.send(http2.DATA, 0, 1, b"{")
        reset = slow.read_until(lambda frame: frame.kind == http2.RST_STREAM)
        self.assertEqual(reset.stream, 1)
        slow.ask(3)
        self.assertEqual(slow.body(3), b'{"status":"ok"}')
        # One who lets nothing be sent to him.
        deaf = self.connect(server, [(http2.INITIAL_WINDOW_SIZE, 0)])
        deaf.ask(1)
        reset = deaf.read_until(lambda frame: frame.kind == http2.RST_STREAM)
        self.assertEqual(reset.stream, 1)

    def test_a_connection_without_streams_ends(self):
        server = self.serve(SERVER_IDLE_TIMEOUT_SECONDS=1)
        connection = self.connect(server)
        connection.ask(1)
        self.assertEqual(connection.body(1), b'{"status":"ok"}')
        end = [frame.code for frame in connection.read_to_end() if frame.kind == http2.GOAWAY]
        self.assertEqual(set(end), {http2.NO_ERROR})

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
            self.assertGreaterEqual(len(os.listdir(folder)), before + 20)
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
        connection.read_until(lambda frame: frame.kind == http2.GOAWAY)
        connection.send(http2.DATA, http2.END_STREAM, 1, b"{}")
        self.assertIn(b'"token"', connection.body(1))
        self.assertEqual(server.process.wait(timeout=30), 0)
        self.assertNotIn(" error ", server.log_text)


if __name__ == "__main__":
    unittest.main()
