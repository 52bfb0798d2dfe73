"""People who come from other systems, and go to others. What each system's files are like is in PeopleSourceTests."""

import json
import os
import signal
import subprocess

from support import PROGRAM, ServiceTestCase, environment, sql, wait_for

CSV = """phone_number,external_id,created_at,metadata.name
010-1234-5678,7,2023-11-14T22:13:20Z,"Kim, A."
010-12,8,,
"""


class ImportTests(ServiceTestCase):
    def imported(self, source, path, *options, code=0, **settings):
        """The counts of an import."""
        done = self.run_program("accounts", "import", "--from", source, path, "--json", *options, **settings)
        self.assertEqual(done[0], code, done)
        return json.loads(done[1])

    def exported(self, **settings):
        return self.done("accounts", "export", "--all", **settings)

    def test_who_is_imported_is_there_and_what_is_wrong_has_its_line(self):
        path, report = self.write("people", CSV), os.path.join(self.folder, "report")
        options = ("--on-conflict", "fail", "--report", report)
        counts = {"created": 1, "updated": 0, "unchanged": 0, "skipped": 0, "failed": 1, "regions": {"KR": 1}}
        self.assertEqual(self.imported("csv", path, *options, "--dry-run", code=1)["created"], 1)
        self.assertEqual(self.exported(), "")
        self.assertEqual(self.imported("csv", path, *options, code=1), counts)
        with open(report) as file:
            wrong, = map(json.loads, file)
        self.assertEqual(wrong["line"], 3)
        self.assertIn("no phone number", wrong["reason"])
        account, = map(json.loads, self.exported().splitlines())
        self.assertEqual(
            (account["phone_number"], account["external_id"], account["created_at"], account["metadata"]),
            ("+821012345678", "7", "2023-11-14T22:13:20.000Z", {"name": "Kim, A."}),
        )
        again = {**counts, "created": 0, "unchanged": 1}
        self.assertEqual(self.imported("csv", path, *options, code=1), again)

    def test_who_was_imported_signs_in_and_is_whom_the_file_says(self):
        server = self.serve(WEBHOOKS_URL="http://127.0.0.1:1/", WEBHOOKS_SECRETS="whsec_" + "QUJD" * 8)
        there = {"API_KEY": self.make_key("admin"), "DATABASE_URL": "sqlite:/nowhere/at/all"}
        options = ("--server", server.url, "--reason", "we move")
        code, _, err = self.run_program("accounts", "import", "--from", "csv", self.write("people", CSV), *options, **there)
        self.assertEqual((code, err.splitlines()[-1]), (1, "phoneproof: 1 person was not imported"))
        self.assertIn("line 3: phone_number is no phone number", err)
        signed_up = server.client.sign_up("010-1234-5678").json
        self.assertFalse(signed_up["account"]["is_new"])
        mine = server.client.call("GET", "/v1/accounts/me", token=signed_up["tokens"]["access_token"]).json
        self.assertEqual((mine["external_id"], mine["metadata"]), ("7", {"name": "Kim, A."}))
        self.assertEqual(self.done("accounts", "export", "--all", *options, **there), self.exported())
        self.assertIn("reason is missing", self.refused(64, "accounts", "export", "--all", "--server", server.url, **there))
        actions = {entry["action"] for entry in self.listed("audit", "--limit", "9")["items"]}
        self.assertLessEqual({"import_account", "export_accounts"}, actions)
        # Nobody is told of each of a million.
        self.assertEqual(sql(self.folder, "SELECT count(*) FROM event WHERE kind = 'account.created'"), [("0",)])
        self.assertEqual(self.run_program("erase", "010-1234-5678", "--yes")[0], 0)
        self.assertEqual(sql(self.folder, "SELECT count(*) FROM account_external_id"), [("0",)])

    def test_an_import_that_is_killed_begins_anew_and_an_export_imports_again_equal(self):
        people = [
            {"phone_number": f"+8210{10_000_000 + n}", "external_id": f"u{n}", "created_at": "2024-01-02T03:04:05Z", "metadata": {"n": n}}
            for n in range(4_000)
        ]
        path = self.write("people", "".join(json.dumps(person) + "\n" for person in people))
        command = [PROGRAM, "accounts", "import", "--from", "jsonl", path, "--on-conflict", "fail"]
        with subprocess.Popen(command, cwd=self.folder, env=environment(self.folder), stderr=subprocess.DEVNULL) as first:
            wait_for(lambda: self.count() > 0, "the first people")
            first.send_signal(signal.SIGKILL)
        before = self.count()
        self.assertLess(before, len(people))
        counts = self.imported("jsonl", path, "--on-conflict", "fail")
        self.assertEqual((counts["created"], counts["unchanged"], counts["failed"]), (len(people) - before, before, 0))
        self.assertEqual(self.count(), len(people))
        self.assertEqual(sql(self.folder, "SELECT count(*) FROM audit_entry WHERE action = 'import_account'"), [("4000",)])
        exported = self.exported()
        other = {"DATABASE_URL": "sqlite:other.sqlite"}
        self.assertEqual(self.imported("jsonl", self.write("exported", exported), **other)["created"], len(people))
        self.assertEqual(self.exported(**other), exported)

    def count(self):
        try:
            return int(sql(self.folder, "SELECT count(*) FROM account")[0][0])
        except Exception:
            # There is no table yet, or it is being made.
            return 0

    def test_what_cannot_be_read_or_written_is_said(self):
        path = self.write("people", CSV)
        self.assertIn("No such file", self.run_program("accounts", "import", "--from", "csv", "nowhere")[2])
        self.assertFalse(os.path.exists(f"{self.folder}/phoneproof.sqlite"), "a database was made for nothing")
        self.run_program("migrate")
        self.assertIn("name an account, or give --all", self.run_program("accounts", "export")[2])
        with self.subTest("semicolons"):
            err = self.refused(1, "accounts", "import", "--from", "csv", self.write("semicolons", "a;b\n"))
            self.assertIn("not separated by commas", err)
        err = self.refused(64, "accounts", "import", "--from", "csv", path, "--report", f"{self.folder}/phoneproof.sqlite")
        self.assertIn("is the database itself", err)
        _, _, err = self.run_program("accounts", "import", "--from", "csv", self.write("columns", "a,b\n,2\n"))
        self.assertIn("line 2: unknown column b", err)
        code, out, err = self.run_program("accounts", "import", "--from", "csv", "-", stdin="phone_number\n+821012345678\n")
        self.assertEqual((code, out.split()[:2]), (0, ["Created", "1"]), err)
