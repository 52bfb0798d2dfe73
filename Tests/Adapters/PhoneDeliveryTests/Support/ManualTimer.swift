import Synchronization

@testable import PhoneDelivery

/// A clock that a test advances.
final class ManualTimer: Clock {
    struct Instant: InstantProtocol {
        var sinceStart: Duration

        static func < (one: Instant, other: Instant) -> Bool { one.sinceStart < other.sinceStart }
        func advanced(by duration: Duration) -> Instant { Instant(sinceStart: sinceStart + duration) }
        func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }
    }

    private struct Sleeper {
        let end: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(sinceStart: .zero)
        var sleepers: [Int: Sleeper] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())
    private let changes = WakeSignal()

    var now: Instant { state.withLock { $0.now } }
    let minimumResolution = Duration.zero

    /// The sleepers' remaining times, shortest first.
    var sleeps: [Duration] {
        state.withLock { state in state.sleepers.values.map { state.now.duration(to: $0.end) }.sorted() }
    }

    func sleep(until end: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if end <= state.now { return .success(()) }
                    state.sleepers[id] = Sleeper(end: end, continuation: continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
                changes.wake()
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
            changes.wake()
        }
    }

    func advance(by duration: Duration) {
        let over = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let over = state.sleepers.filter { $0.value.end <= state.now }
            for id in over.keys { state.sleepers[id] = nil }
            return over.values.sorted { $0.end < $1.end }
        }
        for sleeper in over { sleeper.continuation.resume() }
        changes.wake()
    }

    /// Waits until there is a sleeper with exactly this remaining time.
    func sleeper(of duration: Duration) async throws {
        try await changes.until { self.sleeps.contains(duration) }
    }

    /// Waits until there are this many.
    func sleepers(_ count: Int) async throws {
        try await changes.until { self.sleeps.count == count }
    }

    /// Waits until there is one sleeper, with exactly this remaining time.
    func onlySleeper(of duration: Duration) async throws {
        try await changes.until { self.sleeps == [duration] }
    }
}
