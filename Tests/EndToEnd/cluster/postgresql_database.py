"""A PostgreSQL server of one's own, which each instance reaches by a link that can be made bad."""

import json

from postgresql import PostgreSQL


class PostgreSQLDatabase:
    def __init__(self):
        self.server = PostgreSQL()

    def urls(self, count, ports=None):
        """The URL for each of so many instances, by way of these ports."""
        direct = self.server.url
        return [direct.replace(f":{self.server.port}/", f":{port}/") for port in ports or [self.server.port] * count]

    def rows(self, query):
        lines = self.server.sql(f"SELECT row_to_json(found) FROM ({query}) AS found").splitlines()
        return [json.loads(line) for line in lines]

    def close(self):
        self.server.close()
