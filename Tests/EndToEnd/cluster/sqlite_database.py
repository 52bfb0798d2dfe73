"""A file that several instances on one machine share."""

import contextlib
import os
import sqlite3


class SQLiteDatabase:
    # There is none to hurt.
    server = None

    def __init__(self, folder):
        os.makedirs(folder)
        self.path = os.path.join(folder, "phoneproof.sqlite")
        self.url = f"sqlite:{self.path}"

    def urls(self, count, ports=None):
        """The URL for each of so many instances."""
        return [self.url] * count

    def rows(self, query):
        with contextlib.closing(sqlite3.connect(self.path)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(query)]

    def close(self):
        pass
