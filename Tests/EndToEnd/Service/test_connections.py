"""The service beset by clients that mean it ill: idle ones by the thousand, slow ones, ones that never read."""

import os
import re
import resource
import signal
import socket
import threading
import unittest

from support import FULL, ServiceTestCase, beside, read_to_end, wait_for

HEADER = b"POST /v1/signups HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n"
# A shell that lowers the soft limit, as many start with it, and becomes the program.
FEW_FILES = ("sh", "-c", 'ulimit -Sn 256 && exec "$@"', "sh")


class Beset(ServiceTestCase):
    def setUp(self):
        super().setUp()
        self.sockets = []
        self.addCleanup(lambda: [connection.close() for connection in self.sockets])

    def connect(self, server, first=b"", source="127.0.0.1"):
        connection = socket.socket()
        self.sockets.append(connection)
        connection.settimeout(30)
        connection.bind((source, 0))
        connection.connect(("127.0.0.1", server.port))
        if first:
            connection.sendall(first)
        connection.setblocking(False)
        return connection

    def never_read(self, server):
        """Asks and asks and reads no answer, until nothing more goes through."""
        connection = self.connect(server)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.ask_on(connection)
        return connection

    def ask_on(self, connection):
        """Whether the other side has closed it."""
        try:
            for _ in range(1000):
                connection.send(b"GET /inbox HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100)
            return False
        except BlockingIOError:
            return False
        except OSError:
            return True

    def drip(self, connections, byte=b"a"):
        """A byte for each. Gives those that are still open."""
        still = []
        for connection in connections:
            try:
                connection.send(byte)
                if not read_to_end(connection):
                    still.append(connection)
            except BlockingIOError:
                still.append(connection)
            except OSError:
                pass
        return still


class ConnectionTests(Beset):
    def test_thousands_of_idle_and_slow_clients_keep_nobody_from_signing_up(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        # One for us each, and one for the service; both have other files open as well.
        count = min(10_000 if FULL else 2_000, hard - 700)
        server = self.serve(prefix=FEW_FILES, SERVER_MAX_CONNECTIONS_PER_ADDRESS=20_000)
        for index in range(count - 600):
            self.connect(server, source=f"127.0.0.{1 + index // 5000}")
        heads = [self.connect(server, b"GET /he") for _ in range(250)]
        bodies = [self.connect(server, HEADER + b"\r\n") for _ in range(250)]
        ask = b"GET /inbox HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for _ in range(100):
            self.connect(server, ask * 20)
        self.assertEqual(len(self.sockets), count)
        files = f"/proc/{server.process.pid}/fd"
        wait_for(lambda: len(os.listdir(files)) > count * 9 // 10, "all connections")
        open_files = len(os.listdir(files))
        stop = threading.Event()

        def torment(_):
            ways = [(heads, b"GET /he"), (bodies, HEADER + b"\r\n")]
            while not stop.is_set():
                for way, first in ways:
                    # Who was cut off comes back.
                    still = self.drip(way)
                    way[:] = still + [self.connect(server, first) for _ in range(len(way) - len(still))]
                stop.wait(0.2)

        self.addCleanup(stop.set)
        with beside(torment, [None]):
            for index in range(10):
                self.assertEqual(server.client.sign_up(f"010{30_000_000 + index}").status, 201)
            self.assertEqual(server.client.call("GET", "/health/ready").status, 200)
            stop.set()
        self.assertEqual(server.stop(), 0)
        self.assertNotIn(" error ", server.log_text)
        print(f"10 signups while {open_files} files were open", flush=True)

    def test_memory_is_of_jemalloc(self):
        server = self.serve()
        self.assertEqual(server.client.sign_up("01030000000").status, 201)
        with open(f"/proc/{server.process.pid}/maps") as maps:
            mapped = maps.read()
        self.assertIn("/libjemalloc.so", mapped)
        # Whatever glibc itself hands out comes from there first.
        self.assertNotIn("[heap]", mapped)

    @unittest.skipUnless(FULL, "takes as long as a body and a response may")
    def test_who_does_not_keep_time_is_cut_off(self):
        server = self.serve()
        ways = {"head": [self.connect(server, b"GET /he")], "body": [self.connect(server, HEADER + b"\r\n")]}
        deaf = self.never_read(server)

        def all_cut_off():
            for way in ways:
                ways[way] = self.drip(ways[way])
            return not any(ways.values()) and self.ask_on(deaf)

        wait_for(all_cut_off, "the end of those who do not keep time", seconds=60)
        # Who was slow before has not spent what he has now.
        idle = self.connect(server)
        self.assertFalse(read_to_end(idle))
        idle.setblocking(True)
        for _ in range(3):
            idle.sendall(b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertTrue(idle.recv(4096).startswith(b"HTTP/1.1 200"))
        self.assertEqual(server.client.sign_up("01030000000").status, 201)

    def test_beyond_the_maximum_number_of_connections_the_next_one_waits(self):
        server = self.serve(SERVER_MAX_CONNECTIONS=5)
        held = [self.connect(server) for _ in range(5)]
        wait_for(lambda: self.connections_of(server) >= 5, "five connections")
        answer = []
        late = threading.Thread(target=lambda: answer.append(server.client.call("GET", "/health/live")))
        late.start()
        late.join(timeout=1)
        self.assertEqual((late.is_alive(), self.connections_of(server)), (True, 5))
        held[0].close()
        late.join(timeout=30)
        self.assertEqual(answer[0].status, 200)

    def test_beyond_the_maximum_per_address_further_connections_are_closed(self):
        server = self.serve(SERVER_MAX_CONNECTIONS_PER_ADDRESS=3)
        ask = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
        held = [self.connect(server, ask) for _ in range(3)]
        for connection in held:
            connection.setblocking(True)
            self.assertTrue(connection.recv(4096).startswith(b"HTTP/1.1 200"))
        for _ in range(3):
            refused = self.connect(server)
            wait_for(lambda: read_to_end(refused), "the end of the connection")
        other = self.connect(server, ask, source="127.0.0.2")
        other.setblocking(True)
        self.assertTrue(other.recv(4096).startswith(b"HTTP/1.1 200"))
        # One who goes makes room for the next.
        held[0].close()
        wait_for(lambda: self.is_served(server, ask), "room")
        self.assertNotIn(" error ", server.log_text)
        # Behind a proxy that is named all are served.
        server.close()
        server = self.serve(SERVER_MAX_CONNECTIONS_PER_ADDRESS=3, SERVER_TRUSTED_PROXIES="127.0.0.1")
        for _ in range(10):
            connection = self.connect(server, ask)
            connection.setblocking(True)
            self.assertTrue(connection.recv(4096).startswith(b"HTTP/1.1 200"))

    def is_served(self, server, ask):
        connection = self.connect(server, ask)
        connection.setblocking(True)
        try:
            return connection.recv(4096).startswith(b"HTTP/1.1 200")
        except OSError:
            return False

    def connections_of(self, server):
        folder = f"/proc/{server.process.pid}/fd"
        links = []
        for name in os.listdir(folder):
            try:
                links.append(os.readlink(f"{folder}/{name}"))
            except FileNotFoundError:
                pass
        # One of the sockets is the one that it listens on.
        return sum(link.startswith("socket:") for link in links) - 1

    def test_without_descriptors_it_serves_those_it_has_and_recovers(self):
        server = self.serve()
        kept = self.connect(server, b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        kept.setblocking(True)
        self.assertTrue(kept.recv(4096).startswith(b"HTTP/1.1 200"))
        pid = server.process.pid
        _, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (max(map(int, os.listdir(f"/proc/{pid}/fd"))) + 3, hard))
        crowd = [self.connect(server) for _ in range(50)]
        for _ in range(20):
            kept.sendall(b"POST /v1/signups HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
            self.assertTrue(kept.recv(4096).startswith(b"HTTP/1.1 201"))
        for connection in crowd:
            connection.close()
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (hard, hard))
        self.assertEqual(server.client.sign_up("01030000000").status, 201)
        self.assertEqual(server.stop(), 0)


class LimitTests(Beset):
    """What one request and one connection may take up."""

    def ask(self, server, text):
        """Sends it, and gives all that comes until the other side hangs up."""
        connection = self.connect(server, text)
        connection.setblocking(True)
        received = b""
        while more := connection.recv(65_536):
            received += more
        return received

    def test_a_header_and_a_body_may_be_so_long(self):
        server = self.serve(SERVER_MAX_BODY_BYTES=1024)
        for size, status in [(16_000, b"200 OK"), (16_384, b"431 Request Header Fields Too Large")]:
            head = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX: " + b"a" * size
            answer = self.ask(server, head + b"\r\n\r\n")
            self.assertTrue(answer.startswith(b"HTTP/1.1 " + status), answer)
            self.assertIn(b"\r\nConnection: close\r\n", answer)
        self.assertEqual(server.client.call("POST", "/v1/signups", "{}" + " " * 1022).status, 201)
        refused = server.client.call("POST", "/v1/signups", "{}" + " " * 1023)
        self.assertEqual((refused.status, refused.json["code"]), (413, "body_too_large"))
        self.assertEqual(refused.headers["Connection"], "close")
        # One who does not say beforehand how long it is.
        chunk = b"400\r\n" + b" " * 1024 + b"\r\n"
        head = (
            b"POST /v1/signups HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        self.assertTrue(self.ask(server, head + chunk * 1000).startswith(b"HTTP/1.1 413 "))

    def test_an_endless_body_is_not_read_to_its_end(self):
        server = self.serve()
        endless = self.connect(server, HEADER.replace(b"60000", b"1000000000000") + b"\r\n")
        # Long before the time for a body is over.
        wait_for(lambda: self.drip([endless], b" " * 65_536) == [], "the end of its connection", seconds=20)

    def test_who_has_no_more_to_say_is_cut_off(self):
        server = self.serve(SERVER_IDLE_TIMEOUT_SECONDS=1)
        served = self.connect(server, b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        silent = self.connect(server)
        wait_for(lambda: read_to_end(served), "the end of one who says nothing more")
        self.assertFalse(read_to_end(silent))

    def test_requests_that_wait_for_others_are_answered_all_the_same(self):
        server = self.serve()
        ask = "GET /v1/phone-numbers/{}?region=KR HTTP/1.1\r\nHost: localhost\r\n{}\r\n"
        numbers = [f"010{index:08}" for index in range(2000)]
        text = "".join(ask.format(number, "") for number in numbers[:-1]) + ask.format(numbers[-1], "Connection: close\r\n")
        connection = self.connect(server)
        connection.setblocking(True)
        sender = threading.Thread(target=connection.sendall, args=(text.encode(),))
        sender.start()
        received = b""
        while more := connection.recv(65_536):
            received += more
        sender.join()
        self.assertEqual(re.findall(r'"input":"(\d+)"', received.decode()), numbers)


class EndTests(Beset):
    """How it ends, with clients that would rather it did not."""

    def beset(self, server):
        connections = [self.connect(server), self.connect(server, b"GET /he")]
        connections += [self.connect(server, HEADER + b"\r\n"), self.never_read(server)]
        self.assertEqual(server.client.call("GET", "/health/live").status, 200)
        return connections

    def test_rogue_clients_do_not_keep_it_from_ending(self):
        # Their own time is longer than the program has to end.
        server = self.serve()
        _, heads, bodies, deaf = self.beset(server)
        server.process.send_signal(signal.SIGTERM)

        def has_ended():
            self.drip([heads, bodies])
            self.ask_on(deaf)
            return server.process.poll() is not None

        wait_for(has_ended, "the end")
        self.assertEqual(server.process.returncode, 0)
        self.assertNotIn(" error ", server.log_text)

    def test_a_second_signal_ends_immediately(self):
        for first, second in [(signal.SIGTERM, signal.SIGTERM), (signal.SIGTERM, signal.SIGINT)]:
            server = self.serve()
            idle = self.beset(server)[0]
            server.process.send_signal(first)
            wait_for(lambda: read_to_end(idle), "its beginning to end")
            server.process.send_signal(second)
            self.assertEqual(server.process.wait(timeout=30), 128 + second)
