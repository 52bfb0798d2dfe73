import PhoneDomain
import Synchronization

/// Exponential backoff: waits that double from one failure to the next, up to a longest one.
struct Backoff: Hashable, Sendable {
    let first: Duration
    let longest: Duration

    /// The wait after the `count`th failure in a row, counted from 1.
    func wait(after count: Int) -> Duration {
        // Doubled 20 times, a millisecond is over a quarter of an hour; more could overflow.
        min(longest, first * (1 << min(max(count, 1) - 1, 20)))
    }

    /// A part of ``wait(after:)``, 0 to 1, so that simultaneous failures are not retried simultaneously (full jitter:
    /// https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
    func wait(after count: Int, jitter: Double) -> Duration { wait(after: count) * min(max(jitter, 0), 1) }
}

/// Counts wake-ups, and lets a loop wait for the next that it has not seen.
///
/// A loop that reads ``count`` before it looks for work, and then waits beyond it, misses nothing: a wake-up during the
/// look ends the wait at once.
public final class WakeSignal: Sendable {
    private struct State {
        var count = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastTicket = 0
    }

    private let state = Mutex(State())

    public init() {}

    package var count: Int { state.withLock { $0.count } }
    package var waiterCount: Int { state.withLock { $0.waiting.count } }

    /// Ends every wait. From any thread.
    public func wake() {
        let waiting = state.withLock { state in
            state.count += 1
            defer { state.waiting.removeAll() }
            return state.waiting.values
        }
        for waiter in waiting { waiter.resume() }
    }

    /// Waits until the count exceeds `seen`, or the task is cancelled.
    package func wait(beyond seen: Int) async {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    // A task that is cancelled from here on is found below, for the handler needs the lock.
                    guard state.count == seen, !Task.isCancelled else { return false }
                    state.waiting[ticket] = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume()
        }
    }

    package func wait(beyond seen: Int, atMost limit: Duration, on clock: any Clock<Duration>) async {
        _ = await withTimeout(limit, on: clock) { await self.wait(beyond: seen) }
    }
}

/// Does work in a task of its own, which is cancelled when `limit` returns, and not when the caller is: that waits for
/// the work's end, since its result says whether a message may have been sent.
func withOwnLimit<Value: Sendable>(
    _ limit: @escaping @Sendable () async throws -> Void,
    _ work: @escaping @Sendable () async -> Value
) async -> Value {
    // Begun at once and here: work that need not wait is done without another turn of the scheduler.
    let working = Task.immediate { await work() }
    let limiting = Task {
        try await limit()
        working.cancel()
    }
    defer { limiting.cancel() }
    return await working.value
}
