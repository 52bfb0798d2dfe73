import PhoneDomain
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite("The webhook dispatcher", .hangLimit)
struct WebhookDispatcherTests {
    @Test("it sleeps until it is woken, posts, and deletes what was delivered")
    func wake() async throws {
        let world = WebhookWorld()
        let receiver = ScriptedReceiver()
        try await world.running(world.dispatcher(receiver)) {
            try await world.timer.sleeper(of: .seconds(2))
            try await world.announce()
            try await world.log.logged("info: An event was delivered")
        }
        #expect(try await world.events == [])
        let body =
            #"{"data":{"created_at":"2026-01-01T00:00:00.000Z","id":"acc_00000000000000000000000000000001","#
            + #""national_format":"010-1234-5671","phone_number":"+821012345671","region":"KR","#
            + #""verification_id":"ver_00000000000000000000000000000001"},"#
            + #""timestamp":"2026-01-01T00:00:00.000Z","type":"account.created"}"#
        #expect(
            receiver.posted == [
                WebhookRequest(
                    headers: [
                        "content-type": "application/json", "user-agent": "PhoneProof",
                        "webhook-id": "evt_account_created_00000000000000000000000000000001",
                        "webhook-timestamp": "1767225600",
                        "webhook-signature":
                            "v1,evt_account_created_00000000000000000000000000000001.1767225600.\(body.utf8.count)",
                    ],
                    body: Array(body.utf8)
                )
            ]
        )
        #expect(
            world.log.lines == [
                "info: An event was delivered [event.attempt=1 event.id=evt_account_created_00000000000000000000000000000001 "
                    + "event.kind=account.created]"
            ]
        )
    }

    @Test("posting is a part of the event's trace")
    func trace() async throws {
        let world = WebhookWorld()
        let place = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        try await TraceParent.$current.withValue(TraceParent(place)) { try await world.announce() }
        let receiver = ScriptedReceiver()
        try await world.running(world.dispatcher(receiver)) { try await receiver.posts(1) }
        #expect(receiver.posted.map { $0.headers["traceparent"] } == [place])
    }

    @Test("an event of another process is found at the next poll")
    func poll() async throws {
        let world = WebhookWorld()
        let receiver = ScriptedReceiver()
        try await world.running(world.dispatcher(receiver)) {
            try await world.timer.sleeper(of: .seconds(2))
            try await world.store.restore([
                .event(
                    Event(.guardBlocked, of: .prefix("+82101234"), occurredAt: world.wall.now(), at: world.wall.now())
                )
            ])
            world.advance(by: .seconds(2))
            try await receiver.posts(1)
        }
        #expect(try await world.events == [])
    }

    @Test(
        "the receiver's response determines what follows",
        arguments: [
            (WebhookResult.answered(status: 200, retryAfter: nil), []),
            (.answered(status: 299, retryAfter: nil), []),
            (
                .answered(status: 301, retryAfter: nil),
                ["queued for +2.5 seconds, attempt 1 (the receiver redirected the request (301))"]
            ),
            (
                .answered(status: 404, retryAfter: nil),
                ["queued for +2.5 seconds, attempt 1 (the receiver rejected it (404))"]
            ),
            (.answered(status: 410, retryAfter: nil), ["failed, attempt 1 (the receiver unsubscribed (410))"]),
            (
                .answered(status: 429, retryAfter: .seconds(60)),
                ["queued for +60.0 seconds, attempt 1 (the receiver is rate limiting (429))"]
            ),
            (
                .answered(status: 503, retryAfter: .seconds(86_400)),
                ["queued for +3600.0 seconds, attempt 1 (the receiver failed (503))"]
            ),
            (
                .answered(status: 500, retryAfter: .zero),
                ["queued for +2.5 seconds, attempt 1 (the receiver failed (500))"]
            ),
            (
                .failed("the receiver cannot be reached"),
                [
                    "queued for +2.5 seconds, attempt 1 (the receiver cannot be reached)"
                ]
            ),
        ] as [(WebhookResult, [String])]
    )
    func answers(_ answer: WebhookResult, events: [String]) async throws {
        let world = WebhookWorld()
        try await world.announce()
        let receiver = ScriptedReceiver(script: [.give(answer)])
        try await world.running(world.dispatcher(receiver)) {
            try await receiver.posts(1)
        }
        #expect(try await world.events == events)
    }

    @Test("the wait doubles up to the longest, the time of an attempt is its own, and the last attempt is the last")
    func retries() async throws {
        let world = WebhookWorld()
        try await world.announce()
        var configuration = WebhookConfiguration()
        (configuration.maxAttempts, configuration.longestRetry) = (4, .seconds(16))
        // A clear refusal, which the circuit breaker does not count.
        let refusal = ScriptedReceiver.Answer.give(.answered(status: 400, retryAfter: nil))
        let receiver = ScriptedReceiver(script: [refusal, refusal, refusal, refusal])
        try await world.running(world.dispatcher(receiver, configuration: configuration)) {
            for (attempt, wait) in [(1, 2.5), (2, 5), (3, 8)] {
                try await world.log.logged("info: An event will be retried", times: attempt)
                world.advance(by: .seconds(wait))
            }
            try await world.log.logged("warning: An event failed")
        }
        #expect(try await world.events == ["failed, attempt 4 (the receiver rejected it (400))"])
        #expect(Set(receiver.posted.map { $0.headers["webhook-id"] }).count == 1)
        #expect(
            receiver.posted.map { $0.headers["webhook-timestamp"] } == [
                "1767225600", "1767225602", "1767225607", "1767225615",
            ]
        )
    }

    @Test("a receiver that hangs is cancelled at the timeout")
    func hang() async throws {
        let world = WebhookWorld()
        try await world.announce()
        let receiver = ScriptedReceiver(script: [.hang])
        try await world.running(world.dispatcher(receiver)) {
            try await world.timer.sleeper(of: .seconds(15))
            try await receiver.posts(1)
            world.advance(by: .seconds(15))
            try await world.log.logged("info: An event will be retried")
        }
        #expect(try await world.events == ["queued for +17.5 seconds, attempt 1 (no response in time)"])
    }

    @Test("no more are posted at once than allowed, and one that hangs delays no other")
    func bound() async throws {
        let world = WebhookWorld()
        for serial: UInt64 in 1...4 { try await world.announce(serial) }
        var configuration = WebhookConfiguration()
        configuration.maxConcurrentPosts = 2
        let receiver = ScriptedReceiver(script: [.hold, .hold])
        try await world.running(world.dispatcher(receiver, configuration: configuration)) {
            try await receiver.posts(2)
            #expect(try await world.events.filter { $0.hasSuffix("attempt 1") }.count == 2)
            try await receiver.release(ScriptedReceiver.taken)
            try await world.log.logged("info: An event was delivered", times: 3)
            #expect(receiver.posted.count == 4)
            try await receiver.release(ScriptedReceiver.taken)
        }
        #expect(try await world.events == [])
    }

    @Test("when it is cancelled it waits for the receiver, records the result, and claims nothing more")
    func stop() async throws {
        let world = WebhookWorld()
        for serial: UInt64 in 1...2 { try await world.announce(serial) }
        var configuration = WebhookConfiguration()
        configuration.maxConcurrentPosts = 1
        let receiver = ScriptedReceiver(script: [.hold])
        let dispatcher = world.dispatcher(receiver, configuration: configuration)
        let running = Task { await dispatcher.run() }
        try await receiver.posts(1)
        running.cancel()
        try await receiver.release(ScriptedReceiver.taken)
        await running.value
        #expect(try await world.events == ["queued for +0.0 seconds, attempt 0"])
        #expect(receiver.posted.count == 1)
    }

    @Test("after a cancellation the receiver's timeout is half a second")
    func patience() async throws {
        let world = WebhookWorld()
        try await world.announce()
        let receiver = ScriptedReceiver(script: [.hang])
        let dispatcher = world.dispatcher(receiver)
        let running = Task { await dispatcher.run() }
        try await receiver.posts(1)
        running.cancel()
        try await world.timer.sleeper(of: .milliseconds(500))
        world.advance(by: .milliseconds(500))
        await running.value
        #expect(try await world.events == ["queued for +3.0 seconds, attempt 1 (no response in time)"])
    }

    @Test("a store that fails for a moment is retried, and the event is posted once")
    func lostSettle() async throws {
        let world = WebhookWorld()
        try await world.announce()
        let receiver = ScriptedReceiver(script: [.hold])
        try await world.running(world.dispatcher(receiver)) {
            try await receiver.posts(1)
            world.store.fail(with: Outage())
            try await receiver.release(ScriptedReceiver.taken)
            try await world.log.logged("error: The events cannot be reached")
            world.store.fail(with: nil)
            try await world.timer.sleeper(of: .seconds(1))
            world.advance(by: .seconds(1))
            try await world.log.logged("info: An event was delivered")
        }
        #expect(receiver.posted.count == 1)
        #expect(try await world.events == [])
    }
}
