import CoreEncodings
import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneCLI

/// The admin API of a service, as commands call it.
@Suite struct AdminAPITests {
    private func api(_ transport: ScriptedTransport, reason: String? = nil) throws -> AdminAPI {
        AdminAPI(
            server: try #require(EndpointURL("https://phone.test")),
            key: "pk_secret",
            reason: reason.flatMap { AuditReason($0) },
            transport: transport
        )
    }

    @Test func `a list is read page after page, up to its limit`() async throws {
        let transport = ScriptedTransport(
            .response(200, #"{"items": [{"id": "a"}], "next_cursor": "a", "sent": 1}"#),
            .response(200, #"{"items": [{"id": "b"}], "next_cursor": "b", "sent": 2}"#)
        )
        let list = try await api(transport).list("/messages", ["status": "failed", "gateway": nil], limit: 2)
        #expect(list.text == #"{"items":[{"id":"a"},{"id":"b"}],"next_cursor":"b","sent":2}"#)
        let url = "GET /v1/admin/messages?status=failed"
        #expect(transport.requests == ["\(url)&limit=2", "\(url)&limit=1&cursor=a"])
        #expect(transport.headers("Authorization") == ["Bearer pk_secret", "Bearer pk_secret"])
    }

    @Test func `an act has its reason, and no member that is null`() async throws {
        let transport = ScriptedTransport(.response(204, ""))
        let body = try await api(transport, reason: "ticket 7").post("/keys", ["name": "shop", "scopes": nil])
        #expect(body == .null)
        #expect(transport.requests == [#"POST /v1/admin/keys {"name":"shop","reason":"ticket 7"}"#])
    }

    @Test(arguments: [
        (404, #"{"detail": "Key not found."}"#, "Key not found.", PhoneCLI.ExitStatus.failed),
        (422, #"{"detail": "name is missing.", "field": "name"}"#, "name is missing.", .usage),
        (422, #"{"detail": "Add digits.", "field": "phone_number"}"#, "Add digits.", .failed),
        (401, #"{"detail": "Send a key."}"#, "Send a key.", .configuration),
        (503, #"{"detail": "Retry."}"#, "Retry.", .unreachable),
        (502, "<html>", "https://phone.test answered with status 502", .unreachable),
    ])
    func `a problem is the error of the command`(status: Int, body: String, detail: String, exit: PhoneCLI.ExitStatus)
        async throws
    {
        let api = try api(ScriptedTransport(.response(status, body)))
        let refusal = try await #require(throws: AdminRefusal.self) { try await api.get("/keys") }
        #expect((refusal.detail, refusal.exitStatus) == (detail, exit))
    }

    @Test func `a short ID is looked for in the list, and must be that of one`() async throws {
        let end = "00000000000000000000000000000001"
        let page =
            #"{"items": [{"id": "key_\#(end)"}, {"id": "key_1\#(end.dropFirst())"}, {"id": "key_\#(end.dropLast())2"}]}"#
        let whole = try await api(ScriptedTransport()).id("key_\(end)", in: "/keys")
        #expect(whole == "key_\(end)")
        let short = try await api(ScriptedTransport(.response(200, page))).id("key_00000002", in: "/keys")
        #expect(short == "key_\(end.dropLast())2")
        for (text, status) in [("key_00000001", 409), ("key_00000003", 404)] {
            let api = try api(ScriptedTransport(.response(200, page)))
            let refusal = try await #require(throws: AdminRefusal.self) { try await api.id(text, in: "/keys") }
            #expect(refusal.status == status)
        }
    }
}
