import Synchronization

/// Counts the reasons to look again, and lets one wait for the next that it has not seen.
///
/// Who reads ``count`` before looking and then waits beyond it misses nothing: what came while it looked ends the wait
/// at once.
public final class WakeSignal: Sendable {
    private struct State {
        var count = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastTicket = 0
    }

    private let state = Mutex(State())

    /// A signal for which nobody waits yet.
    public init() {}

    /// How often it was woken.
    var count: Int { state.withLock { $0.count } }

    /// How many wait.
    var waiterCount: Int { state.withLock { $0.waiting.count } }

    /// Ends every wait. From any thread.
    public func wake() {
        let waiting = state.withLock { state in
            state.count += 1
            defer { state.waiting.removeAll() }
            return state.waiting.values
        }
        for waiter in waiting { waiter.resume() }
    }

    /// Waits until it is woken once more than `seen` times, or the task is cancelled.
    func wait(beyond seen: Int) async {
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

    /// Waits until it is woken once more than `seen` times, but no longer than `limit`.
    func wait(beyond seen: Int, atMost limit: Duration, on clock: any Clock<Duration>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait(beyond: seen) }
            group.addTask { try? await clock.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }
}
