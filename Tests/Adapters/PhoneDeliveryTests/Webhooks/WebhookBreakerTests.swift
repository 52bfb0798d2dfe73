import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite("The circuit breaker of a webhook receiver", .hangLimit)
struct WebhookBreakerTests {
    private static let down = ScriptedReceiver.Answer.give(.answered(status: 503, retryAfter: nil))

    @Test("it opens, sends one probe, and when the receiver has recovered the others, which lost no attempt")
    func breaker() async throws {
        let world = WebhookWorld()
        for serial: UInt64 in 1...4 { try await world.announce(serial) }
        var configuration = WebhookConfiguration()
        (configuration.maxConcurrentPosts, configuration.breakerFailures) = (1, 2)
        (configuration.firstRetry, configuration.longestRetry) = (.seconds(600), .seconds(600))
        configuration.pollInterval = .seconds(3600)
        let receiver = ScriptedReceiver(script: [Self.down, Self.down, Self.down])
        try await world.running(world.dispatcher(receiver, configuration: configuration)) {
            try await world.log.logged("warning: The webhook receiver's circuit breaker opened")
            try await world.timer.sleeper(of: .seconds(10))
            #expect(receiver.posted.count == 2)
            #expect(
                try await world.events == [
                    "queued for +300.0 seconds, attempt 1 (the receiver failed (503))",
                    "queued for +300.0 seconds, attempt 1 (the receiver failed (503))",
                    "queued for +0.0 seconds, attempt 0", "queued for +0.0 seconds, attempt 0",
                ]
            )
            // The probe fails, and the next one is after twice the time.
            world.advance(by: .seconds(10))
            try await world.timer.sleeper(of: .seconds(20))
            #expect(receiver.posted.count == 3)
            world.advance(by: .seconds(20))
            try await world.log.logged("notice: The webhook receiver's circuit breaker closed")
            try await world.log.logged("info: An event was delivered")
            world.advance(by: .seconds(280))
            try await world.log.logged("info: An event was delivered", times: 4)
        }
        #expect(try await world.events == [])
        #expect(receiver.posted.count == 7)
    }

    @Test("the probe is one event, however many are due and allowed")
    func probe() async throws {
        let world = WebhookWorld()
        for serial: UInt64 in 1...4 { try await world.announce(serial) }
        var configuration = WebhookConfiguration()
        (configuration.maxConcurrentPosts, configuration.breakerFailures) = (4, 4)
        (configuration.firstRetry, configuration.pollInterval) = (.seconds(2), .seconds(3600))
        let receiver = ScriptedReceiver(script: [Self.down, Self.down, Self.down, Self.down, Self.down])
        try await world.running(world.dispatcher(receiver, configuration: configuration)) {
            try await world.log.logged("info: An event will be retried", times: 4)
            try await world.timer.sleeper(of: .seconds(1))
            #expect(receiver.posted.count == 4)
            // All are due, and the breaker is open.
            world.advance(by: .seconds(1))
            try await world.timer.sleeper(of: .seconds(9))
            #expect(receiver.posted.count == 4)
            world.advance(by: .seconds(9))
            try await world.timer.sleeper(of: .seconds(20))
            #expect(receiver.posted.count == 5)
            world.advance(by: .seconds(20))
            try await world.log.logged("info: An event was delivered", times: 4)
        }
        #expect(try await world.events == [])
        #expect(receiver.posted.count == 9)
    }

    @Test("an error response fails that event, and not the others", arguments: [404, 500, 501])
    func refusals(_ status: Int) async throws {
        let world = WebhookWorld()
        for serial: UInt64 in 1...3 { try await world.announce(serial) }
        var configuration = WebhookConfiguration()
        (configuration.maxConcurrentPosts, configuration.breakerFailures) = (1, 2)
        let refusal = ScriptedReceiver.Answer.give(.answered(status: status, retryAfter: nil))
        let receiver = ScriptedReceiver(script: [refusal, refusal, refusal])
        try await world.running(world.dispatcher(receiver, configuration: configuration)) {
            try await world.log.logged("info: An event will be retried", times: 3)
        }
        #expect(!world.log.messages.contains("warning: The webhook receiver's circuit breaker opened"))
    }

    @Test("an error response to the probe closes it")
    func failedProbe() async throws {
        let world = WebhookWorld()
        for serial: UInt64 in 1...2 { try await world.announce(serial) }
        var configuration = WebhookConfiguration()
        (configuration.maxConcurrentPosts, configuration.breakerFailures) = (1, 1)
        (configuration.firstRetry, configuration.pollInterval) = (.seconds(600), .seconds(3600))
        let receiver = ScriptedReceiver(script: [Self.down, .give(.answered(status: 500, retryAfter: nil))])
        try await world.running(world.dispatcher(receiver, configuration: configuration)) {
            try await world.timer.sleeper(of: .seconds(10))
            // The first one's retry is later, so the second is the probe.
            world.advance(by: .seconds(10))
            try await world.log.logged("notice: The webhook receiver's circuit breaker closed")
            world.advance(by: .seconds(300))
            try await world.log.logged("info: An event was delivered")
        }
    }

    @Test(
        "no response, and a status that means the whole receiver, is a fault",
        arguments: [
            (200, false), (301, false), (400, false), (404, false), (408, true), (410, false), (425, true), (429, true),
            (500, false), (501, false), (502, true), (503, true), (504, true), (505, false), (599, false),
        ]
    )
    func faults(_ status: Int, isFault: Bool) {
        #expect(WebhookResult.answered(status: status, retryAfter: nil).isFault == isFault)
        #expect(WebhookResult.late.isFault)
    }
}
