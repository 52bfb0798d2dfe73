"""Supabase Auth's interface by Supabase's own library, unchanged but for the URL: every call that it has for a phone."""

import time
import uuid

import jwt
from support import ServiceTestCase
from supabase_auth import SyncGoTrueClient
from supabase_auth.errors import AuthApiError

KEY = "sb_publishable_test"
NUMBER, NEW = "+821012345678", "+821055556666"


class SupabaseTestCase(ServiceTestCase):
    settings = {
        "SUPABASE_ENABLED": "true", "SUPABASE_API_KEYS": KEY, "VERIFICATION_ALLOWED_REGIONS": "KR",
        "VERIFICATION_RESEND_COOLDOWNS_SECONDS": "0",
    }

    def setUp(self):
        super().setUp()
        self.server = self.serve()
        self.app = self.library()

    def library(self, key=KEY):
        # As supabase.create_client(url, key) makes it.
        headers = {"apiKey": key, "Authorization": f"Bearer {key}"}
        client = SyncGoTrueClient(url=self.server.url + "/auth/v1", headers=headers, auto_refresh_token=False)
        self.addCleanup(client.close)
        return client

    def sign_in(self, app, number=NUMBER, **options):
        sent = len(self.server.client.codes(number))
        app.sign_in_with_otp({"phone": number, "options": options})
        code = self.server.client.code(number, after=sent)
        return app.verify_otp({"phone": number, "token": code, "type": "sms"})

    def refused(self, work, status, code):
        """The library's own exception, by its status and code."""
        with self.assertRaises(AuthApiError) as caught:
            work()
        self.assertEqual((caught.exception.status, caught.exception.code), (status, code), caught.exception.message)
        return caught.exception.message


class SignInTests(SupabaseTestCase):
    def test_a_person_signs_up_and_comes_back(self):
        answer = self.sign_in(self.app, data={"name": "Kim"})
        user, session = answer.user, answer.session
        self.assertEqual(str(uuid.UUID(user.id)), user.id)
        self.assertEqual(
            (user.phone, user.role, user.aud, user.is_anonymous), (NUMBER[1:], "authenticated", "authenticated", False)
        )
        self.assertEqual((user.app_metadata["provider"], user.user_metadata), ("phone", {"name": "Kim"}))
        self.assertEqual([identity.provider for identity in user.identities], ["phone"])
        self.assertEqual((session.token_type, session.expires_in), ("bearer", 900))
        self.assertEqual(self.app.get_user().user.id, user.id)
        again = self.sign_in(self.library(), data={"name": "Lee"})
        self.assertEqual((again.user.id, again.user.user_metadata), (user.id, {"name": "Kim"}))

    def test_the_claims_are_those_that_row_level_security_reads(self):
        session = self.sign_in(self.app, data={"plan": "pro"}).session
        found = self.server.client.call("GET", "/auth/v1/.well-known/openid-configuration").json
        self.assertEqual(found["jwks_uri"], found["issuer"] + "/.well-known/jwks.json")
        keys = jwt.PyJWKClient(self.server.url + "/auth/v1/.well-known/jwks.json")
        key = keys.get_signing_key_from_jwt(session.access_token)
        claims = jwt.decode(
            session.access_token, key, algorithms=["ES256"], audience="authenticated", issuer=found["issuer"]
        )
        self.assertEqual(claims["sub"], session.user.id)
        self.assertEqual(str(uuid.UUID(claims["session_id"])), claims["session_id"])
        (method,) = claims.pop("amr")
        self.assertEqual(method["method"], "otp")
        self.assertLess(abs(time.time() - method["timestamp"]), 60)
        self.assertEqual(claims["exp"] - claims["iat"], 900)
        for name in ["sub", "session_id", "exp", "iat", "iss"]:
            claims.pop(name)
        self.assertEqual(
            claims,
            {
                "aal": "aal1", "app_metadata": {"provider": "phone", "providers": ["phone"]}, "aud": "authenticated",
                "email": "", "is_anonymous": False, "phone": NUMBER[1:], "role": "authenticated",
                "user_metadata": {"plan": "pro"},
            },
        )
        self.assertEqual(self.app.get_claims()["claims"]["sub"], session.user.id)

    def test_what_cannot_be_is_refused(self):
        send = lambda **credentials: lambda: self.app.sign_in_with_otp(credentials)
        self.refused(send(phone="010-1234-5678"), 400, "validation_failed")
        self.refused(send(email="kim@example.com"), 422, "email_provider_disabled")
        self.refused(lambda: self.app.sign_up({"phone": NUMBER, "password": "secret"}), 422, "phone_provider_disabled")
        self.refused(
            lambda: self.app.sign_in_with_password({"phone": NUMBER, "password": "secret"}), 422, "phone_provider_disabled"
        )
        self.refused(self.app.sign_in_anonymously, 422, "anonymous_provider_disabled")
        self.refused(lambda: self.app.reset_password_for_email("a@b.kr"), 422, "email_provider_disabled")
        self.refused(lambda: self.library("another").sign_in_with_otp({"phone": NUMBER}), 401, "no_authorization")


class SessionTests(SupabaseTestCase):
    def test_sessions_are_refreshed_and_ended(self):
        first = self.sign_in(self.app).session
        self.assertEqual(self.app.refresh_session().user.id, first.user.id)
        other = self.library()
        kept = self.sign_in(other).session
        other.sign_out({"scope": "others"})
        self.refused(self.app.refresh_session, 400, "refresh_token_not_found")
        other.set_session(kept.access_token, kept.refresh_token)
        self.assertEqual(other.get_user().user.id, first.user.id)
        other.sign_out()
        self.refused(lambda: other.get_user(kept.access_token), 403, "session_not_found")

    def test_the_same_account_and_session_are_the_native_ones(self):
        session = self.sign_in(self.app, data={"name": "Kim"}).session
        native = self.server.client.call("POST", "/v1/tokens", {"refresh_token": session.refresh_token}).json
        account = self.server.client.call("GET", "/v1/accounts/me", token=native["access_token"]).json
        self.assertEqual(account["id"], "acc_" + session.user.id.replace("-", ""))
        self.assertEqual(account["metadata"], {"name": "Kim"})
        # A token of one API is none of the other.
        self.assertEqual(self.server.client.call("GET", "/v1/accounts/me", token=session.access_token).status, 401)
        self.refused(lambda: self.app.get_user(native["access_token"]), 403, "bad_jwt")
        self.assertEqual(
            self.app.set_session(session.access_token, native["refresh_token"]).user.id, session.user.id
        )

    def test_data_is_replaced_member_by_member(self):
        self.sign_in(self.app, data={"name": "Kim", "address": {"city": "Seoul", "zip": "04524"}})
        changed = self.app.update_user({"data": {"name": None, "address": {"city": "Busan"}, "plan": "pro"}})
        self.assertEqual(changed.user.user_metadata, {"address": {"city": "Busan"}, "plan": "pro"})
        self.refused(lambda: self.app.update_user({"password": "secret"}), 422, "phone_provider_disabled")

    def test_a_number_is_changed(self):
        user = self.sign_in(self.app).user
        asked = self.app.update_user({"phone": NEW}).user
        self.assertEqual((asked.phone, asked.new_phone), (NUMBER[1:], NEW[1:]))
        code = self.server.client.code(NEW)
        self.app.resend({"type": "phone_change", "phone": NEW})
        self.assertEqual(self.server.client.code(NEW, after=1), code)
        changed = self.app.verify_otp({"phone": NEW, "token": code, "type": "phone_change"})
        self.assertEqual((changed.user.id, changed.user.phone), (user.id, NEW[1:]))
        self.assertEqual(self.app.get_user().user.phone, NEW[1:])
        self.app.refresh_session()
        self.assertIn("was changed", self.server.client.notice(NUMBER))

    def test_a_person_proves_the_number_again(self):
        self.sign_in(self.app)
        self.app.reauthenticate()
        code = self.server.client.code(NUMBER, after=1)
        self.assertIsNotNone(self.app.verify_otp({"phone": NUMBER, "token": code, "type": "sms"}).session)
