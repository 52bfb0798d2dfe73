import Synchronization

/// One run of a dispatcher: how many messages are on their way, and whether it is to end.
final class Shift: Sendable {
    private struct State {
        var underWay = 0
        var isEnding = false
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether no further message is to be taken.
    var isEnding: Bool { state.withLock { $0.isEnding } }

    /// How many more messages may be taken now; none when the shift is ending.
    var room: Int { state.withLock { $0.isEnding ? 0 : limit - $0.underWay } }

    func end() {
        state.withLock { $0.isEnding = true }
    }

    func begin(_ count: Int) {
        state.withLock { $0.underWay += count }
    }

    /// - Returns: whether there was no room for others before.
    func finishOne() -> Bool {
        state.withLock { state in
            defer { state.underWay -= 1 }
            return state.underWay == limit
        }
    }
}
