"""The doctor finds what is wrong with a service and its machine, and changes nothing."""

import contextlib
import json
import os
import socket
import sqlite3
import subprocess

from certificates import make_authority, make_certificate
from peer import Peer
from support import PROGRAM, Server, ServiceTestCase, environment

HTTP = {
    "SMS_GATEWAY": "http", "SMS_HTTP_BODY": '{"to": "{{to}}", "text": "{{body}}"}', "SMS_HTTP_ANSWER_SUCCESS_POINTER": "/ok",
    "SMS_HTTP_ANSWER_SUCCESS_VALUES": "yes",
}


class DoctorTests(ServiceTestCase):
    def examine(self, expected=0, **settings):
        """What is found of each subject, by the JSON."""
        code, out, err = self.run_program("doctor", "--json", **settings)
        self.assertEqual((code, err), (expected, ""), out)
        result = json.loads(out)
        self.assertEqual(result["is_ok"], code == 0)
        found = {}
        for finding in result["findings"]:
            found.setdefault(finding["subject"], []).append(finding)
        return found

    def assert_found(self, findings, verdict, *words):
        """One of the findings is this."""
        fitting = [f for f in findings if f["verdict"] == verdict and all(w in f"{f['text']}; {f['advice']}" for w in words)]
        self.assertEqual(len(fitting), 1, findings)

    def files(self):
        return {name: os.stat(f"{self.folder}/{name}").st_mtime_ns for name in os.listdir(self.folder)
                if not name.endswith(("-wal", "-shm", "log"))}

    def test_of_a_service_that_runs_all_is_fine_and_nothing_is_changed(self):
        with Server(self.folder) as server:
            before = self.files()
            found = self.examine(SERVER_INSECURE_NO_KEYS="true")
            self.assertEqual(self.files(), before)
            self.assertEqual(server.client.call("GET", "/health/ready").status, 200)
            self.assert_found(found["server"], "ok", f"process {server.process.pid} has")
            self.assert_found(found["database"], "ok", "current schema", "can be read")
            self.assert_found(found["keys"], "ok", "1 key, last changed on 20")
            self.assert_found(found["instances"], "ok", f" process {server.process.pid}, 0.1.0, since 20")
            self.assertRegex(found["flush"][0]["text"], r"^\d+\.\d\d ms, at most \d+\.\d\d ms \(20 tries\): \d+ commits a second")
            self.assertRegex(found["disk"][0]["text"], rf"^\d+ MB free in {self.folder}/?, \d+ %$")
            self.assertIn(found["clock"][0]["verdict"], ["ok", "warning"])
            self.assert_found(found["settings"], "warning", "no message leaves this service")
            self.assertEqual(server.stop(), 0)
        out = self.done("doctor")
        self.assertRegex(out, rf"(?m)^✔ server      none has {self.folder}/phoneproof.sqlite open$")
        self.assertRegex(out, r"(?m)^! instances   no instance is running; start the service, or see its log")
        self.assertIn("\n! settings    no message leaves this service", "\n" + out)
        self.assertIn("+ server", self.run_program("doctor", variables={"LC_ALL": "C"})[1])

    def test_before_the_first_start_it_makes_nothing(self):
        found = self.examine()
        self.assert_found(found["database"], "ok", "none at", "first start")
        self.assert_found(found["keys"], "ok", "none at")
        self.assertEqual(os.listdir(self.folder), [])

    def test_settings_that_do_not_start_are_what_check_config_says(self):
        self.assert_found(self.examine(1, SERVER_PORT="many")["settings"], "error", "server.port")
        found = self.examine(1, SERVER_HOST="0.0.0.0")
        self.assert_found(found["settings"], "error", "the SMS stub shows every code")

    def test_keys_that_others_can_read_or_that_belong_to_another(self):
        self.run_program("migrate")
        self.run_program("keys", "make")
        keys = f"{self.folder}/phoneproof.keys"
        os.chmod(keys, 0o644)
        self.assert_found(self.examine(1)["settings"], "error", "mode 0644", "chmod 600")
        os.chmod(keys, 0o600)
        if os.geteuid() == 0:
            os.chown(keys, 65534, -1)
            self.assert_found(self.examine(1)["keys"], "error", "belongs to user 65534", f"chown 0 {keys}")

    def test_a_database_of_another_version_or_that_is_damaged(self):
        self.run_program("migrate")
        path = f"{self.folder}/phoneproof.sqlite"
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.execute("PRAGMA user_version = 0")
        self.assert_found(self.examine()["database"], "warning", "older schema", "`phoneproof backup`")
        self.assert_found(self.examine(1, DATABASE_MIGRATE="false")["database"], "error", "older schema")
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.execute("PRAGMA user_version = 99")
        self.assert_found(self.examine(1)["database"], "error", "newer version")
        with open(path, "r+b") as file:
            file.write(b"no database at all" * 10)
        self.assert_found(self.examine(1)["database"], "error", "not a database")
        found = self.examine(1, DATABASE_URL="postgresql://127.0.0.1:1/nothing", KEYS_FILE=f"{self.folder}/keys")
        self.assert_found(found["database"], "error", "check that it is running")

    def test_a_certificate_near_its_end_or_of_another_key(self):
        authority = make_authority(self.folder, "authority")

        def tls(name, days):
            certificate, key = make_certificate(self.folder, name, authority, days=days)
            return {"SERVER_TLS_CERTIFICATE_FILE": certificate, "SERVER_TLS_KEY_FILE": key}

        good = tls("good", 60)
        self.assert_found(self.examine(**good)["certificate"], "ok", "matches its key", "for 59 days")
        soon = self.examine(**tls("soon", 3))
        self.assert_found(soon["certificate"], "warning", "matches its key", "for 2 days", "was not renewed")
        ended = self.examine(1, **tls("ended", -1))
        self.assert_found(ended["certificate"], "error", "expired", "renew it")
        self.assertNotIn("expired", str(ended["settings"]))
        mixed = {**good, "SERVER_TLS_KEY_FILE": tls("other", 60)["SERVER_TLS_KEY_FILE"]}
        self.assert_found(self.examine(1, **mixed)["settings"], "error", "does not match the first certificate")

    def test_gateways_are_reached_and_sent_nothing(self):
        vendor = self.enter(Peer(lambda request: 404))
        found = self.examine(**HTTP, SMS_HTTP_URL=f"{vendor.url}/send?secret=1")
        self.assert_found(found["http"], "ok", f"{vendor.url} answers in")
        self.assertEqual([(request.method, request.path) for request in vendor.requests], [("HEAD", "/")])
        with socket.create_server(("127.0.0.1", 0)) as closed:
            port = closed.getsockname()[1]
        found = self.examine(1, **HTTP, SMS_HTTP_URL=f"http://127.0.0.1:{port}/send")
        self.assert_found(found["http"], "error", "cannot be reached", "firewall")
        found = self.examine(1, **HTTP, SMS_HTTP_URL="https://sms.example.invalid/send")
        self.assertEqual(found["http"][0]["verdict"], "error")
        # It speaks no TLS.
        found = self.examine(1, **HTTP, SMS_HTTP_URL=f"https://127.0.0.1:{vendor.port}/send")
        self.assert_found(found["http"], "error", "cannot be reached")

    def test_too_few_open_files(self):
        done = subprocess.run(
            ["prlimit", "--nofile=300:300", PROGRAM, "doctor"], capture_output=True, text=True, cwd=self.folder,
            env=environment(self.folder),
        )
        self.assertIn("! open files  room for 172 connections, where server.max_connections is", done.stdout)
        self.assertEqual(done.returncode, 0)

    def test_a_disk_that_is_nearly_full(self):
        disk, prefix = self.small_disk("20m")
        done = subprocess.run(
            [*prefix, PROGRAM, "doctor"], capture_output=True, text=True, cwd=self.folder,
            env=environment(self.folder, DATABASE_URL=f"sqlite:{disk}/phoneproof.sqlite"),
        )
        self.assertRegex(done.stdout, r"(?m)^✗ disk        \d+ MB free in .*; make room")
        self.assertEqual(done.returncode, 1)


class LiveTests(ServiceTestCase):
    """The health check of a container."""

    def test_it_asks_a_running_service_and_no_more(self):
        with Server(self.folder) as server:
            url = f"http://127.0.0.1:{server.port}"
            # Settings that would not start are of no interest.
            code, out, err = self.run_program("doctor", "--live", url, SERVER_PORT="many")
            self.assertEqual((code, out, err), (0, f"{url} is ready.\n", ""))
            os.rename(f"{self.folder}/phoneproof.sqlite", f"{self.folder}/away")
            code, out, err = self.run_program("doctor", "--live", url)
            self.assertEqual((code, out, err), (1, "", f"phoneproof: {url}: it is not ready (status 503); its log says why\n"))
            server.kill()
        self.assertIn("no response", self.refused(1, "doctor", "--live", url))
        self.assertEqual(self.run_program("doctor", "--live", "nowhere")[0], 64)

    def test_it_asks_by_tls(self):
        certificate, key = make_certificate(self.folder, "service", make_authority(self.folder, "authority"))
        with Server(self.folder, SERVER_TLS_CERTIFICATE_FILE=certificate, SERVER_TLS_KEY_FILE=key) as server:
            url = f"https://127.0.0.1:{server.port}"
            self.assertEqual(self.run_program("doctor", "--live", url)[:2], (0, f"{url} is ready.\n"))
