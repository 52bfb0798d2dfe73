import PhoneAccounts
import PhoneDomain
import PhoneStore
import PhoneTestSupport
import Testing

@Suite struct APIKeyTests {
    private static let number = #"{"phone_number":"010-1234-5678"}"#

    @Test func nobodyIsServedWithoutAGoodKey() async throws {
        try await TestServer.run(servesLocalCallers: false) { server in
            let key = try await server.key("shop")
            let name = try #require(CallerName("old"))
            let (old, secret) = try await server.keys.create(name: name, scopes: [.verifications])
            _ = try await server.store.revoke(old.id, at: server.clock.now())
            let path = "/v1/verifications/ver_00000000000000000000000000000001"
            let calls: [(String, String, String?)] = [
                ("POST", "/v1/verifications", Self.number), ("GET", path, nil), ("DELETE", path, nil),
                ("POST", path + "/checks", #"{"code":"314159"}"#), ("GET", "/v1/phone-numbers/01012345678", nil),
            ]
            for (method, path, body) in calls {
                let none = try await server.send(method, path, body)
                none.expect(401, code: "unauthorized")
                #expect(none.headers["www-authenticate"] == #"Bearer realm="phoneproof""#)
                for token in [
                    secret.text, key + "0", String(key.dropLast()), String(key.prefix(36)) + "2", "sgt_1", "pk_",
                    "pk__",
                ] {
                    let answer = try await server.send(method, path, body, token: token)
                    #expect(answer.status == 401, "\(token)")
                    #expect(answer.headers["www-authenticate"] == #"Bearer realm="phoneproof", error="invalid_token""#)
                }
            }
            let basic = try await server.send("GET", path, headers: ["Authorization": "Basic " + key])
            #expect(basic.headers["www-authenticate"] == #"Bearer realm="phoneproof""#)
            #expect(await server.store.outbox.isEmpty)
            #expect(try await server.send("POST", "/v1/verifications", Self.number, token: key).status == 201)
        }
    }

    /// Requests that change something do not look up a key that was valid a moment ago; their commands check it.
    @Test func aKnownKeyIsInvalidImmediatelyAsWell() async throws {
        try await TestServer.run(servesLocalCallers: false) { server in
            let name = try #require(CallerName("shop"))
            let (stored, secret) = try await server.keys.create(name: name, scopes: [.verifications])
            let (id, key) = (stored.id, secret.text)
            var path = ""
            for number in ["010-1234-5678", "010-8765-4321"] {
                let body = #"{"phone_number":"\#(number)"}"#
                let begun = try await server.send("POST", "/v1/verifications", body, token: key)
                path = try #require(begun.headers["location"])
            }
            _ = try await server.store.revoke(id, at: server.clock.now())
            let messages = await server.store.outbox.count
            for (path, body) in [
                ("/v1/verifications", #"{"phone_number":"010-5555-6666"}"#), (path + "/checks", #"{"code":"314159"}"#),
            ] {
                for headers in [[:], ["Idempotency-Key": "\"1\""]] {
                    let answer = try await server.send("POST", path, body, token: key, headers: headers)
                    answer.expect(401, code: "unauthorized")
                    #expect(answer.headers["www-authenticate"] == #"Bearer realm="phoneproof", error="invalid_token""#)
                }
            }
            #expect(await server.store.outbox.count == messages)
            #expect(try await server.send("POST", path + "/checks", "{}", token: key + "0").status == 401)
        }
    }

    @Test func aKeyIsGoodForItsScopeAlone() async throws {
        try await TestServer.run { server in
            let key = try await server.key("grafana", [.admin])
            let answer = try await server.send("POST", "/v1/verifications", Self.number, token: key)
            answer.expect(403, code: "insufficient_scope")
            #expect(
                answer.headers["www-authenticate"]
                    == #"Bearer realm="phoneproof", error="insufficient_scope", scope="verifications""#
            )
        }
    }

    @Test func keysOfOneNameAreOneCaller() async throws {
        try await TestServer.run(servesLocalCallers: false) { server in
            let first = try await server.key("shop")
            let second = try await server.key("shop")
            let other = try await server.key("bank")
            let begun = try await server.send("POST", "/v1/verifications", Self.number, token: first)
            let path = try #require(begun.headers["location"])
            #expect(try await server.send("GET", path, token: second).status == 200)
            #expect(try await server.send("GET", path, token: other).status == 404)
            #expect(
                try await server.send("POST", path + "/checks", #"{"code":"314159"}"#, token: other).status == 404
            )
            #expect(try await server.send("DELETE", path, token: other).status == 404)
            #expect(
                try await server.send("POST", path + "/checks", #"{"code":"314159"}"#, token: second).status == 200
            )
        }
    }

    @Test func withoutTheStoreAKeyIsNeitherValidNorInvalid() async throws {
        try await TestServer.run(servesLocalCallers: false) { server in
            let key = try await server.key("shop")
            server.store.fail(with: Outage())
            let answer = try await server.send("GET", "/v1/phone-numbers/01012345678", token: key)
            #expect(answer.status == 503)
            #expect(answer.headers["retry-after"] == "5")
        }
    }

    @Test func aProgramOnTheMachineItselfNeedsNoneIfThatIsAllowed() async throws {
        try await TestServer.run { server in
            #expect(try await server.send("POST", "/v1/verifications", Self.number).status == 201)
            let proxied = try await server.send(
                "POST",
                "/v1/verifications",
                Self.number,
                headers: ["X-Forwarded-For": "203.0.113.7"]
            )
            #expect(proxied.status == 401)
            #expect(try await server.send("POST", "/v1/verifications", Self.number, token: "pk_wrong").status == 401)
        }
    }
}
