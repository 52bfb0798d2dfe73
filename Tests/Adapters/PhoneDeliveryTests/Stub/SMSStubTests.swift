import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneDelivery
@testable import SMSStub

@Suite("The SMS stub", .hangLimit)
struct SMSStubTests {
    private let wall = ManualClock()
    private let timer = ManualTimer()

    private func stub() -> SMSStub {
        SMSStub(identifiers: CountingIdentifiers(), wallClock: wall, clock: timer)
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

    @Test("the oldest go when it is full")
    func capacity() async throws {
        let stub = stub()
        for number in 1...1001 { _ = try await stub.accept(to: "+1", from: "x", body: "\(number)") }

        let bodies = await stub.messages(to: nil, limit: 2000).map(\.body)
        #expect(bodies.count == 1000)
        #expect(bodies.first == "1001")
        #expect(bodies.last == "2")
    }

    @Test("they are found newest first, as many as are asked for")
    func finds() async throws {
        let stub = stub()
        for number in 1...4 { _ = try await stub.accept(to: number == 2 ? "+2" : "+1", from: "x", body: "\(number)") }

        #expect(await stub.messages(to: nil, limit: 3).map(\.body) == ["4", "3", "2"])
        #expect(await stub.messages(to: "+1", limit: 2).map(\.body) == ["4", "3"])
        #expect(await stub.messages(to: "+", limit: 9) == [])
        #expect(await stub.messages(to: nil, limit: -1) == [])
    }

    @Test("only a message with a callback is called back")
    func callbacks() async throws {
        let stub = stub()
        let callback = try #require(StubCallback(url: "http://a", account: "AC1", authToken: nil))
        _ = try await stub.accept(to: "+1", from: "x", body: "a")
        let second = try await stub.accept(StubRequest(to: "+1", from: "+2", body: "b", callback: callback))

        #expect(await stub.calledBack.first { _ in true } == second)
    }

    @Test("a behaviour for some numbers leaves the others alone")
    func prefix() async throws {
        let stub = stub()
        await stub.setBehavior(StubBehavior(mode: .fail, delay: .seconds(5), toPrefix: "+8210"))

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
        await stub.setBehavior(StubBehavior(delay: .seconds(5)))
        async let message = stub.accept(to: "+1", from: "x", body: "a")

        try await timer.sleeper(of: .seconds(5))
        #expect(await stub.messages(to: nil, limit: 10) == [])
        await stub.setBehavior(StubBehavior(mode: .reject))
        timer.advance(by: .seconds(5))

        let sid = try await message.sid
        #expect(await stub.message(sid: sid)?.status == .delivered)
    }

    @Test("a sender that goes away during a delay is refused, and nothing is kept")
    func cancelledDelay() async throws {
        let stub = stub()
        await stub.setBehavior(StubBehavior(delay: .seconds(5)))
        let sending = Task { try await stub.accept(to: "+1", from: "x", body: "a") }

        try await timer.sleeper(of: .seconds(5))
        sending.cancel()

        let refusal = await #expect(throws: TwilioError.self) { try await sending.value }
        #expect(refusal?.code == 20503)
        #expect(await stub.messages(to: nil, limit: 10) == [])
        #expect(timer.sleeps == [])
    }

    @Test("messages that hang are answered by the next behaviour that does not")
    func hang() async throws {
        let stub = stub()
        await stub.setBehavior(StubBehavior(mode: .hang))
        let sending = (1...3).map { number in
            Task { try await stub.accept(to: "+\(number)", from: "x", body: "a") }
        }
        await waiters(3, of: stub)

        await stub.setBehavior(StubBehavior(mode: .hang, toPrefix: "+1"))
        _ = try await sending[1].value
        _ = try await sending[2].value
        await waiters(1, of: stub)
        #expect(await stub.messages(to: nil, limit: 10).map(\.status) == [.delivered, .delivered])
        await stub.setBehavior(StubBehavior(mode: .fail))

        let last = try await sending[0].value.sid
        #expect(await stub.message(sid: last)?.status == .undelivered)
        #expect(await stub.waiterCount == 0)
    }

    @Test("senders that go away while it hangs are refused, and nothing of them is left")
    func cancelledHang() async throws {
        let stub = stub()
        await stub.setBehavior(StubBehavior(mode: .hang))
        let sending = (1...100).map { _ in Task { try await stub.accept(to: "+1", from: "x", body: "a") } }
        await waiters(100, of: stub)

        for task in sending { task.cancel() }

        for task in sending {
            await #expect(throws: TwilioError.self) { try await task.value }
        }
        #expect(await stub.waiterCount == 0)
        #expect(await stub.messages(to: nil, limit: 10) == [])
    }

    @Test("without randomness there is no message")
    func noIdentifiers() async throws {
        let stub = SMSStub(identifiers: NoIdentifiers(), wallClock: wall, clock: timer)

        let refusal = await #expect(throws: TwilioError.self) {
            try await stub.accept(to: "+1", from: "x", body: "a")
        }

        #expect(refusal?.code == 20500)
        #expect(await stub.messages(to: nil, limit: 10) == [])
    }

    private func waiters(_ count: Int, of stub: SMSStub) async {
        while await stub.waiterCount != count, !Task.isCancelled { await Task.yield() }
    }

    private struct NoIdentifiers: IdentifierSource {
        func makeBits() throws -> (UInt64, UInt64) { throw Outage() }
    }
}
