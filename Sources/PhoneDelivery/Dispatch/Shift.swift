import Synchronization

/// One run of a dispatcher: how many messages are on their way, and whether it is to end.
final class Shift: Sendable {
    private struct State {
        let limit: Int
        var underWay = 0
        var isEnding = false
        /// Whether somebody found no room.
        var isAwaited = false

        mutating func room(leaving count: Int = 0) -> Int {
            let room = isEnding ? 0 : max(0, limit - underWay - count)
            if room == 0 { isAwaited = true }
            return room
        }
    }

    private let state: Mutex<State>

    init(limit: Int) {
        state = Mutex(State(limit: limit))
    }

    /// Whether no further message is to be taken.
    var isEnding: Bool { state.withLock { $0.isEnding } }

    /// How many more messages may be taken now; none when the shift is ending.
    var room: Int { state.withLock { $0.room() } }

    func end() {
        state.withLock { $0.isEnding = true }
    }

    func begin(_ count: Int) {
        state.withLock { $0.underWay += count }
    }

    /// Takes what room there is.
    ///
    /// - Parameters:
    ///   - count: no more than so much.
    ///   - others: so much is left for others.
    /// - Returns: how much; what is not used of it must be given back (``finish(_:)``).
    func take(upTo count: Int, leaving others: Int = 0) -> Int {
        guard count > 0 else { return 0 }
        return state.withLock { state in
            let taken = min(count, state.room(leaving: others))
            state.underWay += taken
            return taken
        }
    }

    /// Gives room back.
    ///
    /// - Returns: whether somebody looked for room meanwhile and found none.
    func finish(_ count: Int = 1) -> Bool {
        guard count > 0 else { return false }
        return state.withLock { state in
            state.underWay -= count
            defer { state.isAwaited = false }
            return state.isAwaited
        }
    }
}
