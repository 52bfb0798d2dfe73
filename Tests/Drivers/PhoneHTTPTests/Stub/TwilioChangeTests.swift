import PhoneDomain
import Testing

@testable import SMSStub

/// Messages that a program changes or cancels through Twilio's Messages API.
@Suite struct TwilioChangeTests {
    private static let path = "/2010-04-01/Accounts/AC" + String(repeating: "0", count: 32)
    private static let form = "application/x-www-form-urlencoded"
    private static let message = path + "/Messages/SM00000000000000000000000000000001.json"

    private func send(_ server: TestServer, step: Duration = .zero) async throws {
        await server.inbox.setBehavior(
            StubBehavior(mode: .deliver, delay: .zero, errorCode: nil, toPrefix: nil, step: step)
        )
        _ = try await server.inbox.accept(to: "+82", from: "+1", body: "secret")
    }

    @Test func aTextIsForgotten() async throws {
        try await TestServer.run { server in
            try await send(server)
            let answer = try await server.send("POST", Self.message, "Body=", type: Self.form)
            #expect(answer.status == 200)
            #expect(answer.text("body") == "")
            #expect(answer.text("status") == "delivered")
            #expect(await server.inbox.messages(to: nil, limit: 9).map(\.body) == [""])
        }
    }

    @Test func aMessageIsCalledBackWhileItWaits() async throws {
        try await TestServer.run { server in
            try await send(server, step: .seconds(60))
            let early = try await server.send("DELETE", Self.message)
            #expect(early.status == 409)
            #expect(early.body == twilioError(20009, "This message cannot be deleted before it is at its end.", 409))
            let canceled = try await server.send("POST", Self.message, "Status=canceled", type: Self.form)
            #expect(canceled.status == 200)
            #expect(canceled.text("status") == "canceled")
            let again = try await server.send("POST", Self.message, "Status=canceled", type: Self.form)
            #expect(again.status == 409)
            #expect(again.body == twilioError(30409, "This message cannot be canceled: it is canceled.", 409))
        }
    }

    @Test(arguments: ["", "Body=x", "Status=sent", "Status=", "Body=&Status=canceled", "body="])
    func nothingElseCanBeChanged(_ body: String) async throws {
        try await TestServer.run { server in
            try await send(server)
            let refused = try await server.send("POST", Self.message, body, type: Self.form)
            #expect(refused.status == 400)
            #expect(refused.body.hasPrefix(#"{"code":30400,"#))
            #expect(await server.inbox.messages(to: nil, limit: 9).map(\.body) == ["secret"])
        }
    }

    @Test func aMessageIsDeletedOnce() async throws {
        try await TestServer.run { server in
            try await send(server)
            let deleted = try await server.send("DELETE", Self.message)
            #expect(deleted.status == 204)
            #expect(deleted.body == "")
            for (method, body) in [("DELETE", nil), ("GET", nil), ("POST", "Body="), ("POST", "Status=canceled")] {
                let gone = try await server.send(method, Self.message, body, type: body == nil ? nil : Self.form)
                #expect(gone.status == 404)
                #expect(gone.body.hasPrefix(#"{"code":20404,"#))
            }
        }
    }

    @Test(
        arguments: [
            ("Basic QUMxOnQwa2Vu", "t0ken"), ("basic QUMxOnQwa2VuOg==", "t0ken:"), ("Basic OmE=", "a"),
            ("Basic OmE", "a"),
            ("Basic QUMxOg==", nil), ("Basic QUMx", nil), ("Basic QUMxOnQwa2Vu=x", nil),
            ("Basic !!!!", nil), ("Bearer QUMxOnQwa2Vu", nil), ("Basic", nil), (nil, nil), ("Basic Ov8=", nil),
            ("Basic QUMx Onk=", nil), ("Basic QTrqsIDwn5iA+/8=", nil), ("Basic QTrqsIA+Pz8/Pj4=", "가>???>>"),
        ] as [(String?, String?)]
    )
    func whatItShowsIsWhatItIsCalledBackUnder(_ authorization: String?, token: String?) async throws {
        try await TestServer.run { server in
            let sent = try await server.send(
                "POST",
                Self.path + "/Messages.json",
                "To=%2B82&From=%2B1&Body=x&StatusCallback=http%3A%2F%2Fa%2Fb%3Fc%3Dd",
                type: Self.form,
                headers: authorization.map { ["Authorization": $0] } ?? [:]
            )
            #expect(sent.status == 201)
            let callback = try #require(await server.inbox.changes.first { _ in true }?.request.callback)
            #expect(callback.url == "http://a/b?c=d")
            #expect(callback.account == "AC" + String(repeating: "0", count: 32))
            #expect(callback.authToken == token)
        }
    }
}
