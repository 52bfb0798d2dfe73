import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneDelivery
@testable import SMSStub

@Suite("Messages in the SMS stub with intermediate statuses", .hangLimit)
struct SMSStubLifecycleTests {
    private let wall = ManualClock()
    private let timer = ManualTimer()
    private let stub: SMSStub

    init() {
        stub = SMSStub(identifiers: CountingIdentifiers(), wallClock: wall, clock: timer)
    }

    private func setStep(_ step: Duration, mode: StubBehavior.Mode = .deliver) async {
        await stub.setBehavior(StubBehavior(mode: mode, delay: .zero, errorCode: nil, toPrefix: nil, step: step))
    }

    private func request(_ callback: StubCallback? = nil) -> StubRequest {
        StubRequest(to: "+1", from: "+2", body: "a", callback: callback)
    }

    private func statuses() async -> [StubMessage.Status] {
        await stub.messages(to: nil, limit: 10).map(\.status)
    }

    @Test("their status is current at each request")
    func asked() async throws {
        await setStep(.seconds(10))
        let sid = try await stub.accept(request()).now.sid

        var seen: [StubMessage.Status?] = [await stub.message(sid: sid)?.status]
        for _ in 1...3 {
            wall.advance(by: .seconds(10))
            seen.append(await stub.message(sid: sid)?.status)
        }

        #expect(seen == [.queued, .sending, .sent, .delivered])
    }

    @Test("they advance, and the sender is notified, without a request")
    func unasked() async throws {
        let callback = try #require(StubCallback(url: "http://a", account: "AC1", authToken: nil))
        await setStep(.seconds(10), mode: .fail)
        var receipts = stub.receipts.makeAsyncIterator()
        var changes = stub.changes.makeAsyncIterator()
        let running = Task { await stub.run() }
        let sid = try await stub.accept(request(callback)).now.sid

        for status in [StubMessage.Status.sending, .sent, .undelivered] {
            try await timer.sleeper(of: .seconds(10))
            wall.advance(by: .seconds(10))
            timer.advance(by: .seconds(10))
            let change = try #require(await changes.next())
            #expect(change.status == status)
            #expect(change.request.callback == callback)
        }
        #expect(await receipts.next() == DeliveryReceipt(messageID: sid, outcome: .undelivered(code: 30008)))
        running.cancel()
        await running.value
    }

    @Test("a new message that is due sooner ends the sleep, and no sleep is longer than a minute")
    func wakes() async throws {
        let running = Task { await stub.run() }
        await setStep(.seconds(600))
        _ = try await stub.accept(request())
        try await timer.sleeper(of: .seconds(60))
        await setStep(.seconds(5))
        _ = try await stub.accept(request())
        try await timer.sleeper(of: .seconds(5))
        #expect(await statuses() == [.queued, .queued])
        running.cancel()
        await running.value
        #expect(timer.sleeps == [])
    }

    @Test("a message without a callback has no change, and the others each in order")
    func changesInOrder() async throws {
        let callback = try #require(StubCallback(url: "http://a", account: "AC1", authToken: nil))
        _ = try await stub.accept(request())
        _ = try await stub.accept(
            StubRequest(to: "+1", from: nil, messagingService: "MG1", body: "a", callback: callback)
        )
        var changes = stub.changes.makeAsyncIterator()

        var seen: [String] = []
        for _ in 1...4 { seen.append(await changes.next().map { "\($0.serial) \($0.status)" } ?? "") }

        #expect(seen == ["2 queued", "2 sending", "2 sent", "2 delivered"])
    }

    @Test("one is cancelled, with a change; the others go on")
    func cancels() async throws {
        let callback = try #require(StubCallback(url: "http://a", account: "AC1", authToken: nil))
        await setStep(.seconds(10))
        let sid = try await stub.accept(request(callback)).now.sid
        _ = try await stub.accept(request())
        var changes = stub.changes.makeAsyncIterator()
        var receipts = stub.receipts.makeAsyncIterator()

        #expect(try await stub.cancel(sid: sid)?.status == .canceled)

        #expect(await changes.next()?.status == .canceled)
        #expect(await receipts.next() == DeliveryReceipt(messageID: sid, outcome: .undelivered(code: nil)))
        wall.advance(by: .seconds(100))
        #expect(await statuses() == [.delivered, .canceled])
        await #expect(throws: StubRefusal.self) { try await stub.cancel(sid: sid) }
        #expect(try await stub.cancel(sid: "SM") == nil)
    }

    @Test("magic numbers are refused at once, however the stub behaves, and leave no message")
    func magic() async throws {
        await stub.setBehavior(StubBehavior(mode: .hang, delay: .zero, errorCode: nil, toPrefix: nil))

        let refusal = await #expect(throws: StubRefusal.self) {
            try await stub.accept(StubRequest(to: "+15005550009", from: "+2", body: "a"))
        }

        #expect(refusal?.errorCode == 21614)
        #expect(await statuses() == [])
    }
}
