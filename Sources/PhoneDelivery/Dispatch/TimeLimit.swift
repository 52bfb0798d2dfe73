import Synchronization

/// Cancels work that takes longer than it may.
///
/// One sleep serves all that is under way: a timer for each, set and taken back, would cost more than most of the work.
final class TimeLimit: Sendable {
    private struct Work {
        /// As ``TimeLimit/elapsed`` has it.
        let end: Duration
        let cancel: @Sendable () -> Void
    }

    private struct State {
        var underWay: [Int: Work] = [:]
        var lastTicket = 0
    }

    private let limit: Duration
    /// How long it is since the limit was made.
    private let elapsed: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void
    private let state = Mutex(State())
    private let begun = WakeSignal()

    /// - Parameters:
    ///   - limit: how long work may take.
    ///   - clock: measures that.
    init<C: Clock<Duration>>(_ limit: Duration, on clock: C) {
        self.limit = limit
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
    }

    /// How much is under way.
    var count: Int { state.withLock { $0.underWay.count } }

    /// Does work in a task of its own, which only the limit cancels, not the end of the program: that waits for the answer. The
    /// limit is kept while somebody ``watch()``es.
    ///
    /// - Returns: what the work gave, and how long it took.
    func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> (Value, Duration) {
        let start = elapsed()
        // Begun at once and here: work that need not wait is done without another turn of the scheduler.
        let task = Task.immediate { await work() }
        let ticket = state.withLock { state in
            let isFirst = state.underWay.isEmpty
            state.lastTicket += 1
            state.underWay[state.lastTicket] = Work(end: start + limit) { task.cancel() }
            return (number: state.lastTicket, isFirst: isFirst)
        }
        // Who watches sleeps until the end of what was begun before, which is no later.
        if ticket.isFirst { begun.wake() }
        let value = await task.value
        state.withLock { $0.underWay[ticket.number] = nil }
        return (value, elapsed() - start)
    }

    /// Cancels what takes too long, until the task is cancelled.
    func watch() async {
        while !Task.isCancelled {
            let seen = begun.count
            if let next = cancelWhatIsOver() {
                try? await sleep(next)
            } else {
                await begun.wait(beyond: seen)
            }
        }
    }

    /// - Returns: how long until something else may be over; nil if nothing is under way.
    private func cancelWhatIsOver() -> Duration? {
        let now = elapsed()
        let (over, next) = state.withLock { state in
            let over = state.underWay.filter { $0.value.end <= now }
            for ticket in over.keys { state.underWay[ticket] = nil }
            return (over.values, state.underWay.values.map(\.end).min())
        }
        for work in over { work.cancel() }
        return next.map { $0 - now }
    }
}
