"""All requests, in the order in which they ended."""

import dataclasses
import json
import threading

from cluster.operation import Operation


class History:
    """Written by many threads, read when they are done."""

    def __init__(self, operations=()):
        self.operations = list(operations)
        self._lock = threading.Lock()

    def add(self, operation):
        with self._lock:
            self.operations.append(operation)

    def __len__(self):
        return len(self.operations)

    def __iter__(self):
        return iter(self.operations)

    def save(self, path):
        with open(path, "w") as file:
            for operation in self.operations:
                print(json.dumps(dataclasses.asdict(operation), ensure_ascii=False), file=file)

    @classmethod
    def load(cls, path):
        with open(path) as file:
            return cls(Operation(**json.loads(line)) for line in file)
