"""What each released version has left is opened, migrated, served and backed up by this one."""

import os
import sqlite3

import released
from support import Server, ServiceTestCase

VERSIONS = sorted(path.name for path in released.FOLDER.iterdir())
REMEDY = "a released version's files never change; of one without a tag: /usr/bin/python3 -B Tests/EndToEnd/released.py makes them anew"


class ReleasedTests(ServiceTestCase):
    settings = released.SECRETS

    def each(self):
        for version in VERSIONS:
            self.folder = self.new_folder()
            with self.subTest(version):
                yield version, released.restored(version, self.folder)

    def command(self, *arguments):
        return released.done(self.folder, *arguments)

    def rows(self, path="phoneproof.sqlite"):
        with sqlite3.connect(f"{self.folder}/{path}") as database:
            names = [name for name, in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
            return {name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}

    def test_its_files_are_as_they_were(self):
        for version, _ in self.each():
            folder = released.FOLDER / version
            self.assertEqual((folder / "SHA256SUMS").read_text(), released.digests(folder), REMEDY)
            self.assertEqual(sorted(os.listdir(folder)), sorted([*released.FILES, "SHA256SUMS"]))

    def test_its_settings_would_start(self):
        for _ in self.each():
            self.assertRegex(self.command("check-config"), r"\nOK: serve would start, \d+ warnings?\n$")

    def test_it_is_migrated_with_every_row_and_backed_up(self):
        for _, facts in self.each():
            self.assertIn("is at the current schema", self.command("migrate"))
            self.assertLessEqual(facts["rows"].items(), self.rows().items(), REMEDY)
            self.command("backup", f"{self.folder}/again")
            self.command("backup", "--verify", f"{self.folder}/again")

    def test_its_backup_is_verified_and_restored(self):
        for _, facts in self.each():
            self.command("backup", "--verify", f"{self.folder}/backup")
            os.remove(f"{self.folder}/phoneproof.sqlite")
            self.command("restore", "--keep-sessions", f"{self.folder}/backup")
            self.assertEqual(self.rows()["account"], facts["rows"]["account"], REMEDY)
            with Server(self.folder, released.COMMAND, **released.SECRETS) as server:
                self.assert_serves(server.client, facts)

    def test_it_is_served(self):
        for _, facts in self.each():
            with Server(self.folder, released.COMMAND, **released.SECRETS) as server:
                self.assert_serves(server.client, facts)
                self.assertEqual(server.stop(), 0)
            again = self.command("audit", "--json", "--number", "+821012345678", "--action", "sign_up")
            self.assertIn("+82 10-****-5678", again)

    def assert_serves(self, client, facts):
        admin, key = facts["admin_key"], facts["key"]
        answer = client.call("POST", "/v1/tokens", {"refresh_token": facts["refresh_token"]})
        self.assertEqual(answer.status, 200, answer.text)
        me = client.call("GET", "/v1/accounts/me", token=answer.json["access_token"])
        self.assertEqual((me.json["id"], me.json["phone_number"]), (facts["account"], "+821012345678"))
        found = client.call("GET", f"/v1/admin/accounts/{facts['account']}", token=admin).json
        self.assertEqual(found["metadata"], {"plan": "gold", "name": "김"})
        for number, account in [("1012345678", facts["account"]), ("1011112222", facts["moved"]), ("1077778888", facts["suspended"])]:
            items = client.call("GET", f"/v1/admin/accounts?phone_number=%2B82{number}", token=admin).json["items"]
            self.assertEqual([item["id"] for item in items], [account])
        self.assertEqual(client.call("GET", f"/v1/admin/clients/{facts['client']}", token=admin).json["name"], "Shop")
        self.assertEqual(client.call("GET", "/v1/admin/guard/policy", token=admin).json["mode"], "shadow")
        verification = client.call("GET", f"/v1/admin/verifications/{facts['approved']}", token=admin)
        # It was approved, and the time to use that is over.
        self.assertEqual((verification.status, verification.json["status"] in ("approved", "expired")), (200, True))
        # The same people sign in.
        begun = client.call("POST", "/v1/verifications", {"phone_number": "+821012345678"}, key)
        self.assertEqual(begun.status, 201, begun.text)
        signed = client.sign_up("010-1111-2222")
        self.assertEqual((signed.status, signed.json["account"]["id"]), (200, facts["moved"]))
        self.assertEqual(client.sign_up("010-7777-8888").json["code"], "account_suspended")

    def test_an_older_program_refuses_a_newer_database_with_a_sentence(self):
        for _ in self.each():
            self.command("migrate")
            with sqlite3.connect(f"{self.folder}/phoneproof.sqlite") as database:
                version, = database.execute("PRAGMA user_version").fetchone()
                database.execute(f"PRAGMA user_version = {version + 1}")
            for words in [("serve", "--port", "0"), ("migrate",), ("accounts", "list")]:
                line = self.refused(78, *words, "--config", "settings.yaml")
                self.assertIn("belongs to a newer version of this program; use that version", line)
