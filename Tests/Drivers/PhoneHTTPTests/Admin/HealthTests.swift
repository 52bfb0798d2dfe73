import PhoneTestSupport
import Synchronization
import Testing

@Suite struct HealthTests {
    private final class Switch: Sendable {
        let isOn = Mutex(true)
        struct Off: Error {}

        func check() throws {
            guard isOn.withLock({ $0 }) else { throw Off() }
        }
    }

    @Test func isReadyWhileItCanWork() async throws {
        let power = Switch()
        try await TestServer.run(isReady: { try power.check() }) { server in
            for path in ["/health/live", "/health/ready"] {
                let answer = try await server.send("GET", path)
                #expect(answer.status == 200)
                #expect(answer.body == #"{"status":"ok"}"#)
            }
            power.isOn.withLock { $0 = false }
            #expect(try await server.send("GET", "/health/live").status == 200)
            let refused = try await server.send("GET", "/health/ready")
            #expect(refused.status == 503)
            #expect(refused.headers["retry-after"] == "5")
            #expect(refused.headers["content-type"] == "application/problem+json")
            #expect(refused.text("code") == "unavailable")
            #expect(server.log.lines.contains { $0.contains("error.cause=Off()") })
        }
    }
}
