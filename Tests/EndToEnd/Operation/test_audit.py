"""The audit trail and the erasure of a person, over a service that is running."""

import json
import os
import pathlib
import pwd
import re
import threading
import time

import pexpect

from support import PROGRAM, ServiceTestCase, beside, environment, other_than, sql, wait_for

OPERATOR = "operator:" + pwd.getpwuid(os.getuid()).pw_name


class AuditTests(ServiceTestCase):
    settings = {"VERIFICATION_RESEND_COOLDOWNS_SECONDS": 0}

    def audit(self, *arguments):
        out = self.done("audit", "--json", *arguments)
        return json.loads(out)["items"]

    def actions(self, *arguments):
        return [entry["action"] for entry in self.audit(*arguments)]

    def converse(self, client, text, number):
        """A signup with a resend and a wrong code; gives path, token and what the end was."""
        path, token = client.begin_signup()
        # As a person types it, so that every state of the field has been in the file.
        for end in range(5, len(text) + 1):
            self.assertEqual(client.call("PATCH", path, {"phone_text": text[:end]}, token).status, 200)
        for _ in range(2):
            sent = client.call("POST", f"{path}/send", {"phone_text": text}, token)
            self.assertEqual(sent.status, 202, sent.text)
        code = client.code(number)
        client.enter_code(path, token, other_than(code))
        done = client.enter_code(path, token, code)
        self.assertEqual(done.status, 201, done.text)
        return path, token, done

    def files(self):
        """The bytes of every file of the database."""
        names = [name for name in os.listdir(self.folder) if name.startswith("phoneproof.sqlite")]
        self.assertIn("phoneproof.sqlite", names)
        return b"\n".join(pathlib.Path(self.folder, name).read_bytes() for name in names)

    def found(self, *texts):
        files = self.files()
        return [text for text in texts if text.encode() in files]

    def test_whole_conversations_are_on_the_trail(self):
        client = self.serve().client
        path, _, _ = self.converse(client, "010-1234-5678", "+821012345678")
        owner = path.split("/")[-1]
        begun = client.begin("010-8765-4321").json
        self.assertEqual(client.call("DELETE", f"/v1/verifications/{begun['id']}").status, 200)

        everything = self.audit()
        self.assertEqual(
            [entry["action"] for entry in everything],
            ["cancel", "begin", "sign_up", "approve", "mismatch", "resend", "begin"],
        )
        first = dict(everything[-1])
        self.assertRegex(first.pop("at"), r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        self.assertRegex(first.pop("verification_id"), r"^ver_[0-9a-f]{32}$")
        number_digest, prefix_digest = first.pop("number_digest"), first.pop("prefix_digest")
        self.assertRegex(number_digest, r"^[A-Za-z0-9._-]+:[0-9a-f]{32}$")
        self.assertNotEqual(number_digest, prefix_digest)
        first.pop("address")
        self.assertEqual(
            first,
            {
                "action": "begin", "owner": owner, "masked_number": "+82 10-****-5678", "region": "KR",
                "verdict": "allow", "reasons": ["sample_small"], "subject": None, "reason": None,
                "measure": {
                    "prefix": {"sent": 0, "approved": 0, "budget": 20}, "country": {"sent": 0, "approved": 0, "budget": 500},
                },
                "reference": None, "tags": None,
            },
        )
        self.assertEqual({entry["number_digest"] for entry in everything[2:]}, {number_digest})

        for arguments, actions in [
            (("--number", "+82 10 8765 4321", "--region", "US"), ["cancel", "begin"]),
            (("--verification", begun["id"]), ["cancel", "begin"]),
            (("--owner", owner, "--action", "resend"), ["resend"]),
            (("--since", "1h", "--until", "2099-01-01T00:00:00Z", "--action", "begin", "--limit", "1"), ["begin"]),
            (("--since", begun["created_at"]), ["cancel", "begin"]),
        ]:
            self.assertEqual(self.actions(*arguments), actions, arguments)

        code, out, err = self.run_program("audit", "--limit", "3")
        self.assertEqual(code, 0)
        self.assertEqual([re.split(r"\s{2,}", line)[1] for line in out.splitlines()], ["ACTION", "cancel", "begin", "sign_up"])
        self.assertIn("there are more entries", err)
        for secret in ["1012345678", "1087654321", "010-1234-5678"]:
            self.assertNotIn(secret, json.dumps(everything) + out)
        self.assertEqual(self.run_program("audit", "--number", "010-1111-1111")[1], "No matching entries.\n")

    def test_it_makes_nothing_and_says_what_is_missing(self):
        code, out, err = self.run_program("audit")
        self.assertEqual((code, out, os.listdir(self.folder)), (78, "", []))
        self.assertIn("there is no database", err)
        self.run_program("migrate")
        before = sorted(os.listdir(self.folder))
        self.assertEqual(self.run_program("audit")[0], 0)
        for arguments in [("audit", "--number", "01012345678"), ("erase", "01012345678", "--yes")]:
            self.assertIn("there is no key file", self.refused(78, *arguments))
        self.assertEqual(sorted(set(os.listdir(self.folder)) - {"phoneproof.sqlite-wal", "phoneproof.sqlite-shm"}),
                         [name for name in before if not name.endswith(("-wal", "-shm"))])

    def test_wrong_usage_exits_with_64_and_a_wrong_number_with_1(self):
        self.run_program("migrate")
        for arguments in [
            ("--since", "yesterday"), ("--limit", "0"), ("--action", "dance"), ("--verification", "acc_1"), ("--region", "x"),
        ]:
            self.assertEqual(self.run_program("audit", *arguments)[0], 64, arguments)
        for arguments in [("audit", "--number", "010-12"), ("erase", "010-12", "--yes")]:
            err = self.refused(1, *arguments)
            self.assertNotIn("010-12", err)

    def test_old_entries_are_deleted_by_the_service(self):
        self.run_program("migrate")
        now = time.time() * 1000
        for days in (0, 2.9, 3.1, 4):
            moment = int(now - days * 86_400_000)
            sql(
                self.folder,
                f"INSERT INTO audit_entry (id, at, action, reasons) VALUES ({moment << 20}, {moment}, 'begin', '')",
            )
        self.assertEqual(len(self.audit()), 4)
        self.serve(RETENTION_AUDIT_DAYS=3)
        wait_for(lambda: len(self.audit()) == 2, "the purge", seconds=20)
        for days in (0, 3651, "many"):
            self.assertIn("retention.audit_days", self.refused(78, "serve", RETENTION_AUDIT_DAYS=days))

    def test_a_person_is_erased_while_the_service_runs(self):
        server = self.serve()
        client = server.client
        path, token, _ = self.converse(client, "010-1234-5678", "+821012345678")
        kept_path, kept_token, kept = self.converse(client, "010-8765-4321", "+821087654321")
        friends = {"metadata": {"friends": ["+82 10-1234-5678", "010-8765-4321"]}}
        access = kept.json["tokens"]["access_token"]
        self.assertEqual(client.call("PATCH", "/v1/accounts/me", friends, access).status, 200)
        # One who is in the middle of it, and one who has only typed a part.
        open_path, open_token = client.begin_signup("+82 10 1234 5678")
        part, part_token = client.begin_signup()
        client.call("PATCH", part, {"phone_text": "010-1234-56"}, part_token)
        verification = client.begin("01012345678").json
        forms = ["+821012345678", "821012345678", "01012345678", "010-1234-5678", "+82 10-1234-5678", "+82 10-****-5678"]
        self.assertIn("+821012345678", self.found(*forms))
        trail = self.audit("--number", "01012345678")

        code, out, err = self.run_program("erase", "010-1234-5678", "--yes", "--json")
        self.assertEqual(code, 0, err)
        self.assertEqual(
            json.loads(out),
            {
                "accounts": 1, "sessions": 1, "number_changes": 0, "verifications": 3, "messages": 4, "number_activities": 1,
                "signups": 2, "guard_rules": 0, "limit_meters": 0, "answers": 0, "account_metadata": 1,
                "audit_entries": len(trail), "files_are_clean": True, "hindrance": None, "remains": None,
            },
        )
        self.assertIn("SMS stub", err)
        self.assertEqual(self.found(*forms), [])

        # Who was in the middle of it gets a clear answer, and the service goes on.
        for answer in [
            client.call("GET", open_path, token=open_token),
            client.call("PATCH", open_path, {"code_text": "1"}, open_token),
            client.call("POST", f"{open_path}/send", {}, open_token),
            client.enter_code(open_path, open_token, "123456"),
            client.call("GET", path, token=token),
        ]:
            self.assertEqual((answer.status, answer.json["code"]), (404, "signup_not_found"), answer.text)
        checked = client.check(verification["id"], "123456")
        self.assertEqual((checked.status, checked.json["code"]), (404, "verification_not_found"))
        self.assertEqual(client.call("GET", part, token=part_token).status, 200)
        self.assertEqual(
            client.call("GET", "/v1/accounts/me", token=access).json["metadata"], {"friends": ["[erased 1]", "010-8765-4321"]}
        )
        self.assertEqual(client.call("GET", kept_path, token=kept_token).json["account"]["id"], kept.json["account"]["id"])

        # The log says what was done, and not to whom.
        self.assertEqual(self.actions("--number", "01012345678"), [])
        erased = [entry for entry in self.audit() if entry["number_digest"] is None]
        self.assertEqual([entry["action"] for entry in erased], ["erase", *(entry["action"] for entry in trail)])
        for entry, before in zip(erased[1:], trail):
            self.assertEqual(
                entry,
                {
                    **before, "address": None, "masked_number": None, "number_digest": None, "prefix_digest": None,
                    "owner": None if before["owner"].startswith("sgn_") else before["owner"],
                },
            )
        self.assertEqual({key: value for key, value in erased[0].items() if value}, {"action": "erase", "owner": OPERATOR, "at": erased[0]["at"]})

        code, out, _ = self.run_program("erase", "010-1234-5678", "--yes")
        self.assertEqual((code, out), (0, "No data found for this number.\n"))
        self.assertEqual(self.actions().count("erase"), 1)

        client.call("DELETE", "/stub/messages")
        again = self.converse(client, "010-1234-5678", "+821012345678")[2]
        self.assertIs(again.json["account"]["is_new"], True)
        self.assertEqual(server.stop(), 0)
        for word in ["1012345678", "010-1234-5678"]:
            self.assertNotIn(word, server.log_text)

    def test_what_an_operator_does_is_on_the_log_with_a_reason_and_no_number(self):
        self.serve().client.begin("010-8765-4321")
        why = ("--reason", "ticket 7: 공격")
        for act in [
            ("keys", "create", "--name", "shop"), ("guard", "allow", "+821087654321"), ("keys", "rotate"), ("keys", "rotate-signing"),
        ]:
            self.assertEqual(self.run_program(*act, *why)[0], 0, act)
        self.assertEqual(self.audit("--number", "010-8765-4321", "--owner", OPERATOR)[0]["action"], "allow_prefix")
        self.assertEqual(self.run_program("erase", "010-8765-4321", "--yes", *why)[0], 0)
        out = self.done("audit", "--owner", OPERATOR)
        self.assertNotIn("87654321", out.replace("-", ""))
        shown = {entry["action"]: (entry["subject"], entry["reason"]) for entry in self.audit("--owner", OPERATOR)}
        self.assertIn(shown.pop("rotate_signing_key")[0], [key["id"] for key in self.listed("keys", "list-signing")["items"]])
        self.assertRegex(shown.pop("rotate_sealing_key")[0], "^[A-Za-z0-9._-]+$")
        key = self.listed("keys", "list")["items"][0]["id"]
        # The erasure took the number and the reason out of the rule's entry.
        self.assertEqual(shown, {"create_key": (key, why[1]), "allow_prefix": (None, None), "erase": (None, why[1])})
        self.assertEqual(out.count(why[1]), 5)

    def test_a_reason_is_one_line(self):
        self.run_program("migrate")
        for reason in ["", "a\nb"]:
            code, out, err = self.run_program("guard", "block", "+8210", "--reason", reason)
            self.assertEqual((code, out), (64, ""), reason)
            self.assertIn("one line of 1 to 200 characters", err)
        self.assertEqual(self.audit(), [])

    def test_an_act_that_cannot_be_recorded_is_not_done(self):
        """A rule for a whole number needs the keys, by which the log knows the number."""
        self.run_program("migrate")
        self.assertIn("there is no key file", self.refused(78, "guard", "block", "+821012345678"))
        self.assertEqual(self.listed("guard", "rules")["items"], [])

    def test_it_asks_before_it_erases(self):
        client = self.serve().client
        self.converse(client, "010-1234-5678", "+821012345678")
        self.assertIn("--yes", self.refused(64, "erase", "010-1234-5678"))
        for answer, status, said in [("no", 1, "nothing was erased"), ("", 1, "nothing was erased"), ("yes", 0, "Accounts")]:
            child = pexpect.spawn(
                PROGRAM, ["erase", "010-1234-5678"], cwd=self.folder, env=environment(self.folder), encoding="utf-8", timeout=20
            )
            self.addCleanup(child.close, force=True)
            child.expect_exact("This permanently erases all data of +82 10-****-5678.")
            child.sendline(answer)
            child.expect_exact(said)
            child.expect(pexpect.EOF)
            child.close()
            self.assertEqual(child.exitstatus, status)

    def test_erasing_under_load_disturbs_nobody_else(self):
        server = self.serve()
        client, stop, failures, done = server.client, threading.Event(), [], []

        def work(worker):
            turn = 0
            while not stop.is_set():
                turn += 1
                number = f"+8210{worker}{turn:07d}"
                begun = client.begin(number)
                if begun.status != 201:
                    # What a limit refuses is no failure; an error of the service is.
                    if begun.status >= 500:
                        failures.append(begun.text)
                    continue
                checked = client.check(begun.json["id"], client.code(number))
                done.append(number)
                if checked.status != 200:
                    failures.append(checked.text)

        with beside(work, (2, 3, 4)):
            outcomes = []
            for turn in range(5):
                number = f"010-5000-000{turn}"
                client.begin(number)
                outcomes.append(self.run_program("erase", number, "--yes", "--json")[:2])
            stop.set()
        self.assertEqual(failures, [])
        for code, out in outcomes:
            self.assertEqual((code, json.loads(out)["verifications"]), (0, 1), out)
        self.assertTrue(done)
