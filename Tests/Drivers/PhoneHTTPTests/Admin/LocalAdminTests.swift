import CoreEncodings
import PhoneAdministration
import PhoneDomain
import PhoneHTTP
import PhoneStore
import PhoneTestSupport
import Testing

/// `/v1/admin` in the process of a command.
@Suite struct LocalAdminTests {
    private static let operatorRoot = Owner.operator("root")

    @Test func anActNeedsNoKeyAndNoReasonAndIsTheOperators() async throws {
        try await TestServer.run { server in
            let admin = LocalAdmin(server.administration, by: Self.operatorRoot)
            let made = try await admin.send("POST", "/keys", ["name": "shop"])
            let id = try #require(made["id"]?.string)
            let page = try await admin.send("GET", "/keys?limit=10000", nil)
            #expect(page["items"]?.array?.contains { $0["id"]?.string == id } == true)
            #expect(try await admin.send("POST", "/gateways/sms/pause", ["reason": "ticket 7"]) == .null)
            var query = AuditQuery(limit: 2)
            query.owner = Self.operatorRoot
            let entries = try await server.store.entries(query).entries
            #expect(entries.map(\.reason?.description) == ["ticket 7", nil])
            #expect(entries.map(\.subject) == ["sms", id])
        }
    }

    @Test func whatIsWrongIsThrownAsItIs() async throws {
        try await TestServer.run { server in
            let admin = LocalAdmin(server.administration, by: Self.operatorRoot)
            await #expect(throws: AdministrationFailure.self) {
                try await admin.send("POST", "/keys/key_00000000000000000000000000000001/revoke", [:])
            }
            for (method, path) in [("GET", "/keys?limit=10001"), ("GET", "/odd"), ("PUT", "/keys")] {
                await #expect(throws: Problem.self) { try await admin.send(method, path, nil) }
            }
            await #expect(throws: Problem.self) { try await admin.send("POST", "/keys", ["name": "a", "reason": ""]) }
        }
    }
}
