import HangLimit
import PhoneDomain
import Testing

@testable import PhoneDelivery

@Suite("A receiver of events that is down", .hangLimit)
struct WebhookBreakerTests {
    private static let down = ScriptedReceiver.Answer.give(.answered(status: 503, retryAfter: nil))

    @Test("it is left alone, tried with one event, and when it is well again told the others, which lost no attempt")
    func breaker() async throws {
        let world = WebhookWorld()
        for serial: UInt64 in 1...4 { try await world.announce(serial) }
        var configuration = WebhookConfiguration()
        (configuration.maxConcurrentPosts, configuration.breakerFailures) = (1, 2)
        (configuration.firstRetry, configuration.longestRetry) = (.seconds(600), .seconds(600))
        configuration.pollInterval = .seconds(3600)
        let receiver = ScriptedReceiver(script: [Self.down, Self.down, Self.down])
        try await world.running(world.dispatcher(receiver, configuration: configuration)) {
            try await world.log.logged("warning: The receiver of events fails and is left alone")
            try await world.timer.sleeper(of: .seconds(10))
            #expect(receiver.posted.count == 2)
            #expect(
                try await world.events == [
                    "queued for +300.0 seconds, attempt 1 (the receiver failed (503))",
                    "queued for +300.0 seconds, attempt 1 (the receiver failed (503))",
                    "queued for +0.0 seconds, attempt 0", "queued for +0.0 seconds, attempt 0",
                ]
            )
            // The one that finds out fails, and the next one waits twice as long.
            world.advance(by: .seconds(10))
            try await world.timer.sleeper(of: .seconds(20))
            #expect(receiver.posted.count == 3)
            world.advance(by: .seconds(20))
            try await world.log.logged("notice: The receiver takes events again")
            try await world.log.logged("info: An event was told")
            world.advance(by: .seconds(280))
            try await world.log.logged("info: An event was told", times: 4)
        }
        #expect(try await world.events == [])
        #expect(receiver.posted.count == 7)
    }

    @Test("however many are due, and may be on their way, it is tried with one")
    func probe() async throws {
        let world = WebhookWorld()
        for serial: UInt64 in 1...4 { try await world.announce(serial) }
        var configuration = WebhookConfiguration()
        (configuration.maxConcurrentPosts, configuration.breakerFailures) = (4, 4)
        (configuration.firstRetry, configuration.pollInterval) = (.seconds(2), .seconds(3600))
        let receiver = ScriptedReceiver(script: [Self.down, Self.down, Self.down, Self.down, Self.down])
        try await world.running(world.dispatcher(receiver, configuration: configuration)) {
            try await world.log.logged("info: An event will be told again", times: 4)
            try await world.timer.sleeper(of: .seconds(1))
            #expect(receiver.posted.count == 4)
            // All are due, and the receiver is left alone.
            world.advance(by: .seconds(1))
            try await world.timer.sleeper(of: .seconds(9))
            #expect(receiver.posted.count == 4)
            world.advance(by: .seconds(9))
            try await world.timer.sleeper(of: .seconds(20))
            #expect(receiver.posted.count == 5)
            world.advance(by: .seconds(20))
            try await world.log.logged("info: An event was told", times: 4)
        }
        #expect(try await world.events == [])
        #expect(receiver.posted.count == 9)
    }

    @Test("one that answers an event fails that event, and not the others", arguments: [404, 500, 501])
    func refusals(_ status: Int) async throws {
        let world = WebhookWorld()
        for serial: UInt64 in 1...3 { try await world.announce(serial) }
        var configuration = WebhookConfiguration()
        (configuration.maxConcurrentPosts, configuration.breakerFailures) = (1, 2)
        let refusal = ScriptedReceiver.Answer.give(.answered(status: status, retryAfter: nil))
        let receiver = ScriptedReceiver(script: [refusal, refusal, refusal])
        try await world.running(world.dispatcher(receiver, configuration: configuration)) {
            try await world.log.logged("info: An event will be told again", times: 3)
        }
        #expect(!world.log.messages.contains("warning: The receiver of events fails and is left alone"))
    }

    @Test("one that fails the event that finds out is well, and is told the others")
    func failedProbe() async throws {
        let world = WebhookWorld()
        for serial: UInt64 in 1...2 { try await world.announce(serial) }
        var configuration = WebhookConfiguration()
        (configuration.maxConcurrentPosts, configuration.breakerFailures) = (1, 1)
        (configuration.firstRetry, configuration.pollInterval) = (.seconds(600), .seconds(3600))
        let receiver = ScriptedReceiver(script: [Self.down, .give(.answered(status: 500, retryAfter: nil))])
        try await world.running(world.dispatcher(receiver, configuration: configuration)) {
            try await world.timer.sleeper(of: .seconds(10))
            // The first one waits longer, so that it is the second that finds out.
            world.advance(by: .seconds(10))
            try await world.log.logged("notice: The receiver takes events again")
            world.advance(by: .seconds(300))
            try await world.log.logged("info: An event was told")
        }
    }

    @Test(
        "no answer, and what a receiver says as a whole, is a fault of the receiver",
        arguments: [
            (200, false), (301, false), (400, false), (404, false), (408, true), (410, false), (425, true), (429, true),
            (500, false), (501, false), (502, true), (503, true), (504, true), (505, false), (599, false),
        ]
    )
    func faults(_ status: Int, isFault: Bool) {
        #expect(WebhookAnswer.answered(status: status, retryAfter: nil).isFault == isFault)
        #expect(WebhookAnswer.late.isFault)
    }
}
