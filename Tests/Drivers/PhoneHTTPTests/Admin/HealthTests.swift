import PhoneTestSupport
import Synchronization
import Testing

@Suite struct HealthTests {
    @Test func isReadyWhileItCanWork() async throws {
        let canWork = Mutex(true)
        try await TestServer.run(isReady: { if !canWork.withLock(\.self) { throw Outage() } }) { server in
            for path in ["/health/live", "/health/ready"] {
                let answer = try await server.send("GET", path)
                answer.expect(200, #"{"status":"ok"}"#)
            }
            canWork.withLock { $0 = false }
            #expect(try await server.send("GET", "/health/live").status == 200)
            let refused = try await server.send("GET", "/health/ready")
            refused.expect(503, code: "unavailable")
            #expect(refused.headers["retry-after"] == "5")
            #expect(refused.headers["content-type"] == "application/problem+json")
            #expect(server.log.lines.contains { $0.contains("error.cause=Outage()") })
        }
    }
}
