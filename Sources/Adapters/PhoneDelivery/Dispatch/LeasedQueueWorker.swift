import Logging
import PhoneDomain
import Synchronization

/// A queue in a store whose items are claimed for the length of a lease: messages, webhook events.
protocol LeasedQueue: Sendable {
    associatedtype Item: Sendable

    /// Acquires a slot for each item that is to be claimed.
    func acquireSlots(of limiter: ConcurrencyLimiter) -> Int

    /// Claims items that are due, oldest first.
    ///
    /// - Parameter limit: 0 if there is no slot left.
    func claim(upTo limit: Int) async throws -> ClaimedBatch<Item>

    /// When the next item is due; nil if there is none.
    func nextDue() async throws -> Timestamp?

    /// Processes an item to its end, and releases its slot. It must wake the worker if the item may be due again before
    /// the worker would look.
    func process(_ item: Item, _ limiter: ConcurrencyLimiter) async

    /// Wakes what waits for a slot.
    func slotReleased()
}

extension LeasedQueue {
    func acquireSlots(of limiter: ConcurrencyLimiter) -> Int { limiter.acquire(upTo: .max) }
}

struct ClaimedBatch<Item> {
    enum Next {
        /// There may be more to claim.
        case now
        /// Nothing more is due before this moment; nil if nothing is queued.
        case at(Timestamp?)
        /// Nothing more is due now.
        case unknown
    }

    var items: [Item] = []
    let next: Next
}

/// Claims a queue's items when they are due and processes them concurrently. It is generic so that no item costs an
/// existential.
struct LeasedQueueWorker<Queue: LeasedQueue>: Sendable {
    let queue: Queue
    let limiter: ConcurrencyLimiter
    let signal: WakeSignal
    let store: StoreRetry
    /// The longest sleep: what another process queued causes no wake-up.
    let pollInterval: Duration

    /// The pause when the store has an item that is due, but does not hand it out.
    private static var shortestSleep: Duration { .milliseconds(10) }

    /// Processes what is due, whenever it is due, until the limiter is stopped; then waits for what is running. No
    /// error ends it.
    func run() async {
        await withDiscardingTaskGroup { tasks in
            var failures = 0
            while true {
                let seen = signal.count
                if limiter.isStopping { return }
                var sleep = pollInterval
                do {
                    if let next = try await store.attempt({ try await startDueItems(in: &tasks) }) {
                        sleep = min(max(next - store.wallClock.now(), Self.shortestSleep), pollInterval)
                    }
                    failures = 0
                } catch {
                    failures += 1
                    sleep = store.backoff.wait(after: failures)
                }
                await signal.wait(beyond: seen, atMost: sleep, on: store.clock)
            }
        }
    }

    private func startDueItems(in tasks: inout DiscardingTaskGroup) async throws -> Timestamp? {
        while true {
            switch try await startBatch(in: &tasks) {
            case .now: continue
            case .at(let next): return next
            case .unknown: return limiter.available > 0 ? try await queue.nextDue() : nil
            }
        }
    }

    private func startBatch(in tasks: inout DiscardingTaskGroup) async throws -> ClaimedBatch<Queue.Item>.Next {
        let slots = queue.acquireSlots(of: limiter)
        var started = 0
        defer { if limiter.release(slots - started) { queue.slotReleased() } }
        let batch = try await queue.claim(upTo: slots)
        started = batch.items.count
        for item in batch.items { tasks.addTask { [queue, limiter] in await queue.process(item, limiter) } }
        return batch.next
    }
}

/// Does work in a task that the caller's cancellation does not reach, so that no request and no record in the store is
/// cut off: it stops the limiter and wakes what waits.
func withGracefulCancellation(
    stopping limiter: ConcurrencyLimiter,
    _ wakeAll: @Sendable () -> Void,
    _ work: @escaping @Sendable () async throws -> Void
) async -> Result<Void, any Error> {
    await withTaskCancellationHandler {
        await Task { try await work() }.result
    } onCancel: {
        limiter.stop()
        wakeAll()
    }
}

/// The slots of one run of a dispatcher, one for each item that is being processed, and whether it is to stop.
final class ConcurrencyLimiter: Sendable {
    private struct State {
        let limit: Int
        var running = 0
        var isStopping = false
        /// Whether a caller found no slot.
        var isAwaited = false

        mutating func available(leaving others: Int = 0) -> Int {
            let available = isStopping ? 0 : max(0, limit - running - others)
            if available == 0 { isAwaited = true }
            return available
        }
    }

    private let state: Mutex<State>
    /// Woken when the run is to stop.
    let stopped = WakeSignal()

    init(limit: Int) { state = Mutex(State(limit: limit)) }

    var isStopping: Bool { state.withLock { $0.isStopping } }

    var available: Int { state.withLock { $0.available() } }

    func stop() {
        state.withLock { $0.isStopping = true }
        stopped.wake()
    }

    /// - Returns: how many slots were acquired; they must be released (``release(_:)``).
    func acquire(upTo count: Int, leaving others: Int = 0) -> Int {
        guard count > 0 else { return 0 }
        return state.withLock { state in
            let acquired = min(count, state.available(leaving: others))
            state.running += acquired
            return acquired
        }
    }

    /// - Returns: whether a caller found no slot meanwhile.
    func release(_ count: Int = 1) -> Bool {
        guard count > 0 else { return false }
        return state.withLock { state in
            state.running -= count
            defer { state.isAwaited = false }
            return state.isAwaited
        }
    }
}

struct StoreRetry: Sendable {
    let health: StoreHealth
    let backoff: Backoff
    let wallClock: any WallClock
    let clock: any Clock<Duration>

    func attempt<Value>(_ operation: () async throws -> Value) async throws -> Value {
        do {
            let value = try await operation()
            health.recordSuccess()
            return value
        } catch {
            health.record(error)
            throw error
        }
    }

    /// Repeats an operation as long as the lease lasts: what a receiver accepted must not be sent twice because of a
    /// short outage.
    ///
    /// - Parameter leaseEnd: asked before each attempt.
    /// - Throws: the store's last error.
    func duringLease<Value>(
        until leaseEnd: () -> Timestamp,
        _ operation: () async throws -> Value
    ) async throws -> Value {
        var failures = 0
        while true {
            let leaseEnd = leaseEnd()
            do {
                return try await attempt(operation)
            } catch {
                failures += 1
                let wait = backoff.wait(after: failures)
                guard wallClock.now() + wait < leaseEnd else { throw error }
                try? await clock.sleep(for: wait)
            }
        }
    }
}

/// Whether a part of the store is available. It logs changes instead of every failure.
final class StoreHealth: Sendable {
    private let isDown = Atomic(false)
    private let part: String
    private let logger: Logger

    init(of part: String = "outbox", logger: Logger) {
        self.part = part
        self.logger = logger
    }

    func recordSuccess() {
        guard isDown.exchange(false, ordering: .sequentiallyConsistent) else { return }
        logger.notice("The \(part) can be reached again")
    }

    func record(_ error: any Error) {
        guard !isDown.exchange(true, ordering: .sequentiallyConsistent) else { return }
        logger.error("The \(part) cannot be reached", metadata: ["error": "\(error)"])
    }
}
