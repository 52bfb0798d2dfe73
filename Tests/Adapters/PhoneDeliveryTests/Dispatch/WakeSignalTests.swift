import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite("Waking", .hangLimit)
struct WakeSignalTests {
    @Test("what came since one looked ends the wait at once")
    func missedNothing() async {
        let signal = WakeSignal()
        let seen = signal.count
        signal.wake()

        await signal.wait(beyond: seen)

        #expect(signal.count == 1)
    }

    @Test("it ends every wait, and leaves nothing behind")
    func wakesAll() async {
        let signal = WakeSignal()
        await withTaskGroup { group in
            for _ in 1...100 { group.addTask { await signal.wait(beyond: 0) } }
            while signal.waiterCount < 100, !Task.isCancelled { await Task.yield() }
            signal.wake()
        }

        #expect(signal.waiterCount == 0)
    }

    @Test("cancellation ends a wait, before it began and after, and leaves nothing behind")
    func cancellation() async {
        let signal = WakeSignal()
        await withTaskGroup { group in
            for _ in 1...100 { group.addTask { await signal.wait(beyond: 0) } }
            while signal.waiterCount < 100, !Task.isCancelled { await Task.yield() }
            group.cancelAll()
            for _ in 1...100 { group.addTask { await signal.wait(beyond: 0) } }
        }

        #expect(signal.waiterCount == 0)
        #expect(signal.count == 0)
    }

    @Test("a wait ends when its time is up, or sooner when it is woken")
    func limit() async throws {
        let (signal, timer) = (WakeSignal(), ManualTimer())
        async let first: Void = signal.wait(beyond: 0, atMost: .seconds(5), on: timer)
        try await timer.sleeper(of: .seconds(5))
        timer.advance(by: .seconds(5))
        await first
        #expect(signal.waiterCount == 0)

        async let second: Void = signal.wait(beyond: 0, atMost: .seconds(5), on: timer)
        try await timer.sleeper(of: .seconds(5))
        signal.wake()
        await second
        #expect(timer.sleeps == [])
    }

    @Test("a timeout ends the wait for work, whether that notices or not")
    func timeout() async throws {
        let (timer, end) = (ManualTimer(), WakeSignal())
        async let late = withTimeout(.seconds(5), on: timer) {
            await Task { await end.wait(beyond: 0) }.value
            return 1
        }
        try await timer.sleeper(of: .seconds(5))
        timer.advance(by: .seconds(5))
        #expect(await late == nil)
        end.wake()

        #expect(await withTimeout(.seconds(5), on: timer) { 2 } == 2)
        await #expect(throws: CancellationError.self) {
            try await withTimeout(.seconds(5), on: timer) { throw CancellationError() }
        }
    }
}
