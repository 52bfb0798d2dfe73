"""What the old number of an account is sent, and what its holder can do with it."""

import json
import re
import tempfile
import unittest

from support import Server, run, wait_for

OLD, NEW = "+821012345678", "+821087654321"


class UndoTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def serve(self, **settings):
        # Or a number would have to wait between two signups.
        settings.setdefault("VERIFICATION_RESEND_COOLDOWNS_SECONDS", "0")
        server = Server(self.folder, **settings)
        self.addCleanup(server.close)
        return server

    def sign_up(self, client, number):
        begun = client.call("POST", "/v1/signups", {"region": "KR"})
        path, token = begun.headers["Location"], begun.json["token"]
        client.call("DELETE", "/stub/messages")
        client.call("POST", f"{path}/send", {"phone_text": number}, token)
        return client.call("POST", f"{path}/sign-up", {"code_text": client.code(number)}, token)

    def change_number(self, client, access):
        """Goes from the old number to the new one; gives the notice."""
        client.call("DELETE", "/stub/messages")
        wanted = {"phone_number": NEW}
        begun = client.call("POST", "/v1/accounts/me/number-changes", wanted, access)
        checks = begun.headers["Location"] + "/checks"
        changed = client.call("POST", checks, {"code": client.code(NEW)}, access)
        self.assertEqual((changed.status, changed.json["phone_number"]), (200, NEW), changed.text)
        return wait_for(lambda: client.messages(OLD, 1), "a notice")[0]

    def outbox(self):
        code, out, err = run("outbox", "list", "--json", folder=self.folder)
        self.assertEqual((code, err), (0, ""))
        return json.loads(out)["messages"]

    def test_the_old_number_gets_the_account_back(self):
        server = self.serve()
        client = server.client
        done = self.sign_up(client, OLD)
        self.assertEqual(done.status, 201, done.text)
        access = done.json["tokens"]["access_token"]
        notice = self.change_number(client, access)
        text = "Your PhoneProof phone number was changed. If it was not you, undo it: "
        found = re.fullmatch(re.escape(text) + r"http://127\.0\.0\.1(?::\d+)?(/undo/([A-Za-z0-9_-]{22}))", notice)
        self.assertIsNotNone(found, notice)
        path, token = found.groups()

        page = client.call("GET", path)
        self.assertEqual((page.status, page.headers["Content-Type"]), (200, "text/html; charset=utf-8"))
        self.assertIn("changed from +82 10-****-5678 to another number", page.text)
        self.assertNotIn("8765", page.text)
        me = client.call("GET", "/v1/accounts/me", token=access)
        self.assertEqual((me.status, me.json["phone_number"]), (200, NEW))

        pressed = client.call("POST", path, "", **{"Content-Type": "application/x-www-form-urlencoded"})
        self.assertEqual(pressed.status, 200, pressed.text)
        self.assertIn("Your number was restored", pressed.text)
        self.assertEqual(client.call("GET", "/v1/accounts/me", token=access).status, 401)
        refreshed = client.call("POST", "/v1/tokens", {"refresh_token": done.json["tokens"]["refresh_token"]})
        self.assertEqual(refreshed.status, 401)
        self.assertEqual([client.call(method, path).status for method in ("GET", "POST")], [404, 404])

        again = self.sign_up(client, OLD)
        self.assertEqual((again.status, again.json["account"]["is_new"]), (200, False), again.text)
        self.assertEqual(again.json["account"]["id"], done.json["account"]["id"])
        notices = [message for message in self.outbox() if message["kind"] == "notice"]
        self.assertEqual([message["phone_number"] for message in notices], ["+82 10-****-5678"])
        self.assertIsNotNone(notices[0]["number_change_id"])
        self.assertNotIn(token, server.log_text)

    def test_a_link_may_lead_to_a_page_of_the_operators_own(self):
        server = self.serve(ACCOUNTS_UNDO_URL="https://app.example/#undo=", MESSAGES_SERVICE_NAME="Acme", LOCALE_LANGUAGE="ko")
        client = server.client
        access = self.sign_up(client, OLD).json["tokens"]["access_token"]
        notice = self.change_number(client, access)
        text = "[Acme] 번호 변경됨. 취소: https://app.example/#undo="
        self.assertTrue(notice.startswith(text), notice)
        undone = client.call("POST", "/v1/number-changes/undo", {"token": notice[len(text):]})
        self.assertEqual(undone.json, {"phone_number": "+82 10-****-5678", "undone": True})

    def test_a_notice_that_failed_is_tried_again(self):
        server = self.serve()
        client = server.client
        access = self.sign_up(client, OLD).json["tokens"]["access_token"]
        client.call("PUT", "/stub/behavior", {"mode": "reject", "error_code": 21610, "to_prefix": OLD})
        client.call("DELETE", "/stub/messages")
        begun = client.call("POST", "/v1/accounts/me/number-changes", {"phone_number": NEW}, access)
        client.call("POST", begun.headers["Location"] + "/checks", {"code": client.code(NEW)}, access)
        failed = wait_for(lambda: [message for message in self.outbox() if message["status"] == "failed"], "a failure")
        self.assertEqual([message["kind"] for message in failed], ["notice"])
        client.call("PUT", "/stub/behavior", {"mode": "deliver"})
        code, out, err = run("outbox", "retry", failed[0]["id"], folder=self.folder)
        self.assertEqual((code, err), (0, ""))
        notice = wait_for(lambda: client.messages(OLD, 1), "a notice")[0]
        # Once it is undone, there is nothing to tell any more.
        self.assertEqual(client.call("POST", notice[notice.index("/undo/"):]).status, 200)

    def test_settings_of_links(self):
        for address in ["https://app.example/undo", "http://app.example/undo/", "app.example/", "https://"]:
            code, _, err = run("serve", folder=self.folder, ACCOUNTS_UNDO_URL=address)
            self.assertEqual((code, len(err.splitlines())), (78, 1), err)
            self.assertIn("accounts.undo_url", err)
        out = run("check-config", folder=self.folder)[1]
        self.assertIn("undo      http://127.0.0.1:8080/undo/…, for 72 h\n", out)
        self.assertNotIn("SMS in", out)
        self.assertNotIn("which phones may not reach", out)
        long = "https://" + "a" * 30 + ".example/undo/"
        self.assertIn("takes more than one SMS in ko;", run("check-config", folder=self.folder, ACCOUNTS_UNDO_URL=long)[1])
        self.assertIn(
            "which phones may not reach", run("check-config", folder=self.folder, SERVER_HOST="192.0.2.1")[1]
        )


if __name__ == "__main__":
    unittest.main()
