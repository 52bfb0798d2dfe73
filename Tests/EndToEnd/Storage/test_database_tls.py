"""The way to the database: encrypted, to the right server and no other, and the password revealed to nobody."""

import os
import tempfile
import urllib.parse

from certificates import make_authority, make_certificate
from postgresql import USER, PostgreSQL
from support import ServiceTestCase

# What has a meaning in a URL or in a password file, so that a faulty parser shows.
PASSWORD = r"pass:word@\ %2f/?#&end"
# Any of these in a log or an error would be a part of it.
TELLTALES = ["pass:word", "pass\\:word", "pass%3Aword", "word@", "word%40", "%252f", "#&end", "%26end"]


class DatabaseConnectionTests(ServiceTestCase):
    @classmethod
    def setUpClass(cls):
        folder = cls.enter_for_all(tempfile.TemporaryDirectory())
        cls.authority = make_authority(folder, "authority")
        cls.stranger = make_authority(folder, "stranger")
        tls = make_certificate(folder, "localhost", cls.authority)
        cls.database = cls.enter_for_all(PostgreSQL(password=PASSWORD, tls=tls))
        cls.password_file = f"{folder}/passwords"
        with open(cls.password_file, "w") as file:
            escaped = PASSWORD.replace("\\", "\\\\").replace(":", "\\:")
            file.write(f"localhost:{cls.database.port}:*:{USER}:{escaped}\n127.0.0.1:*:*:{USER}:{escaped}\n")
        os.chmod(cls.password_file, 0o600)

    def setUp(self):
        super().setUp()
        self.settings = {"KEYS_FILE": f"{self.folder}/keys"}
        self.database.sql(f"DROP OWNED BY {USER}")

    def url(self, password="", host="localhost", **parameters):
        parameters = {"sslmode": "verify-full", "sslrootcert": self.authority, **parameters}
        return self.database.url_of(USER, password=password, **parameters).replace("127.0.0.1", host)

    def assert_serves(self, url, prefix=()):
        server = self.serve(self.new_folder(), prefix=prefix, DATABASE_URL=url)
        self.assertEqual(server.client.begin("01012345678").status, 201)
        self.assertEqual(server.client.call("GET", "/health/ready").status, 200)
        encrypted = self.database.sql(
            f"SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = '{USER}'"
        )
        self.assertEqual(encrypted, "t")
        self.assertEqual(server.stop(), 0)
        self.assert_tells_nothing(server.log_text)

    def assert_fails(self, url, *words, code=78):
        """With an error that contains these words, and no secret; and so does every command."""
        for command in [["serve", "--port", "0"], ["migrate"], ["keys", "list"], ["check-config"]]:
            exit_code, output, errors = self.run_program(*command, DATABASE_URL=url)
            self.assert_tells_nothing(output + errors)
            if command[0] == "serve":
                self.assertEqual((exit_code, output), (code, ""), errors)
                for word in words:
                    self.assertIn(word, errors)

    def assert_tells_nothing(self, text):
        for part in [PASSWORD, urllib.parse.quote(PASSWORD, safe=""), *TELLTALES]:
            self.assertNotIn(part, text)

    def test_the_password_comes_from_a_file_and_the_server_is_the_right_one(self):
        self.assert_serves(self.url(), prefix=("env", f"PGPASSFILE={self.password_file}"))

    def test_the_password_file_may_be_named_in_the_url(self):
        self.assert_serves(self.url(passfile=self.password_file))

    def test_the_password_may_be_in_the_url(self):
        self.assert_serves(self.url(PASSWORD))

    def test_a_certificate_of_another_authority_is_refused(self):
        self.assert_fails(self.url(PASSWORD, sslrootcert=self.stranger), "certificate verify failed", code=69)

    def test_a_certificate_for_another_name_is_refused(self):
        self.assert_fails(self.url(PASSWORD, host="127.0.0.1"), "certificate", "127.0.0.1", code=69)

    def test_a_connection_in_the_clear_is_refused_by_the_server(self):
        self.assert_fails(self.url(PASSWORD, sslmode="disable"), "no encryption")

    def test_a_wrong_password_is_not_logged(self):
        self.assert_fails(self.url(PASSWORD + "x"), "password authentication failed")

    def test_no_password_at_all(self):
        self.assert_fails(self.url(), "password")

    def test_a_url_with_an_unencoded_password_is_refused_without_printing_it(self):
        """What a person writes who does not know better; libpq takes a part of it for a host, a port or a database."""
        for password in ["s3cr3t@host", "pass:s3cr3t@", "1/s3cr3t", "1/#&s3cr3t", "%s3cr3t", "a?s3cr3t@=b"]:
            url = f"postgresql://{USER}:{password}@127.0.0.1:{self.database.port}/{USER}"
            for command in [["serve", "--port", "0"], ["check-config"]]:
                with self.subTest((password, command[0])):
                    code, output, errors = self.run_program(*command, DATABASE_URL=url)
                    self.assertNotEqual(code, 0)
                    self.assertNotIn("s3cr3t", output + errors)
