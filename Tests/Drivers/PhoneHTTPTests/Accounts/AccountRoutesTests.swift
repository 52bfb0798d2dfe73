import PhoneDomain
import PhoneTestSupport
import Testing

@Suite struct AccountRoutesTests {
    private static let me = "/v1/accounts/me"

    @Test func theHolderSeesTheAccount() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            let seen = try await server.send("GET", Self.me, token: device.accessToken)
            #expect(seen.headers["cache-control"] == "no-store")
            seen.expect(
                200,
                """
                {"id":"acc_00000000000000000000000000000004",
                 "phone_number":"+821012345678",
                 "national_format":"010-1234-5678",
                 "phone_number_verified":true,
                 "phone_number_since":"2026-01-01T00:01:00.000Z",
                 "created_at":"2026-01-01T00:01:00.000Z",
                 "last_active_at":"2026-01-01T00:01:00.000Z",
                 "metadata":{},
                 "deletion_due_at":null,
                 "consent":null}
                """
            )
        }
    }

    @Test func deletionWaitsAndEndsEverySession() async throws {
        try await TestServer.run { server in
            let (device, other) = (try await server.signIn(), try await server.signIn())
            let deleted = try await server.send("DELETE", Self.me, token: device.accessToken)
            deleted.expect(
                202,
                """
                {"id":"acc_00000000000000000000000000000004",
                 "phone_number":"+821012345678",
                 "national_format":"010-1234-5678",
                 "phone_number_verified":true,
                 "phone_number_since":"2026-01-01T00:01:00.000Z",
                 "created_at":"2026-01-01T00:01:00.000Z",
                 "last_active_at":"2026-01-01T00:02:00.000Z",
                 "metadata":{},
                 "deletion_due_at":"2026-01-15T00:02:00.000Z",
                 "consent":null}
                """
            )
            for device in [device, other] {
                #expect(try await server.send("GET", Self.me, token: device.accessToken).status == 401)
                #expect(try await server.refresh(device.refreshToken).status == 401)
            }
            #expect(try await server.send("DELETE", Self.me, token: device.accessToken).status == 401)
        }
    }
}
