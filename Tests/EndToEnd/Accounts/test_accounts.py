"""The life of an account, as a client of the running service lives through it, and what its old number can undo."""

import json
import re

from support import ServiceTestCase, run, sql, wait_for

OLD, NEW = "+821012345678", "+821087654321"


class AccountTestCase(ServiceTestCase):
    # Or a number would have to wait between two signups.
    settings = {"VERIFICATION_RESEND_COOLDOWNS_SECONDS": 0}

    def signed_up(self, client, number, status=201, **headers):
        done = client.sign_up(number, **headers)
        self.assertEqual(done.status, status, done.text)
        return done

    def refresh(self, client, token):
        return client.call("POST", "/v1/tokens", {"refresh_token": token})

    def change_number(self, client, access, number):
        before = len(client.codes(number))
        begun = client.call("POST", "/v1/accounts/me/number-changes", {"phone_number": number}, access)
        self.assertEqual(begun.status, 201, begun.text)
        return client.call("POST", begun.headers["Location"] + "/checks", {"code": client.code(number, before)}, access)


class AccountTests(AccountTestCase):
    def test_an_account_keeps_the_consent_of_its_owner(self):
        rules = {"terms_url": "https://ace.example/terms", "privacy_url": None}
        settings = {"PAGES_TERMS_URL": rules["terms_url"], "PAGES_CONSENT_VERSION": "2026-01-01"}
        server = self.serve(PAGES_CONSENT="required", **settings)
        client = server.client
        path, token = client.begin_signup(OLD)
        shown = client.call("GET", path, token=token).json["consent"]
        self.assertEqual(shown, {"version": "2026-01-01", "is_required": True, **rules})
        code = client.code(OLD)
        for consent in ({}, {"consent": "2025-01-01"}):
            refused = client.call("POST", path + "/sign-up", {"code_text": code, **consent}, token)
            self.assertEqual((refused.status, refused.json["code"]), (422, "consent_required"))
            self.assertEqual(refused.json["signup"]["state"]["failure"]["message"], "Agree to the terms to continue.")
        done = client.call("POST", path + "/sign-up", {"code_text": code, "consent": "2026-01-01"}, token)
        self.assertEqual(done.status, 201, done.text)
        export = client.call("GET", "/v1/accounts/me/export", token=done.json["tokens"]["access_token"]).json
        consent = export["account"]["consent"]
        self.assertEqual((consent["version"], consent["accepted_at"]), ("2026-01-01", export["account"]["created_at"]))
        self.assertEqual([signup["consent_version"] for signup in export["signups"]], ["2026-01-01"])
        shown = self.done("accounts", "show", OLD)
        self.assertRegex(shown, r"Consent to +2026-01-01\nConsented +20")
        # The prompt asks as well, here and on a server, before it sends anything.
        for number, place in ("01087654321", ()), ("01087654322", ("--server", server.url)):
            refused = run("signup", *place, folder=self.folder, stdin=f"n\n{number}\n", PAGES_CONSENT="required", **settings)
            self.assertEqual((refused[0], refused[2]), (130, "Signup canceled.\n"), refused)
            self.assertIn("I agree to the Terms of Service (https://ace.example/terms).\nAgree? (y: yes, n: no)\n", refused[1])
            self.assertNotIn("Phone number", refused[1])

    def test_sessions_outlive_the_service(self):
        # Without an issuer that is set, tokens would name the port of before.
        server = self.serve(TOKENS_ISSUER="https://phone.example.com")
        tokens = self.signed_up(server.client, "+821012345678").json["tokens"]
        server.kill()
        client = self.serve(TOKENS_ISSUER="https://phone.example.com").client
        self.assertEqual(client.call("GET", "/v1/accounts/me", token=tokens["access_token"]).status, 200)
        self.assertEqual(self.refresh(client, tokens["refresh_token"]).status, 200)

    def test_what_is_printed_of_an_account_acts_on_no_terminal(self):
        client = self.serve(SMS_GATEWAY="stub").client
        access = self.signed_up(client, "+821012345678").json["tokens"]["access_token"]
        hostile = "".join(map(chr, [0x1B, *range(0x7F, 0xA0), 0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F),
                                    *range(0x2066, 0x206A), 0x2028]))
        # After U+0600, which binds to what follows, each is no grapheme cluster of its own.
        metadata = {"name": hostile, "bound": "\u0600\x9b2J", "path": "\\\u202e", "fine": "\t가\U0001f469\u200d\U0001f4bb"}
        body = json.dumps({"metadata": metadata})
        self.assertEqual(client.call("PATCH", "/v1/accounts/me", body, access).status, 200)
        out = self.done("accounts", "export", "+821012345678")
        self.assertEqual(set(hostile) & set(out), set())
        self.assertEqual(json.loads(out)["account"]["metadata"], metadata)

    def test_all_that_is_held_is_exported(self):
        client = self.serve().client
        done = self.signed_up(client, "+821012345678", **{"User-Agent": "Test/1"})
        tokens = done.json["tokens"]
        self.assertEqual(self.change_number(client, tokens["access_token"], "+821087654321").status, 200)
        export = client.call("GET", "/v1/accounts/me/export", token=tokens["access_token"])
        self.assertEqual(export.status, 200, export.text)
        self.assertEqual(
            (export.headers["Content-Disposition"], export.headers["Cache-Control"]),
            ('attachment; filename="phoneproof-account.json"', "no-store"),
        )
        held = export.json
        self.assertEqual(held["account"]["phone_number"], "+821087654321")
        self.assertEqual([session["user_agent"] for session in held["sessions"]], ["Test/1"])
        changes = [(change["old_phone_number"], change["new_phone_number"]) for change in held["number_changes"]]
        self.assertEqual(changes, [("+821012345678", "+821087654321")])
        numbers = [verification["phone_number"] for verification in held["verifications"]]
        self.assertEqual(numbers, ["+821012345678", "+821087654321"])
        self.assertEqual(len(held["messages"]), 3)
        actions = [entry["action"] for entry in held["audit"]]
        for action in ("begin", "approve", "sign_up", "change_number"):
            self.assertIn(action, actions)
        for secret in (tokens["refresh_token"], done.json["id"].replace("sgn", "sgt"), "digest", "sealed"):
            self.assertNotIn(secret, export.text)
        self.assertNotRegex(export.text, r'"code')
        # Each reads the audit log, which may be long.
        again = [client.call("GET", "/v1/accounts/me/export", token=tokens["access_token"]) for _ in range(10)]
        self.assertEqual([answer.status for answer in again], [200] * 9 + [429])
        self.assertEqual(again[-1].json["code"], "rate_limited")

    def test_a_dormant_account_is_quarantined(self):
        client = self.serve(ACCOUNTS_RECYCLING="quarantine").client
        old = self.signed_up(client, "+821012345678").json
        sql(self.folder, "UPDATE account SET last_active_at = last_active_at - 8640000000")
        new = self.signed_up(client, "+821012345678").json
        self.assertNotEqual(new["account"]["id"], old["account"]["id"])
        # Whoever still holds the old one has it for a while, without its number.
        me = client.call("GET", "/v1/accounts/me", token=old["tokens"]["access_token"])
        self.assertEqual((me.status, me.json["phone_number"], me.json["phone_number_verified"]), (200, None, False))
        self.assertIsNotNone(me.json["deletion_due_at"])
        other = self.change_number(client, old["tokens"]["access_token"], "+821087654321")
        self.assertEqual((other.status, other.json["deletion_due_at"]), (200, None))


class UndoTests(AccountTestCase):
    def notice_of_change(self, client, access):
        """Goes from the old number to the new one; gives what the old one is sent."""
        changed = self.change_number(client, access, NEW)
        self.assertEqual((changed.status, changed.json["phone_number"]), (200, NEW), changed.text)
        return client.notice(OLD)

    def test_the_old_number_gets_the_account_back(self):
        server = self.serve()
        client = server.client
        done = self.signed_up(client, OLD)
        access = done.json["tokens"]["access_token"]
        notice = self.notice_of_change(client, access)
        text = "Your PhoneProof phone number was changed. If this wasn't you, undo it: "
        found = re.fullmatch(re.escape(text) + r"http://127\.0\.0\.1(?::\d+)?(/undo/([A-Za-z0-9_-]{22}))", notice)
        self.assertIsNotNone(found, notice)
        path, token = found.groups()

        page = client.call("GET", path)
        self.assertEqual((page.status, page.headers["Content-Type"]), (200, "text/html; charset=utf-8"))
        self.assertIn('changed from <span class="whole">+82 10-****-5678</span> to another number', page.text)
        self.assertNotIn("8765", page.text)
        me = client.call("GET", "/v1/accounts/me", token=access)
        self.assertEqual((me.status, me.json["phone_number"]), (200, NEW))

        pressed = client.post_form(path, {})
        self.assertEqual(pressed.status, 200, pressed.text)
        self.assertIn("Your number was restored", pressed.text)
        self.assertEqual(client.call("GET", "/v1/accounts/me", token=access).status, 401)
        refreshed = client.call("POST", "/v1/tokens", {"refresh_token": done.json["tokens"]["refresh_token"]})
        self.assertEqual(refreshed.status, 401)
        self.assertEqual([client.call(method, path).status for method in ("GET", "POST")], [404, 404])

        again = self.signed_up(client, OLD, 200)
        self.assertIs(again.json["account"]["is_new"], False)
        self.assertEqual(again.json["account"]["id"], done.json["account"]["id"])
        notices = [message for message in self.outbox() if message["kind"] == "notice"]
        self.assertEqual([message["phone_number"] for message in notices], [OLD])
        self.assertIsNotNone(notices[0]["number_change_id"])
        self.assertNotIn(token, server.log_text)

    def test_a_link_may_lead_to_a_page_of_the_operators_own(self):
        server = self.serve(ACCOUNTS_UNDO_URL="https://app.example/#undo=", MESSAGES_SERVICE_NAME="Acme", LOCALE_LANGUAGE="ko")
        client = server.client
        access = self.signed_up(client, OLD).json["tokens"]["access_token"]
        notice = self.notice_of_change(client, access)
        text = "[Acme] 번호 변경됨. 취소: https://app.example/#undo="
        self.assertTrue(notice.startswith(text), notice)
        undone = client.call("POST", "/v1/number-changes/undo", {"token": notice[len(text):]})
        self.assertEqual(undone.json, {"phone_number": "+82 10-****-5678", "undone": True})

    def test_a_notice_that_failed_is_tried_again(self):
        server = self.serve()
        client = server.client
        access = self.signed_up(client, OLD).json["tokens"]["access_token"]
        client.call("PUT", "/stub/behavior", {"mode": "reject", "error_code": 21610, "to_prefix": OLD})
        self.assertEqual(self.change_number(client, access, NEW).status, 200)
        failed = wait_for(lambda: [message for message in self.outbox() if message["status"] == "failed"], "a failure")
        self.assertEqual([message["kind"] for message in failed], ["notice"])
        client.call("PUT", "/stub/behavior", {"mode": "deliver"})
        self.done("outbox", "retry", failed[0]["id"])
        notice = client.notice(OLD)
        # Once it is undone, nobody is notified any more.
        self.assertEqual(client.call("POST", notice[notice.index("/undo/"):]).status, 200)
