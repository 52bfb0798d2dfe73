"""A client of the service, which writes down all that it asks and hears."""

import http.client
import json
import random
import time

from cluster.operation import Operation


class Caller:
    """Asks, and asks again where it hears nothing, as real clients do."""

    TIMEOUT = 10
    ATTEMPTS = 3

    def __init__(self, port, history, chance=None, is_over=lambda: False):
        self.port, self.history = port, history
        self.chance = chance or random.Random()
        self.is_over = is_over

    def ask(self, kind, method, path, body=None, token=None, source=None, attempts=ATTEMPTS, **known):
        """The last of the operations that it took.

        source: the address that a guided client calls from; other programs say in the body whom they ask for.
        """
        address = source or (body or {}).get("client_address")
        for attempt in range(1, attempts + 1):
            operation = Operation(kind, now(), address=address, attempt=attempt, **known)
            self._exchange(operation, method, path, body, token, source)
            operation.answered = now()
            self.history.add(operation)
            if operation.is_known or self.is_over():
                break
            if attempt < attempts:
                time.sleep(self.chance.uniform(0.2, 1.0) * attempt)
        return operation

    def _exchange(self, operation, method, path, body, token, source):
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=self.TIMEOUT, source_address=(source, 0) if source else None
        )
        try:
            headers = {"Content-Type": "application/json"} if body is not None else {}
            if token:
                headers["Authorization"] = f"Bearer {token}"
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            text = response.read()
            operation.instance = response.headers.get("X-Instance")
            # nginx's own pages are none.
            operation.body = json.loads(text) if "json" in response.headers.get("Content-Type", "") else None
            operation.status = response.status
        except (OSError, http.client.HTTPException, ValueError) as error:
            operation.error = type(error).__name__
        finally:
            connection.close()


def now():
    return time.time_ns() // 1_000_000
