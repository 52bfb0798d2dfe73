import PhoneAccounts
import PhoneDomain
import PhoneHTTP
import Testing

@Suite struct MetricsTests {
    @Test func theMachineItselfAndClientsWithTheScope() async throws {
        try await TestServer.run(servesLocalCallers: false) { server in
            let local = try await server.send("GET", "/metrics")
            #expect(local.status == 200)
            #expect(local.body == "up 1\n")
            let open = try await server.send("GET", "/metrics", headers: ["Accept": "application/openmetrics-text"])
            #expect(open.status == 200)
            #expect(open.body == "up 1\n# EOF\n")

            let elsewhere = ["Host": "phoneproof.example"]
            #expect(try await server.send("GET", "/metrics", headers: elsewhere).status == 401)
            let name = try #require(CallerName("prometheus"))
            for (scope, status) in [(APIScope.admin, 200), (.verifications, 403)] {
                let (_, secret) = try await server.keys.create(name: name, scopes: [scope])
                let answer = try await server.send("GET", "/metrics", token: secret.text, headers: elsewhere)
                #expect(answer.status == status)
            }
        }
    }

    @Test func withoutMetricsThereIsNoSuchPath() async throws {
        try await TestServer.run(metrics: nil) { server in
            let answer = try await server.send("GET", "/metrics")
            #expect(answer.status == 404)
        }
    }
}
