import CoreEncodings
import PhoneDomain
import PhoneSignup
import Testing

@testable import PhoneCLI

/// Records in the form that each system's documentation describes, which ``PeopleSource`` names.
@Suite struct PeopleSourceTests {
    private static let now = "2026-11-21T09:00:00.000Z"

    private func person(_ source: PeopleSource, _ record: String) throws -> String {
        let json = try #require(JSON(parsing: record))
        do {
            return try source.person(of: json, at: Self.now).text
        } catch {
            return error.description
        }
    }

    @Test func `a user of Firebase`() throws {
        let user = """
            {"localId": "Zk1", "email": "a@example.com", "emailVerified": true, "passwordHash": "c2VjcmV0", "salt": "c2FsdA==",
             "displayName": "Kim", "photoUrl": "https://example.com/a.png", "lastSignedInAt": "1710000000000",
             "createdAt": "1700000000000", "phoneNumber": "+821012345678", "disabled": true,
             "customAttributes": "{\\"admin\\":true}", "providerUserInfo": []}
            """
        #expect(
            try person(.firebase, user) == #"""
                {"phone_number":"+821012345678","external_id":"Zk1","created_at":"2023-11-14T22:13:20.000Z",\#
                "last_active_at":"2024-03-09T16:00:00.000Z","suspended_at":"2026-11-21T09:00:00.000Z",\#
                "metadata":{"email":"a@example.com","email_verified":true,"name":"Kim","picture":"https://example.com/a.png"}}
                """#
        )
        #expect(try person(.firebase, #"{"localId": "Zk2", "email": "b@example.com"}"#) == "there is no phone number")
        #expect(try person(.firebase, #"{"phoneNumber": "+8210", "createdAt": "x"}"#) == "createdAt is no time")
    }

    @Test func `a user of Auth0, as JSON and as CSV`() throws {
        let user = """
            {"user_id": "sms|5f7c", "phone_number": "+821012345678", "phone_verified": true, "created_at": "2021-11-02T23:34:03.803Z",
             "last_login": "2022-01-01T00:00:00.000Z", "name": "Kim", "user_metadata": {"country": "KR"}, "app_metadata": {"role": "admin"},
             "blocked": false}
            """
        let head = #"{"phone_number":"+821012345678","external_id":"sms|5f7c""#
        #expect(
            try person(.auth0, user)
                == head + #","created_at":"2021-11-02T23:34:03.803Z","last_active_at":"2022-01-01T00:00:00.000Z","#
                + #""metadata":{"name":"Kim","user_metadata":{"country":"KR"}}}"#
        )
        let row = """
            {"user_id": "sms|5f7c", "phone_number": "+821012345678", "phone_verified": "true", "user_metadata.country": "KR",
             "blocked": "true"}
            """
        #expect(
            try person(.auth0, row)
                == head + #","suspended_at":"\#(Self.now)","metadata":{"user_metadata":{"country":"KR"}}}"#
        )
        let unproven = #"{"user_id": "a", "phone_number": "+8210", "phone_verified": false}"#
        #expect(try person(.auth0, unproven) == "the phone number is not verified there")
    }

    @Test func `a user of Cognito`() throws {
        func user(_ date: String, isVerified: String) -> String {
            """
            {"Username": "kim", "Attributes": [{"Name": "sub", "Value": "1d2e"}, {"Name": "phone_number_verified", "Value": "\(isVerified)"},
             {"Name": "phone_number", "Value": "+821012345678"}, {"Name": "name", "Value": "Kim"}, {"Name": "custom:role", "Value": "admin"}],
             "UserCreateDate": \(date), "UserLastModifiedDate": 1700000009.5, "Enabled": true, "UserStatus": "CONFIRMED"}
            """
        }
        let expected =
            #"{"phone_number":"+821012345678","external_id":"1d2e","created_at":"2023-11-14T22:13:20.250Z","#
            + #""metadata":{"username":"kim","name":"Kim"}}"#
        #expect(try person(.cognito, user("1700000000.25", isVerified: "true")) == expected)
        #expect(try person(.cognito, user(#""2023-11-14T22:13:20.250000+00:00""#, isVerified: "true")) == expected)
        #expect(
            try person(.cognito, user("1700000000", isVerified: "false")) == "the phone number is not verified there"
        )
    }

    @Test func `a user of Supabase, from the table and from the API`() throws {
        let row = """
            {"id": "6f1a", "phone": "821012345678", "phone_confirmed_at": "2023-11-14 22:13:20.5+00",
             "created_at": "2023-11-14 22:13:20.123456+00", "last_sign_in_at": "2024-01-02 03:04:05+09", "banned_until": "2023-12-01 00:00:00+00",
             "raw_user_meta_data": "{\\"name\\": \\"Kim\\"}", "raw_app_meta_data": "{\\"role\\": \\"admin\\"}", "encrypted_password": ""}
            """
        let expected =
            #"{"phone_number":"+821012345678","external_id":"6f1a","created_at":"2023-11-14T22:13:20.123Z","#
            + #""last_active_at":"2024-01-01T18:04:05.000Z","metadata":{"user_metadata":{"name":"Kim"}}}"#
        #expect(try person(.supabase, row) == expected)
        let user = """
            {"id": "6f1a", "aud": "authenticated", "role": "authenticated", "email": "", "phone": "821012345678",
             "phone_confirmed_at": "2023-11-14T22:13:20Z", "created_at": "2023-11-14T22:13:20.123456Z",
             "last_sign_in_at": "2024-01-01T18:04:05Z", "app_metadata": {"provider": "phone"}, "user_metadata": {"name": "Kim"}}
            """
        #expect(try person(.supabase, user) == expected)
        let banned =
            #"{"id": "1", "phone": "8210", "phone_confirmed_at": "2023-11-14T22:13:20Z", "banned_until": "2123-12-01T00:00:00Z"}"#
        #expect(
            try person(.supabase, banned)
                == #"{"phone_number":"+8210","external_id":"1","suspended_at":"2026-11-21T09:00:00.000Z"}"#
        )
        #expect(try person(.supabase, #"{"id": "1", "phone": "8210"}"#) == "the phone number is not verified there")
    }

    @Test func `a row with our own columns`() throws {
        let row =
            #"{"phone_number": "010-1234-5678", "created_at": "2024-01-02", "metadata.plan": "free", "external_id": "7"}"#
        #expect(
            try person(.csv, row)
                == #"{"phone_number":"010-1234-5678","created_at":"2024-01-02T00:00:00.000Z","external_id":"7","metadata":{"plan":"free"}}"#
        )
        let fault = try person(.csv, #"{"phone_number": "010", "email": "x"}"#)
        #expect(fault.hasPrefix("unknown column email: there are id, phone_number, region, external_id, created_at,"))
    }

    @Test(arguments: [
        ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000Z"), ("2026-01-02 03:04:05", "2026-01-02T03:04:05.000Z"),
        ("2026-01-02 03:04:05.678-09", "2026-01-02T12:04:05.678Z"), ("1767323045", "2026-01-02T03:04:05.000Z"),
        ("1767323045678", "2026-01-02T03:04:05.678Z"), ("2026-01-02", "2026-01-02T00:00:00.000Z"), ("", nil),
        ("yesterday", nil), ("inf", nil), ("2026-13-02", nil),
    ])
    func `a time is read as exports write it`(text: String, expected: String?) {
        #expect(Timestamp(exported: text)?.description == expected)
    }
}
