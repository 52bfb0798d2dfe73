import Logging
import PhoneDomain
import PhoneSignup
import Synchronization

/// How a dispatcher uses a store that may be down for a while.
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

    /// Waits before a result is recorded again, as long as the lease lasts: what a receiver accepted must not be sent
    /// twice because of a short outage.
    ///
    /// - Returns: whether to try again.
    func waits(after failures: Int, until leaseEnd: Timestamp) async -> Bool {
        let wait = backoff.wait(after: failures)
        guard wallClock.now() + wait < leaseEnd else { return false }
        try? await clock.sleep(for: wait)
        return true
    }

    /// Looks for work whenever some is due, and when it is woken, until it is stopped. No error ends it.
    ///
    /// - Parameters:
    ///   - interval: the longest sleep: what another process queued causes no wake-up.
    ///   - look: returns when the next is due; nil if nothing is before it is woken.
    func poll(
        _ signal: WakeSignal,
        atMost interval: Duration,
        until isStopping: () -> Bool,
        _ look: () async throws -> Timestamp?
    ) async {
        // The pause when the store has something that is due, but does not hand it out.
        let shortestSleep = Duration.milliseconds(10)
        var failures = 0
        while true {
            let seen = signal.count
            if isStopping() { return }
            var sleep = interval
            do {
                if let next = try await attempt(look) {
                    sleep = min(max(next - wallClock.now(), shortestSleep), interval)
                }
                failures = 0
            } catch {
                failures += 1
                sleep = backoff.wait(after: failures)
            }
            await signal.wait(beyond: seen, atMost: sleep, on: clock)
        }
    }
}

/// Does work in a task that the caller's cancellation does not reach, so that no request and no record in the store is
/// cut off.
///
/// - Parameter stop: ends the work; called when the caller is cancelled.
func withGracefulCancellation(
    _ stop: @escaping @Sendable () -> Void,
    _ work: @escaping @Sendable () async -> Void
) async {
    await withTaskCancellationHandler {
        await Task { await work() }.value
    } onCancel: {
        stop()
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
