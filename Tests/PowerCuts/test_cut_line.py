"""The line between the service and PostgreSQL, cut, stalled or delayed after any byte, within COMMIT and its answer too.

What is not known is answered as not known (503), in time; and the repetition with its Idempotency-Key finds the truth: one
verification, one message, one wrong code that counts, one approval.
"""

import contextlib
import itertools
import socket
import sys
import threading
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).resolve().parents[1] / "EndToEnd")]
from postgresql import PostgreSQL  # noqa: E402
from support import FULL, ServiceTestCase, other_than, wait_for  # noqa: E402

WAIT, PATIENCE = 1, 15
# Between these, in bytes; a begun verification is some 3,000 out and 1,000 back.
OUT, BACK = range(1, 4500, 40 if FULL else 450), range(1, 1500, 20 if FULL else 150)


class Line:
    """A proxy that harms what passes, once: after so many more bytes in one direction."""

    def __init__(self, port):
        self.target, self.plan, self.is_harmed, self.lock = port, None, False, threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.healed = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def harm(self, is_answer, place, how):
        self.healed.clear()
        with self.lock:
            self.plan = [is_answer, place, how]

    def heal(self):
        with self.lock:
            self.plan, self.is_harmed = None, False
        self.healed.set()

    def close(self):
        self.heal()
        self.listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                return
            for pair in ((client, server, False), (server, client, True)):
                threading.Thread(target=self._pump, args=pair, daemon=True).start()

    def _pump(self, source, target, is_answer):
        try:
            while data := source.recv(65_536):
                place, how = self._share(is_answer, len(data))
                target.sendall(data[:place])
                if how == "cut":
                    break
                if how == "stall":
                    self.healed.wait(60)
                elif how == "delay":
                    self.healed.wait(0.2)
                target.sendall(data[place:])
        except OSError:
            pass
        for each in (source, target):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def _share(self, is_answer, count):
        """How much of a piece passes before it is harmed, and how."""
        with self.lock:
            if not self.plan or self.plan[0] != is_answer:
                return count, None
            if self.plan[1] > count:
                self.plan[1] -= count
                return count, None
            (_, place, how), self.plan, self.is_harmed = self.plan, None, True
            return place, how


class CutLineTests(ServiceTestCase):
    # A message whose commit was not known to have succeeded is free again after six seconds.
    settings = {"DATABASE_BUSY_TIMEOUT_SECONDS": WAIT, "LIMITS_ENABLED": "false", "LOG_LEVEL": "critical",
                "SMS_TIMEOUT_SECONDS": 1}

    def setUp(self):
        super().setUp()
        self.database = self.enter(PostgreSQL())
        self.line = Line(self.database.port)
        self.addCleanup(self.line.close)
        url = self.database.url.replace(f":{self.database.port}/", f":{self.line.port}/")
        self.server = self.serve(DATABASE_URL=url, KEYS_FILE=f"{self.folder}/keys")
        self.server.client.timeout = PATIENCE
        self.harmed = 0

    def through(self, harm, *call):
        """The answer to a call while the line is harmed, and to its repetition when it is well again."""
        serial = next(self.keys)
        key = {"Idempotency-Key": f'"{serial}"'}
        # A line that stalls takes a second each time, so that one of the three calls has to do but for a release.
        if FULL or serial % 3 == serial // 3 % 3:
            self.line.harm(*harm)
        first = self.server.client.call(*call, **key)
        self.harmed += self.line.is_harmed
        self.line.heal()
        if first.status == 503:
            self.assert_unavailable(first)
        return first, wait_for(lambda: self.known(*call, **key), "an answer")

    def known(self, *call, **headers):
        answer = self.server.client.call(*call, **headers)
        # 409: the first of the two is still under way.
        return answer if answer.status not in (503, 409) else None

    def test_a_cut_line_leaves_one_verification_and_one_count(self):
        self.keys = itertools.count(1)
        harms = [(is_answer, place, how) for is_answer, places in ((False, OUT), (True, BACK)) for place in places
                 for how in ("cut", "stall", "delay")]
        numbers, unknown = [], 0
        for serial, harm in enumerate(harms):
            number = f"+8210{50_000_000 + serial}"
            numbers.append(number)
            with self.subTest(harm=harm):
                first, again = self.through(harm, "POST", "/v1/verifications", {"phone_number": number})
                self.assertEqual(again.status, 201, again.text)
                if first.status == 201:
                    self.assertEqual(again.json["id"], first.json["id"])
                unknown += first.status == 503
                id, code = again.json["id"], self.server.client.code(number)
                path = f"/v1/verifications/{id}/checks"
                first, again = self.through(harm, "POST", path, {"code": other_than(code)})
                self.assertEqual((again.status, again.json["code"], again.json["checks_left"]), (422, "code_incorrect", 4))
                unknown += first.status == 503
                _, again = self.through(harm, "POST", path, {"code": code})
                self.assertEqual((again.status, again.json["status"]), (200, "approved"))
        rows = self.database.sql("SELECT count(*), count(DISTINCT e164) FROM verification")
        self.assertEqual(rows, f"{len(numbers)}|{len(numbers)}")
        self.assertEqual(len(self.server.sent()), len(numbers))
        # Most places are within what a request says; without any this would be a test of nothing.
        self.assertGreater(self.harmed, len(harms) / 2)
        self.assertGreater(unknown, 0)
        print(f"{self.harmed} times harmed, {unknown} answers not known", flush=True)


if __name__ == "__main__":
    unittest.main()
