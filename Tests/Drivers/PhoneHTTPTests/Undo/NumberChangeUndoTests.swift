import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneHTTP

@Suite struct NumberChangeUndoTests {
    private static let path = "/v1/number-changes/undo"

    private static func undo(_ server: TestServer, _ token: String) async throws -> Answer {
        try await server.send("POST", path, #"{"token":"\#(token)"}"#)
    }

    private static let notFound = json(
        """
        {"type":"urn:phoneproof:problem:number_change_not_found",
         "title":"Number change not found",
         "status":404,
         "detail":"There is no such number change, or it can no longer be undone.",
         "code":"number_change_not_found",
         "message":"This change can no longer be undone."}
        """
    )

    @Test func theNumberComesBackOnce() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            let token = try await server.changeNumber(device)
            let undone = try await Self.undo(server, token)
            undone.expect(200, #"{"phone_number":"+82 10-****-5678","undone":true}"#)
            #expect(try await server.number(of: device) == nil)
            let again = try await Self.undo(server, token)
            again.expect(404, Self.notFound)
        }
    }

    @Test(arguments: ["", "x", "AAAAAAAAAAAAAAAAAAAAAA", "가나다라마바사아", "\\u0000", "../../etc/passwd"])
    func whatIsNoSecretUndoesNothing(token: String) async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            _ = try await server.changeNumber(device)
            let refused = try await Self.undo(server, token)
            refused.expect(404, Self.notFound)
            #expect(try await server.number(of: device) == "+821087654321")
        }
    }

    @Test(arguments: [
        ("{}", "token is missing."), (#"{"token":1}"#, "token must be a string."),
        (#"{"token":null}"#, "token must be a string."),
    ])
    func aSecretIsNeeded(body: String, detail: String) async throws {
        try await TestServer.run { server in
            let refused = try await server.send("POST", Self.path, body)
            refused.expect(422, code: "invalid_request", detail: detail)
        }
    }

    @Test func anOutageIsAProblem() async throws {
        try await TestServer.run { server in
            let token = try await server.changeNumber(server.signIn())
            server.store.fail(with: Outage())
            let refused = try await Self.undo(server, token)
            refused.expect(503, code: "unavailable")
        }
    }

    @Test func aPageOfTheOperatorsOwnMayAsk() async throws {
        let page = "https://app.example"
        try await TestServer.run(origins: CrossOrigins([try #require(WebOrigin(page))])) { server in
            let asked = try await server.send(
                "OPTIONS",
                Self.path,
                headers: ["Origin": page, "Access-Control-Request-Method": "POST"]
            )
            #expect(asked.headers["access-control-allow-origin"] == page)
            #expect(asked.headers["access-control-allow-methods"] == "OPTIONS, POST")
        }
    }
}
