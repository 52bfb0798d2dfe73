import HangLimit
import Testing

@testable import PhoneDelivery

@Suite("The timeout of running work", .hangLimit)
struct TimeLimitTests {
    private let timer = ManualTimer()
    private let limit: TimeLimit

    init() {
        limit = TimeLimit(.seconds(10), on: timer)
    }

    /// Work that ends when it is cancelled, and returns whether it was.
    private func hang() -> Task<(Bool, Duration), Never> {
        Task {
            await limit.run {
                await WakeSignal().wait(beyond: 0)
                return Task.isCancelled
            }
        }
    }

    @Test("each is cancelled at its own timeout, by one sleep at a time")
    func cutsOff() async throws {
        let watching = Task { await limit.watch() }
        let first = hang()
        try await timer.onlySleeper(of: .seconds(10))
        timer.advance(by: .seconds(4))
        let second = hang()
        while limit.count < 2 { await Task.yield() }
        #expect(timer.sleeps == [.seconds(6)])
        timer.advance(by: .seconds(6))
        #expect(await first.value == (true, .seconds(10)))
        try await timer.onlySleeper(of: .seconds(4))
        timer.advance(by: .seconds(4))
        #expect(await second.value == (true, .seconds(10)))
        #expect(limit.count == 0)
        watching.cancel()
        await watching.value
    }

    @Test("work that ends in time has its duration, and later work has its own timeout")
    func inTime() async throws {
        let watching = Task { await limit.watch() }
        let (value, took) = await limit.run { [timer] in
            timer.advance(by: .seconds(3))
            return 42
        }
        #expect(value == 42)
        #expect(took == .seconds(3))
        #expect(limit.count == 0)
        let next = hang()
        try await timer.onlySleeper(of: .seconds(10))
        timer.advance(by: .seconds(10))
        #expect(await next.value == (true, .seconds(10)))
        watching.cancel()
        await watching.value
        #expect(timer.sleeps == [])
    }

    @Test("cancelling the caller does not cancel the work")
    func shields() async throws {
        let watching = Task { await limit.watch() }
        let running = hang()
        try await timer.onlySleeper(of: .seconds(10))
        running.cancel()
        #expect(limit.count == 1)
        timer.advance(by: .seconds(10))
        #expect(await running.value == (true, .seconds(10)))
        watching.cancel()
        await watching.value
    }
}
