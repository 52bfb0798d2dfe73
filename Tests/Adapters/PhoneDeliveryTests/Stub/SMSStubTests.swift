import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneDelivery
@testable import SMSStub

@Suite("The SMS stub", .hangLimit)
struct SMSStubTests {
    private let wall = ManualClock()
    private let timer = ManualTimer()

    private func stub(capacity: Int = 1000) -> SMSStub {
        SMSStub(capacity: capacity, identifiers: CountingIdentifiers(), wallClock: wall, clock: timer)
    }

    @Test("changes are emitted for a minute")
    func updates() async throws {
        let stub = stub()
        var updates = try #require(await stub.updates()).makeAsyncIterator()
        #expect(await updates.next() != nil)
        _ = try await stub.accept(to: "+821012345678", from: "Acme", body: "482913")
        #expect(await updates.next() != nil)
        await stub.clear()
        #expect(await updates.next() != nil)
        try await timer.sleeper(of: .seconds(60))
        timer.advance(by: .seconds(60))
        #expect(await updates.next() == nil)
    }

    @Test("the number of watchers is limited")
    func manyWatchers() async throws {
        let stub = stub()
        var watching: [AsyncStream<Void>] = []
        while let updates = await stub.updates() { watching.append(updates) }
        #expect(watching.count == 50)
        // One that has gone makes room.
        watching.removeLast()
        while await stub.updates() == nil { await Task.yield() }
    }

    @Test("parts are counted as on the air")
    func segments() async throws {
        let stub = stub()

        let bodies = [String(repeating: "a", count: 161), String(repeating: "가", count: 70)]
        var segments: [Int] = []
        for body in bodies { segments.append(try await stub.accept(to: "1", from: "2", body: body).segments) }

        #expect(segments == [2, 1])
    }

    @Test("the oldest go when it is full", arguments: [(2, ["c", "b"]), (1, ["c"]), (0, ["c"])])
    func capacity(capacity: Int, left: [String]) async throws {
        let stub = stub(capacity: capacity)
        for body in ["a", "b", "c"] { _ = try await stub.accept(to: "+1", from: "x", body: body) }

        #expect(await stub.messages(to: nil, limit: 10).map(\.body) == left)
    }

    @Test("by default it keeps a thousand")
    func standardCapacity() async throws {
        let stub = SMSStub(identifiers: CountingIdentifiers(), wallClock: wall)
        for number in 1...1001 { _ = try await stub.accept(to: "+1", from: "x", body: "\(number)") }

        let bodies = await stub.messages(to: nil, limit: 2000).map(\.body)
        #expect(bodies.count == 1000)
        #expect(bodies.last == "2")
    }

    @Test("a behaviour for some numbers leaves the others alone")
    func prefix() async throws {
        let stub = stub()
        await stub.setBehavior(StubBehavior(mode: .fail, delay: .seconds(5), errorCode: nil, toPrefix: "+8210"))

        _ = try await stub.accept(to: "+8211", from: "x", body: "a")

        async let message = stub.accept(to: "+82101", from: "x", body: "b")
        try await timer.sleeper(of: .seconds(5))
        timer.advance(by: .seconds(5))
        _ = try await message
        #expect(await stub.messages(to: nil, limit: 10).map(\.status) == [.undelivered, .delivered])
    }

    @Test("a response has the configured delay, and the behaviour of the time of the request")
    func delay() async throws {
        let stub = stub()
        await stub.setBehavior(StubBehavior(mode: .deliver, delay: .seconds(5), errorCode: nil, toPrefix: nil))
        async let message = stub.accept(to: "+1", from: "x", body: "a")

        try await timer.sleeper(of: .seconds(5))
        #expect(await stub.messages(to: nil, limit: 10) == [])
        await stub.setBehavior(StubBehavior(mode: .reject, delay: .zero, errorCode: nil, toPrefix: nil))
        timer.advance(by: .seconds(5))

        let sid = try await message.sid
        #expect(await stub.message(sid: sid)?.status == .delivered)
    }

    @Test("a sender that goes away during a delay is refused, and nothing is kept")
    func cancelledDelay() async throws {
        let stub = stub()
        await stub.setBehavior(StubBehavior(mode: .deliver, delay: .seconds(5), errorCode: nil, toPrefix: nil))
        let sending = Task { try await stub.accept(to: "+1", from: "x", body: "a") }

        try await timer.sleeper(of: .seconds(5))
        sending.cancel()

        let refusal = await #expect(throws: StubRefusal.self) { try await sending.value }
        #expect(refusal?.errorCode == 20503)
        #expect(await stub.messages(to: nil, limit: 10) == [])
        #expect(timer.sleeps == [])
    }

    @Test("it has a receipt for each message with intermediate statuses, and for no other")
    func receipts() async throws {
        let stub = stub()
        var receipts = stub.receipts.makeAsyncIterator()
        func accept(_ mode: StubBehavior.Mode, code: Int? = nil, step: Duration) async throws -> String {
            let behavior = StubBehavior(mode: mode, delay: .zero, errorCode: code, toPrefix: nil, step: step)
            await stub.setBehavior(behavior)
            return try await stub.accept(to: "+1", from: "x", body: "a").sid
        }
        _ = try await accept(.deliver, step: .zero)
        let first = try await accept(.deliver, step: .seconds(1))
        await #expect(throws: StubRefusal.self) { try await accept(.reject, step: .zero) }
        let second = try await accept(.fail, code: 30003, step: .seconds(1))
        _ = try await accept(.fail, step: .zero)
        wall.advance(by: .seconds(3))
        _ = await stub.messages(to: nil, limit: 1)

        #expect(await receipts.next() == DeliveryReceipt(messageID: first, outcome: .delivered))
        #expect(await receipts.next() == DeliveryReceipt(messageID: second, outcome: .undelivered(code: 30003)))
    }

    @Test("messages that hang are answered by the next behaviour that does not")
    func hang() async throws {
        let stub = stub()
        await stub.setBehavior(StubBehavior(mode: .hang, delay: .zero, errorCode: nil, toPrefix: nil))
        let sending = (1...3).map { number in
            Task { try await stub.accept(to: "+\(number)", from: "x", body: "a") }
        }
        await waiters(3, of: stub)

        await stub.setBehavior(StubBehavior(mode: .hang, delay: .zero, errorCode: nil, toPrefix: "+1"))
        _ = try await sending[1].value
        _ = try await sending[2].value
        await waiters(1, of: stub)
        #expect(await stub.messages(to: nil, limit: 10).map(\.status) == [.delivered, .delivered])
        await stub.setBehavior(StubBehavior(mode: .fail, delay: .zero, errorCode: nil, toPrefix: nil))

        let last = try await sending[0].value.sid
        #expect(await stub.message(sid: last)?.status == .undelivered)
        #expect(await stub.waiterCount == 0)
    }

    @Test("senders that go away while it hangs are refused, and nothing of them is left")
    func cancelledHang() async throws {
        let stub = stub()
        await stub.setBehavior(StubBehavior(mode: .hang, delay: .zero, errorCode: nil, toPrefix: nil))
        let sending = (1...100).map { _ in Task { try await stub.accept(to: "+1", from: "x", body: "a") } }
        await waiters(100, of: stub)

        for task in sending { task.cancel() }

        for task in sending {
            await #expect(throws: StubRefusal.self) { try await task.value }
        }
        #expect(await stub.waiterCount == 0)
        #expect(await stub.messages(to: nil, limit: 10) == [])
    }

    @Test("without randomness there is no message")
    func noIdentifiers() async throws {
        let stub = SMSStub(identifiers: NoIdentifiers(), wallClock: wall, clock: timer)

        let refusal = await #expect(throws: StubRefusal.self) {
            try await stub.accept(to: "+1", from: "x", body: "a")
        }

        #expect(refusal?.errorCode == 20500)
        #expect(await stub.messages(to: nil, limit: 10) == [])
    }

    private func waiters(_ count: Int, of stub: SMSStub) async {
        while await stub.waiterCount != count, !Task.isCancelled { await Task.yield() }
    }

    private struct NoIdentifiers: IdentifierSource {
        func makeBits() throws -> (UInt64, UInt64) { throw Outage() }
    }
}
