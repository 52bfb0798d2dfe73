"""The HTTP service as a client sees it: a real process, real sockets, real time."""

import contextlib
import http.client
import os
import re
import signal
import socket
import sqlite3
import stat
import struct

from support import ServiceTestCase, free_port, other_than, run, wait_for


class ProofTests(ServiceTestCase):
    """A number is proven, by a person and for a server. Over PostgreSQL as well: test_postgresql.py."""

    def test_a_person_signs_up(self):
        client = self.serve().client
        path, token = client.begin_signup(locale="ko")
        sent = client.call("POST", f"{path}/send", {"phone_text": "01012345678"}, token)
        self.assertEqual((sent.status, sent.text and sent.json["state"]["is_code_field_hidden"]), (202, False), sent.text)
        done = client.enter_code(path, token, client.code("+821012345678"))
        self.assertEqual(done.status, 201, done.text)
        self.assertEqual(done.json["account"]["phone_number"], "+821012345678")
        self.assertIs(done.json["account"]["is_new"], True)
        again = client.call("GET", path, token=token)
        self.assertEqual(again.json["account"], done.json["account"])

    def test_a_server_verifies(self):
        client = self.serve().client
        begun = client.begin("010-1234-5678")
        self.assertEqual(begun.status, 201)
        path = f"/v1/verifications/{begun.json['id']}"
        code = client.code("+821012345678")
        wrong = other_than(code)
        refused = client.call("POST", f"{path}/checks", {"code": wrong})
        self.assertEqual((refused.status, refused.json["code"], refused.json["checks_left"]), (422, "code_incorrect", 4))
        approved = client.call("POST", f"{path}/checks", {"code": code})
        self.assertEqual((approved.status, approved.json["status"]), (200, "approved"))
        repeated = client.call("POST", f"{path}/checks", {"code": code})
        self.assertEqual((repeated.status, repeated.json["status"]), (200, "approved"))
        for other in [wrong, code]:
            closed = client.call("POST", f"{path}/checks", {"code": other})
            self.assertEqual((closed.status, closed.json["code"]), (409, "verification_closed"))

    def test_no_code_and_no_number_is_at_rest_or_in_the_log(self):
        server = self.serve(LOG_LEVEL="trace")
        server.client.sign_up("01012345678")
        codes = [re.search(r"\d{6}", body).group() for body in server.client.messages("+821012345678")]
        self.assertEqual(server.stop(), 0)
        log = server.log_text
        self.assertIn("answered", log)
        for secret in [*codes, "1012345678", "010-1234-5678"]:
            self.assertNotIn(secret, re.sub(r"\d{4}-\d\d-\d\dT\S+|[0-9a-f]{32}", "", log))
        for code in codes:
            self.assertNotIn(code.encode(), self.values_at_rest())

    def values_at_rest(self):
        """Every value of every table, as bytes."""
        values = set()
        with contextlib.closing(sqlite3.connect(f"{self.folder}/phoneproof.sqlite")) as database:
            for (table,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
                for row in database.execute(f"SELECT * FROM {table}").fetchall():
                    values |= {value if isinstance(value, bytes) else str(value).encode() for value in row}
        self.assertIn(b"+821012345678", values)
        return values


class ServiceTests(ServiceTestCase):
    def test_the_first_ten_minutes(self):
        # As a newcomer starts it, on a port of its own.
        console, metrics = free_port(), free_port()
        server = self.serve(SERVER_INSECURE_NO_KEYS=None, CONSOLE_PORT=console, METRICS_PORT=metrics)
        url = server.url
        hints = [server.process.stdout.readline() for _ in range(6)]
        self.assertEqual(hints[:5], [
            f"  Start page:       {url}/\n", f"  Messages sent:    {url}/inbox\n", f"  API description:  {url}/docs\n",
            f"  Console:          http://127.0.0.1:{console}/\n", f"  Metrics:          http://127.0.0.1:{metrics}/metrics\n",
        ])
        self.assertRegex(hints[5], r"^  Create API key:   \S*phoneproof keys create --name my-app\n$")
        command = hints[5].split(":   ")[1].split()
        self.assertIn(f"create one with `{' '.join(command)}`", server.log_text)
        out = self.run_program(*command[1:])[1]
        key = re.search(r"pk_\S+", out).group()
        client = server.client
        for path in ["/", "/inbox", "/docs"]:
            page = client.call("GET", path)
            self.assertEqual((page.status, page.headers["Content-Type"]), (200, "text/html; charset=utf-8"))
        begun = client.begin("+12125550123", key)
        self.assertEqual(begun.status, 201, begun.text)
        self.assertEqual((begun.json["expires_in"], begun.json["next_send_in"]), (600, 30))
        for origin, allowed in [("http://localhost:5173", "http://localhost:5173"), ("https://shop.example", None)]:
            begun = client.call("POST", "/v1/signups", {}, Origin=origin)
            self.assertEqual((begun.status, begun.headers["Access-Control-Allow-Origin"]), (201, allowed))
        self.assertEqual(server.stop(), 0)
        self.assertIn("server.cors.origins", server.log_text)
        self.assertNotIn("/inbox", server.log_text)
        self.assertIn("/docs", server.log_text)

    def test_the_same_behind_a_proxy_is_closed(self):
        server = self.serve(SERVER_TRUSTED_PROXIES="127.0.0.1")
        refused = server.client.begin("+12125550123", **{"Accept-Language": "sv, ko-KR;q=0.5, en;q=0.1"})
        self.assertEqual((refused.status, refused.json["allowed_regions"]), (403, ["KR"]))
        self.assertEqual(refused.json["message"], "미국 번호로는 인증번호를 보낼 수 없습니다. 대한민국 번호를 입력해 주세요.")
        self.assertIn("verification.allowed_regions", server.log_text)
        begun = server.client.call("POST", "/v1/signups", {}, Origin="http://localhost:5173")
        self.assertIsNone(begun.headers["Access-Control-Allow-Origin"])

    def test_files_are_for_their_owner_alone(self):
        server = self.serve()
        server.client.call("POST", "/v1/signups", {})
        for name in ["phoneproof.sqlite", "phoneproof.keys"]:
            self.assertEqual(stat.S_IMODE(os.stat(f"{self.folder}/{name}").st_mode), 0o600, name)

    def test_the_inbox_is_live_and_does_not_delay_the_end(self):
        server = self.serve()
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        self.addCleanup(connection.close)
        connection.request("GET", "/inbox/events", headers={"Accept-Language": "en"})
        response = connection.getresponse()
        self.assertEqual((response.status, response.headers["Content-Type"]), (200, "text/event-stream"))
        self.assertEqual([response.readline(), response.readline()], [b"data: <p>No messages yet.</p>\n", b"\n"])
        server.client.sign_up("01012345678")
        self.assertEqual(response.readline(), b"data: <ol>\n")
        event = b"".join(iter(response.readline, b"\n"))
        self.assertIn(b"To +82 10-1234-5678", event)
        server.process.send_signal(signal.SIGTERM)
        # Its end is that of the response, and not a connection that was cut.
        response.read()
        self.assertEqual(server.process.wait(timeout=40), 0)

    def test_a_port_in_use_is_said_in_one_line(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            code, out, err = run("serve", "--port", str(taken.getsockname()[1]))
        self.assertEqual((code, out), (69, ""))
        self.assertRegex(err.splitlines()[-1], r"^phoneproof: cannot listen on 127\.0\.0\.1:\d+: ")

    def test_a_name_that_looks_like_loopback_is_none(self):
        self.assertEqual(run("serve", "--host", "127.evil.invalid", "--port", "0")[0], 78)

    def test_the_stub_is_not_served_to_the_world_unasked(self):
        code, out, err = run("serve", "--host", "0.0.0.0", "--port", "0")
        self.assertEqual((code, out), (78, ""))
        self.assertIn("sms.stub.allow_remote", err)
        self.assertEqual(len(err.splitlines()), 1)

    def test_who_resets_the_connection_before_it_is_taken_up_escapes_no_limit(self):
        # The system may no longer know that one's address then, and a limit by address would not know it either.
        server = self.serve(LIMITS_ADDRESS_SIGNUPS="1/1h")
        os.kill(server.process.pid, signal.SIGSTOP)
        os.waitpid(server.process.pid, os.WUNTRACED)
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", server.port)) as connection:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                connection.sendall(b"POST /v1/signups HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: reset\r\n\r\n")
        os.kill(server.process.pid, signal.SIGCONT)
        statuses = lambda: re.findall(r"http\.status=(\d+)", "\n".join(re.findall(r".*id=reset .*", server.log_text)))
        wait_for(lambda: statuses(), "a line in the log")
        last = server.client.call("POST", "/v1/signups").status
        served = statuses().count("201") + (last == 201)
        self.assertEqual(served, 1, statuses())
        self.assertLessEqual(set(statuses()), {"201", "400", "429"})
