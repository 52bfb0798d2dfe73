import HangLimit
import PhoneDomain
import PhoneTestSupport
import Synchronization
import Testing

@testable import PhoneDelivery

@Suite("The worker of a leased queue", .hangLimit)
struct LeasedQueueWorkerTests {
    /// Numbers, each handed out once.
    private final class NumberQueue: LeasedQueue {
        struct State {
            var numbers: [Int] = []
            var next = ClaimedBatch<Int>.Next.at(nil)
            var nextDue: Timestamp?
            var isDown = false
            /// Processing waits for a release.
            var isHolding = false
            var limits: [Int] = []
            var processed: [Int] = []
        }

        let state = Mutex(State())
        let signal = WakeSignal()
        let changes = WakeSignal()

        subscript<Value: Sendable>(_ path: WritableKeyPath<State, Value>) -> Value {
            get { state.withLock { $0[keyPath: path] } }
            set { state.withLock { $0[keyPath: path] = newValue } }
        }

        func claim(upTo limit: Int) throws -> ClaimedBatch<Int> {
            let batch = try state.withLock { state in
                state.limits.append(limit)
                if state.isDown { throw Outage() }
                let items = Array(state.numbers.prefix(limit))
                state.numbers.removeFirst(items.count)
                return ClaimedBatch(items: items, next: items.isEmpty ? state.next : .now)
            }
            changes.wake()
            return batch
        }

        func nextDue() -> Timestamp? { self[\.nextDue] }

        func process(_ number: Int, _ limiter: ConcurrencyLimiter) async {
            while case let seen = changes.count, self[\.isHolding] { await changes.wait(beyond: seen) }
            state.withLock { $0.processed.append(number) }
            if limiter.release() { slotReleased() }
            changes.wake()
        }

        func slotReleased() { signal.wake() }
    }

    private let queue = NumberQueue()
    private let limiter = ConcurrencyLimiter(limit: 2)
    private let wall = ManualClock()
    private let timer = ManualTimer()

    /// Runs a worker with a poll interval of 5 seconds for as long as the test needs it.
    private func running(_ test: () async throws -> Void) async throws {
        let worker = LeasedQueueWorker(
            queue: queue,
            limiter: limiter,
            signal: queue.signal,
            store: StoreRetry(
                health: StoreHealth(logger: LogRecorder().logger),
                backoff: Backoff(first: .seconds(1), longest: .seconds(2)),
                wallClock: wall,
                clock: timer
            ),
            pollInterval: .seconds(5)
        )
        let running = Task { await worker.run() }
        try await test()
        limiter.stop()
        queue.slotReleased()
        await running.value
    }

    @Test("it claims no more than there are slots, and the rest when they are released")
    func concurrency() async throws {
        queue[\.numbers] = [1, 2, 3]
        queue[\.isHolding] = true
        try await running {
            try await queue.changes.until { queue[\.limits] == [2, 0] }
            #expect(queue[\.numbers] == [3])
            queue[\.isHolding] = false
            queue.changes.wake()
            try await queue.changes.until { queue[\.processed].count == 3 }
        }
        #expect(queue[\.processed].sorted() == [1, 2, 3])
    }

    @Test("it sleeps until the next item is due, but neither without pause nor beyond the poll interval")
    func sleeps() async throws {
        let now = wall.now()
        let next: [(ClaimedBatch<Int>.Next, Duration)] = [
            (.at(now + .seconds(3)), .seconds(3)), (.at(now), .milliseconds(10)), (.at(now + .seconds(9)), .seconds(5)),
            (.unknown, .seconds(4)), (.at(nil), .seconds(5)),
        ]
        queue[\.nextDue] = now + .seconds(4)
        queue[\.next] = next[0].0
        try await running {
            for (index, (_, sleep)) in next.enumerated() {
                try await timer.onlySleeper(of: sleep)
                guard index + 1 < next.count else { break }
                queue[\.next] = next[index + 1].0
                queue.slotReleased()
                try await queue.changes.until { queue[\.limits].count == index + 2 }
            }
        }
        #expect(queue[\.limits].allSatisfy { $0 == 2 })
    }

    @Test("a store that is down is asked again with backoff, and its errors release the slots")
    func outage() async throws {
        queue[\.isDown] = true
        try await running {
            for seconds in [1, 2, 2] {
                try await timer.sleeper(of: .seconds(seconds))
                #expect(limiter.available == 2)
                timer.advance(by: .seconds(seconds))
            }
        }
        #expect(queue[\.limits].allSatisfy { $0 == 2 })
    }

    @Test("when it is stopped it claims nothing more, and waits for what is being processed")
    func stop() async throws {
        queue[\.numbers] = [1, 2, 3]
        queue[\.isHolding] = true
        try await running {
            try await queue.changes.until { queue[\.limits].count == 2 }
            limiter.stop()
            queue[\.isHolding] = false
            queue.changes.wake()
        }
        #expect(queue[\.processed].sorted() == [1, 2])
        #expect(queue[\.numbers] == [3])
    }
}
