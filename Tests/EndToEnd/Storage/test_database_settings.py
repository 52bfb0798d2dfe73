"""Which addresses of a database are taken, how they are shown, and what is said of those that are unsafe."""

import os
import tempfile
import unittest

from support import TWILIO, ServiceTestCase

SECRET = "s3cr3t"


class DatabaseSettingsTests(ServiceTestCase):
    def check(self, url, code=0, **settings):
        """What check-config prints, by lines, of this address with a file of keys."""
        settings = {"KEYS_FILE": f"{self.folder}/keys", **settings, "DATABASE_URL": url}
        actual, out, err = self.run_program("check-config", **settings)
        self.assertEqual((actual, err), (code, ""), out)
        self.assertNotIn(SECRET, out)
        return out.splitlines()

    def refused(self, code, *arguments, **settings):
        err = super().refused(code, *arguments, **settings)
        self.assertNotIn(SECRET, err)
        return err.strip()

    def test_a_flag_overrides_the_environment_and_that_the_file(self):
        self.write("settings.yaml", f"database:\n  url: postgresql://in-file/p\nkeys:\n  file: {self.folder}/keys\n")

        def shown(*arguments, **settings):
            out = self.run_program("check-config", "--config", "settings.yaml", *arguments, **settings)[1]
            return next(line for line in out.splitlines() if line.startswith("database"))

        self.assertEqual(shown(DATABASE_URL=None), "database  postgresql://in-file/p")
        in_variable = {"DATABASE_URL": "postgresql://in-variable/p"}
        self.assertEqual(shown(**in_variable), "database  postgresql://in-variable/p")
        self.assertEqual(shown("--database", "postgresql://in-flag/p", **in_variable), "database  postgresql://in-flag/p")
        self.assertEqual(shown("--database", "sqlite:a/b.sqlite", **in_variable), "database  a/b.sqlite (will be created)")
        self.assertEqual(shown("--database", "sqlite::memory:"), "database  in memory")

    def test_a_flag_contains_no_secret_since_every_user_of_the_machine_can_read_it(self):
        for url in [
            f"postgresql://ace:{SECRET}@db.example.com/p", f"postgresql://db.example.com/p?password={SECRET}",
            f"postgresql://db.example.com/p?sslpassword={SECRET}", f"postgres://ace:{SECRET}@[::1]",
        ]:
            line = self.refused(64, "serve", "--database", url)
            for way in ["PHONEPROOF_DATABASE_URL", "PGPASSFILE", "passfile"]:
                self.assertIn(way, line)
        self.assertIn("--database", self.refused(64, "limits", "list", "--database", f"mysql://ace:{SECRET}@db"))
        self.assertIn("%40", self.refused(64, "limits", "list", "--database", f"postgres://ace:x@{SECRET}@db"))

    def test_every_command_that_opens_a_store_takes_the_flag(self):
        missing = ("--database", f"sqlite:{self.folder}/nowhere.sqlite")
        for command in [
            ("limits", "list"), ("limits", "clear", "x"), ("guard", "list"), ("guard", "allow", "+8210"),
            ("guard", "block", "+8210"), ("guard", "unblock", "+8210"), ("guard", "explain", "01012345678"),
            ("outbox", "list"), ("outbox", "retry", "msg_" + "0" * 32), ("audit",), ("erase", "01012345678", "--yes"),
        ]:
            with self.subTest(command):
                self.assertIn("nowhere.sqlite", self.refused(78, *command, *missing))
        self.assertIn("nowhere.keys", self.refused(78, "keys", "rotate", *missing))
        for command, made in [
            (("migrate",), {"p.sqlite"}), (("keys", "make"), {"p.keys"}), (("signup",), {"p.sqlite", "p.keys"}),
        ]:
            with self.subTest(command), tempfile.TemporaryDirectory() as folder:
                self.run_program(*command, "--database", f"sqlite:{folder}/p.sqlite")
                self.assertEqual({name for name in os.listdir(folder) if name[-1] in "es"}, made)

    @unittest.skipUnless(os.geteuid() == 0, "only root gives files away")
    def test_what_root_makes_in_the_folder_of_a_service_belongs_to_the_service(self):
        folder = f"{self.folder}/service"
        os.mkdir(folder)
        os.chown(folder, 12345, 12346)
        settings = {"DATABASE_URL": f"sqlite:{folder}/p.sqlite", "KEYS_FILE": f"{folder}/p.keys"}
        self.assertIn("is your PhoneProof code", self.run_program("signup", "--locale", "en", stdin="010-1234-5678\n", **settings)[1])
        self.done("keys", "rotate", **settings)
        server = self.serve(**settings)
        owners = {name: os.stat(f"{folder}/{name}").st_uid for name in os.listdir(folder)}
        self.assertEqual(owners, dict.fromkeys(["p.sqlite", "p.sqlite-wal", "p.sqlite-shm", "p.keys"], 12345))
        self.assertEqual(server.stop(), 0)

    def test_keys_do_not_lie_beside_a_server_and_must_be_named(self):
        there = {"DATABASE_URL": "postgresql://127.0.0.1:1/p"}
        for command in [("serve",), ("signup",), ("keys", "rotate"), ("keys", "make")]:
            line = self.refused(78, *command, **there)
            self.assertRegex(line, r"keys\.file is not set, .* that all instances share .*PHONEPROOF_KEYS_FILE")
        out = self.run_program("check-config", **there)
        self.assertEqual(out[0], 1)
        self.assertIn("error     keys.file is not set", out[1])

    def test_in_production_keys_are_made_before_the_first_instance_starts(self):
        settings = {
            "DATABASE_URL": "postgresql://127.0.0.1:1/p", "KEYS_FILE": f"{self.folder}/keys", "PROFILE": "production",
            "SMS_GATEWAY": "twilio", **TWILIO,
        }
        self.assertIn("phoneproof keys make", self.refused(78, "serve", **settings))
        self.assertIn("error     there is no key file at", "\n".join(self.check(settings["DATABASE_URL"], 1, **settings)))
        made = self.run_program("keys", "make", **settings)
        self.assertEqual(made, (0, f"Created {self.folder}/keys. Copy it to every instance, and back it up.\n", ""))
        self.assertEqual(os.stat(f"{self.folder}/keys").st_mode & 0o777, 0o600)
        with open(f"{self.folder}/keys") as file:
            before = file.read()
        made = self.run_program("keys", "make", **settings)
        self.assertEqual(made, (0, f"{self.folder}/keys exists, with 1 key; not changed.\n", ""))
        with open(f"{self.folder}/keys") as file:
            self.assertEqual(file.read(), before)
        self.assertIn(f"keys      {self.folder}/keys, 1 key", self.check(settings["DATABASE_URL"], **settings))

    def test_variables_of_libpq_count_where_the_url_says_nothing(self):
        url, verified = "postgresql://db.example.com/p", {"PGSSLMODE": "verify-full"}
        for database, variables, said in [
            (url, {}, "sslmode is prefer"), (f"{url}?sslmode=require", verified, "sslmode is require"),
            ("postgresql:///p", {"PGHOST": "db.example.com"}, "traffic to db.example.com can be read"),
            (url, {"PGPASSFILE": "/nowhere"}, "password file /nowhere does not exist (PGPASSFILE)"),
        ]:
            self.assertIn(said, "\n".join(self.check(database, variables=variables)))
        self.assertNotIn("sslmode is", "\n".join(self.check(url, variables=verified)))

    def test_a_password_in_a_file_of_settings_is_for_its_owner_alone_unless_a_flag_overrides_it(self):
        self.write("settings.yaml", f"database:\n  url: postgresql://ace:{SECRET}@localhost/p\nkeys: {{file: {self.folder}/keys}}\n")
        told = lambda *flags: self.done("check-config", "--config", "settings.yaml", *flags, DATABASE_URL=None)
        self.assertIn("other users of this machine can read settings.yaml and the password in it", told())
        self.assertNotIn("and the password in it", told("--database", "postgresql://localhost/p"))
