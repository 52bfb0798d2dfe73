"""The service by TLS: which versions it speaks, by whose name, and how that changes while it runs."""

import hashlib
import os
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import unittest

from certificates import make_authority, make_certificate, openssl
from support import FULL, Client, ServiceTestCase, beside, wait_for


class ServedByTLS(ServiceTestCase):
    @classmethod
    def setUpClass(cls):
        folder = cls.enter_for_all(tempfile.TemporaryDirectory())
        cls.authority = make_authority(folder, "authority")
        cls.first = make_certificate(folder, "localhost", cls.authority, "first")
        cls.second = make_certificate(folder, "localhost", cls.authority, "second")

    def setUp(self):
        super().setUp()
        self.certificate, self.key = f"{self.folder}/tls.crt", f"{self.folder}/tls.key"
        self.settings = {
            "SERVER_TLS_CERTIFICATE_FILE": self.certificate, "SERVER_TLS_KEY_FILE": self.key,
        }
        self.install(self.first)

    def install(self, pair):
        """Puts both files in the place of those that are there, each in one step."""
        for source, path in zip(pair, (self.certificate, self.key)):
            shutil.copy(source, f"{path}.new")
            os.chmod(f"{path}.new", 0o600)
            os.rename(f"{path}.new", path)

    def context(self):
        return ssl.create_default_context(cafile=self.authority)

    def serve(self, **settings):
        server = super().serve(**settings)
        server.client = Client(server.port, tls=self.context())
        return server

    def shown(self, server):
        """The fingerprint of the certificate that one who connects now is shown."""
        with socket.create_connection(("127.0.0.1", server.port), 30) as plain:
            with self.context().wrap_socket(plain, server_hostname="localhost") as connection:
                return hashlib.sha256(connection.getpeercert(binary_form=True)).hexdigest()

    def fingerprint(self, pair):
        with open(pair[0]) as file:
            return hashlib.sha256(ssl.PEM_cert_to_DER_cert(file.read())).hexdigest()


class TLSTests(ServedByTLS):
    def curl(self, server, *arguments, path="/health/live"):
        done = subprocess.run(
            ["curl", "-sS", "--cacert", self.authority, *arguments, f"https://localhost:{server.port}{path}"],
            capture_output=True, text=True, timeout=60,
        )
        return done.returncode, done.stdout, done.stderr

    def test_a_person_signs_up(self):
        server = self.serve()
        self.assertEqual(server.scheme, "https")
        client = server.client
        self.assertEqual(client.sign_up("01012345678").status, 201)
        self.assertEqual(client.call("POST", "/v1/signups").headers["Strict-Transport-Security"], "max-age=31536000")
        self.assertEqual(server.stop(), 0)
        self.assertNotIn(" error ", server.log_text)

    def test_what_is_spoken_is_agreed_on(self):
        server = self.serve(SERVER_TLS_HSTS_SECONDS=0)
        for option, version in [("--http1.1", "1.1"), ("--http2", "2"), ("--http1.0", "1.1")]:
            code, output, errors = self.curl(server, option, "-i", "-w", "\n%{http_version}")
            self.assertEqual((code, errors), (0, ""))
            self.assertTrue(output.endswith('{"status":"ok"}\n' + version), output)
            self.assertNotIn("strict-transport-security", output.lower())
        # Nothing was offered.
        self.assertEqual(self.curl(server, "--no-alpn", "-w", "\n%{http_version}")[1], '{"status":"ok"}\n1.1')

    def test_by_http2_it_is_the_same_service(self):
        server = self.serve()
        refused = server.client.call("GET", "/nothing")
        for option in ["--http1.1", "--http2"]:
            code, output, _ = self.curl(server, option, "-i", path="/nothing")
            head, _, body = output.replace("\r\n", "\n").partition("\n\n")
            fields = dict(line.lower().split(": ", 1) for line in head.split("\n")[1:])
            self.assertEqual((code, body), (0, refused.text))
            unlike = {"date", "x-request-id"}
            expected = {name.lower(): value.lower() for name, value in refused.headers.items()}
            self.assertEqual(
                {name: value for name, value in fields.items() if name not in unlike},
                {name: value for name, value in expected.items() if name not in unlike},
            )
            # Of a HEAD request all but the body.
            code, output, _ = self.curl(server, option, "-I")
            self.assertEqual(code, 0)
            self.assertIn("\ncontent-length: 15\n", output.lower().replace("\r\n", "\n"))
            # A body that is asked for, and one that is refused before it is sent.
            for size, status in [(2, "400"), (70_000, "413")]:
                expect = ["-H", "Expect: 100-continue", "-H", "Content-Type: application/json", "-v"]
                with open(f"{self.folder}/body", "wb") as file:
                    file.write(b"x" * size)
                code, output, log = self.curl(
                    server, option, "--data-binary", f"@{self.folder}/body", *expect, "-o", "/dev/null",
                    "-w", "%{http_code} %{size_upload}", path="/v1/signups",
                )
                self.assertEqual((code, output), (0, f"{status} {2 if size == 2 else 0}"))
                self.assertEqual(" 100" in log.split("< HTTP/", 1)[1].split("\n")[0], size == 2)

    def handshake(self, server, *arguments):
        done = subprocess.run(
            ["openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", "-CAfile", self.authority, *arguments],
            input="", capture_output=True, text=True, timeout=60,
        )
        return done.returncode, done.stdout + done.stderr

    def test_old_versions_and_weak_ciphers_are_refused(self):
        server = self.serve()
        for version in ["-tls1", "-tls1_1"]:
            code, text = self.handshake(server, version, "-cipher", "ALL:@SECLEVEL=0")
            # It is the server that refuses, not this machine's openssl.
            self.assertNotEqual(code, 0)
            self.assertIn("alert protocol version", text)
        ciphers = set()
        for version, listed in [("-tls1_2", "-cipher"), ("-tls1_3", "-ciphersuites")]:
            names = subprocess.run(
                ["openssl", "ciphers", "-s", version] + (["ALL:@SECLEVEL=0"] if version == "-tls1_2" else []),
                check=True, capture_output=True, text=True,
            ).stdout.strip().split(":")
            for name in names:
                level = ":@SECLEVEL=0" if version == "-tls1_2" else ""
                if self.handshake(server, version, listed, name + level)[0] == 0:
                    ciphers.add(name)
        self.assertEqual(
            ciphers,
            {
                "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305",
                "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256",
            },
        )

    def test_what_is_not_tls_is_not_served(self):
        server = self.serve()
        with socket.create_connection(("127.0.0.1", server.port), 30) as plain:
            plain.sendall(b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = plain.recv(4096)
        self.assertNotIn(b"HTTP/1.1 200", answer)
        self.assertEqual(server.client.call("GET", "/health/live").status, 200)

    @unittest.skipUnless(FULL, "takes as long as a handshake may")
    def test_who_does_not_shake_hands_in_time_is_cut_off(self):
        server = self.serve()
        silent = socket.create_connection(("127.0.0.1", server.port), 60)
        self.addCleanup(silent.close)
        slow = socket.create_connection(("127.0.0.1", server.port), 60)
        self.addCleanup(slow.close)
        slow.sendall(b"\x16\x03\x01")
        mute = self.context().wrap_socket(
            socket.create_connection(("127.0.0.1", server.port), 60), server_hostname="localhost"
        )
        self.addCleanup(mute.close)
        for connection in [silent, slow, mute]:
            self.assertEqual(connection.recv(1), b"")

    def test_who_has_not_shaken_hands_does_not_keep_it_from_ending(self):
        server = self.serve()
        silent = socket.create_connection(("127.0.0.1", server.port), 30)
        self.addCleanup(silent.close)
        slow = socket.create_connection(("127.0.0.1", server.port), 30)
        self.addCleanup(slow.close)
        slow.sendall(b"\x16\x03\x01")
        # It has accepted those before this one.
        self.assertEqual(server.client.call("GET", "/health/live").status, 200)
        server.process.send_signal(signal.SIGTERM)
        for connection in [silent, slow]:
            self.assertEqual(connection.recv(1), b"")
        self.assertEqual(server.process.wait(timeout=30), 0)
        self.assertNotIn("shutdown timed out", server.log_text)


class ReloadTests(ServedByTLS):
    """Another certificate, without a restart."""

    def test_on_sighup_those_who_connect_are_shown_the_new_one(self):
        server = self.serve()
        kept = server.client.connect()
        self.addCleanup(kept.close)
        kept.request("GET", "/health/live")
        self.assertEqual(kept.getresponse().read(), b'{"status":"ok"}')
        self.assertEqual(self.shown(server), self.fingerprint(self.first))
        self.install(self.second)
        server.process.send_signal(signal.SIGHUP)
        wait_for(lambda: self.shown(server) == self.fingerprint(self.second), "the new certificate")
        # Who was there before goes on.
        port = kept.sock.getsockname()
        kept.request("GET", "/health/live")
        self.assertEqual(kept.getresponse().read(), b'{"status":"ok"}')
        self.assertEqual(kept.sock.getsockname(), port)
        self.assertEqual(server.log_text.count("loaded the certificate"), 1)
        self.assertEqual(server.stop(), 0)

    def test_by_and_by_the_files_are_looked_at(self):
        server = self.serve()
        self.install(self.second)
        wait_for(lambda: self.shown(server) == self.fingerprint(self.second), "the new certificate")

    def test_what_will_not_do_is_not_taken_and_the_log_says_so_once(self):
        server = self.serve()

        def refusals(words):
            return [line for line in server.log_text.splitlines() if "the new certificate is invalid" in line and words in line]

        def write(path, text):
            with open(f"{path}.new", "w") as file:
                file.write(text)
            os.rename(f"{path}.new", path)

        for number, (change, words) in enumerate([
            (lambda: shutil.copy(self.second[1], self.key), "does not match the first certificate"),
            (lambda: write(self.certificate, "nothing"), "contains no readable certificate"),
            (lambda: (shutil.copy(self.first[0], self.certificate), write(self.key, "")), "contains no readable key"),
            (lambda: os.remove(self.key), "cannot read"),
        ]):
            change()
            server.process.send_signal(signal.SIGHUP)
            wait_for(lambda: refusals(words), f"the log of {words}")
            self.assertEqual(self.shown(server), self.fingerprint(self.first))
        self.install(self.second)
        server.process.send_signal(signal.SIGHUP)
        wait_for(lambda: self.shown(server) == self.fingerprint(self.second), "the new certificate")
        self.assertEqual(len(refusals("cannot read")), 1)
        self.assertNotIn("BEGIN", server.log_text)
        # Whoever asks is answered, though nothing has changed.
        write(self.key, "")
        wait_for(lambda: len(refusals("contains no readable key")) == 2, "the refusal")
        server.process.send_signal(signal.SIGHUP)
        wait_for(lambda: len(refusals("contains no readable key")) == 3, "the refusal")
        self.assertEqual(self.shown(server), self.fingerprint(self.second))

    def test_one_that_has_run_out_does_not_take_the_place_of_a_good_one(self):
        server = self.serve()
        old = make_certificate(self.folder, "localhost", self.authority, file="old", days=-1)
        self.install(old)
        server.process.send_signal(signal.SIGHUP)
        wait_for(lambda: "the new certificate is invalid" in server.log_text, "the refusal")
        self.assertIn("the certificate expired", server.log_text)
        self.assertEqual(self.shown(server), self.fingerprint(self.first))

    def test_a_pipe_in_place_of_a_file_is_not_waited_for(self):
        server = self.serve()
        os.remove(self.certificate)
        os.mkfifo(self.certificate)
        server.process.send_signal(signal.SIGHUP)
        wait_for(lambda: "the new certificate is invalid" in server.log_text, "the refusal")
        self.assertEqual(self.shown(server), self.fingerprint(self.first))
        self.assertEqual(server.stop(), 0)
        self.assertNotIn("shutdown timed out", server.log_text)

    def test_under_load_nobody_notices(self):
        server = self.serve()
        stop, failures, answers = threading.Event(), [], []

        def ask(is_kept):
            connection, seen = server.client.connect(), 0
            try:
                while not stop.is_set():
                    if not is_kept:
                        connection = server.client.connect()
                    connection.request("GET", "/health/live")
                    answer = connection.getresponse()
                    if (answer.status, answer.read()) != (200, b'{"status":"ok"}'):
                        failures.append(answer.status)
                    seen += 1
                    if not is_kept:
                        connection.close()
            except Exception as error:
                failures.append(error)
            answers.append(seen)

        self.addCleanup(stop.set)
        with beside(ask, [True, False] * 3):
            for turn in range(10):
                pair = [self.second, self.first][turn % 2]
                self.install(pair)
                server.process.send_signal(signal.SIGHUP)
                wait_for(lambda: self.shown(server) == self.fingerprint(pair), "the other certificate")
            stop.set()
        self.assertEqual(failures, [])
        self.assertTrue(all(count > 0 for count in answers), answers)
        print(f"{sum(answers)} requests while the certificate changed 10 times", flush=True)
        self.assertEqual(server.stop(), 0)


class SettingsTests(ServedByTLS):
    def assert_fails(self, words, **settings):
        """Does not serve."""
        self.assertIn(words, self.refused(78, "serve", "--port", "0", **settings))

    def test_files_that_will_not_do(self):
        self.assert_fails("SERVER_TLS_KEY_FILE", SERVER_TLS_KEY_FILE=None)
        self.assert_fails("SERVER_TLS_CERTIFICATE_FILE", SERVER_TLS_CERTIFICATE_FILE=None)
        self.assert_fails("cannot read /nowhere", SERVER_TLS_KEY_FILE="/nowhere")
        self.assert_fails("cannot read /nowhere", SERVER_TLS_CERTIFICATE_FILE="/nowhere")
        self.assert_fails("contains no readable certificate", SERVER_TLS_CERTIFICATE_FILE=self.key)
        self.assert_fails("contains no readable key", SERVER_TLS_KEY_FILE=self.certificate)
        self.assert_fails("does not match the first certificate", SERVER_TLS_KEY_FILE=self.second[1])
        openssl("ec", "-in", self.key, "-aes128", "-passout", "pass:word", "-out", f"{self.folder}/locked.key")
        locked = {"SERVER_TLS_KEY_FILE": f"{self.folder}/locked.key"}
        self.assert_fails("and not encrypted", **locked)
        code, output, _ = self.run_program("check-config", **locked)
        self.assertEqual((code, "and not encrypted" in output), (1, True), output)

    def check(self, **settings):
        return self.done("check-config", **settings)

    def test_what_is_in_force_and_what_is_doubtful(self):
        output = self.check()
        self.assertIn(f"tls       {self.certificate} until 20", output)
        self.assertNotIn(self.key, output)
        self.assertNotIn("can be read in transit", output)
        os.chmod(self.key, 0o644)
        self.assertIn(f"other users of this machine can access {self.key}", self.check())
        os.chmod(self.key, 0o640)
        self.assertNotIn("other users of this machine", self.check())
        expired = make_certificate(self.folder, "localhost", self.authority, "expired", days=-1)
        self.assertIn("the certificate expired at", self.check(SERVER_TLS_CERTIFICATE_FILE=expired[0], SERVER_TLS_KEY_FILE=expired[1]))
        plain = self.check(SERVER_TLS_CERTIFICATE_FILE=None, SERVER_TLS_KEY_FILE=None)
        self.assertIn("tls       none", plain)
