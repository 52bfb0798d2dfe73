"""A service manager keeps the listening socket, as systemd does, and restarts the service under load."""

import contextlib
import http.client
import os
import signal
import socket
import ssl
import subprocess
import threading
import time

from certificates import make_authority, make_certificate
from support import PROGRAM, Client, ServiceTestCase, beside, environment, wait_for

# What systemd does between fork and exec: the socket becomes descriptor 3, and the process is named.
SHELL = 'eval "exec 3<&$0"; exec env LISTEN_PID="${PID_OF_ANOTHER:-$$}" LISTEN_FDS="$COUNT" LISTEN_FDNAMES=http "$@"'


class Manager:
    """Has the socket open for as long as it lives, and runs one service after another on it."""

    def __init__(self, folder, address="127.0.0.1", **settings):
        self.folder, self.settings = folder, {"SERVER_INSECURE_NO_KEYS": "true", "LIMITS_ENABLED": "false", **settings}
        self.socket = socket.create_server((address, 0), backlog=4096)
        self.port = self.socket.getsockname()[1]
        self.process = None

    def start(self, descriptor=None, count=1, **variables):
        descriptor = self.socket.fileno() if descriptor is None else descriptor
        self.process = subprocess.Popen(
            ["bash", "-c", SHELL, str(descriptor), PROGRAM, "serve"], pass_fds=[descriptor], cwd=self.folder, text=True,
            stdout=subprocess.PIPE, stderr=open(f"{self.folder}/log", "a"),
            env=environment(self.folder, {"COUNT": str(count), **variables}, **self.settings),
        )
        return self.process.stdout.readline()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=40)
        self.process.stdout.close()
        return code

    def close(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.socket.close()


class SocketTests(ServiceTestCase):
    def manager(self, *arguments, **settings):
        manager = Manager(self.folder, *arguments, **settings)
        self.addCleanup(manager.close)
        return manager

    def assert_refused(self, manager, *words, **start):
        self.assertEqual(manager.start(**start), "")
        self.assertEqual(manager.process.wait(timeout=30), 78)
        manager.process.stdout.close()
        with open(f"{self.folder}/log") as log:
            line = log.read().splitlines()[-1]
        for word in words:
            self.assertIn(word, line)

    def restart_under_load(self, manager, tls=None):
        """Restarts the service while clients connect all the time; gives how many calls went well, and what did not."""
        client, stop, lock = Client(manager.port, tls=tls), threading.Event(), threading.Lock()
        done, failed = [], []

        def work(worker):
            turn = 0
            while not stop.is_set():
                turn += 1
                try:
                    answer = client.begin(f"0102{worker}{turn:06d}")
                    result = answer.status
                except (OSError, http.client.HTTPException) as error:
                    result = repr(error)
                with lock:
                    (done if result == 201 else failed).append(result)

        ready = manager.start()
        with beside(work, range(4)):
            for _ in range(4):
                before = len(done)
                wait_for(lambda: len(done) >= before + 30 or failed, "thirty calls")
                self.assertEqual(manager.stop(), 0)
                # Nobody listens now, and clients connect all the same.
                with socket.create_connection(("127.0.0.1", manager.port), timeout=5):
                    pass
                self.assertEqual(manager.start(), ready)
            before = len(done)
            wait_for(lambda: len(done) >= before + 30 or failed, "thirty calls")
            stop.set()
        self.assertEqual(manager.stop(), 0)
        return done, failed

    def test_no_call_is_refused_or_fails_while_it_restarts(self):
        done, failed = self.restart_under_load(self.manager())
        self.assertEqual(failed, [])
        self.assertGreaterEqual(len(done), 150)

    def test_nor_by_tls(self):
        authority = make_authority(self.folder, "authority")
        certificate, key = make_certificate(self.folder, "service", authority)
        manager = self.manager(SERVER_TLS_CERTIFICATE_FILE=certificate, SERVER_TLS_KEY_FILE=key)
        done, failed = self.restart_under_load(manager, ssl._create_unverified_context())
        self.assertEqual(failed, [])
        self.assertGreaterEqual(len(done), 150)

    def test_it_serves_at_the_address_of_the_socket_and_no_child_gets_it(self):
        manager = self.manager()
        self.assertEqual(manager.start(), f"PhoneProof is ready at http://127.0.0.1:{manager.port}\n")
        answer = Client(manager.port).call("GET", "/health/ready")
        self.assertEqual(answer.status, 200)
        self.assertRegex(answer.headers["Date"], r"^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$")
        with open(f"/proc/{manager.process.pid}/fdinfo/3") as file:
            flags = next(int(line.split()[1], 8) for line in file if line.startswith("flags:"))
        self.assertTrue(flags & os.O_CLOEXEC)
        # A connection without a request does not keep it from ending.
        with socket.create_connection(("127.0.0.1", manager.port)):
            start = time.monotonic()
            self.assertEqual(manager.stop(), 0)
            self.assertLess(time.monotonic() - start, 8)

    def test_a_socket_of_another_process_is_not_its_own(self):
        manager = self.manager(SERVER_PORT=0)
        ready = manager.start(PID_OF_ANOTHER="1")
        self.assertRegex(ready, r"^PhoneProof is ready at http://127\.0\.0\.1:\d+\n$")
        self.assertNotIn(f":{manager.port}\n", ready)
        self.assertEqual(manager.stop(), 0)

    def test_what_is_no_listening_socket_is_refused(self):
        manager = self.manager()
        reading, writing = os.pipe()
        with contextlib.closing(socket.socket()) as unbound:
            self.assert_refused(manager, "ListenStream and Accept=no", descriptor=reading)
            self.assert_refused(manager, "ListenStream and Accept=no", descriptor=unbound.fileno())
        self.assert_refused(manager, "passes 2 sockets (http)", "one ListenStream", count=2)
        self.assert_refused(manager, "LISTEN_FDS is many", count="many")
        os.close(reading)
        os.close(writing)

    def test_the_address_of_the_socket_is_what_is_judged_as_safe(self):
        manager = self.manager("0.0.0.0", SERVER_INSECURE_NO_KEYS=None)
        self.assert_refused(manager, "the SMS stub shows every code to anyone who can reach 0.0.0.0")
