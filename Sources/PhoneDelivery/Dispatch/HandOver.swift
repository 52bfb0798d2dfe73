import PhoneDomain
import Synchronization

/// Where messages come in that whoever queued them, in this process, has claimed for the dispatcher already.
///
/// It is open while the outbox holds nothing that has waited longer, so that what is new does not go before what is old. The
/// messages wait here for a send to end, if so many are under way; no more places are given than can be sent within the lease
/// though every gateway take as long as it may.
final class HandOver: Sendable {
    private enum Phase {
        case over, closed, open
    }

    private struct State {
        var phase: Phase
        /// Places that are given and not filled.
        var given = 0
        /// Oldest first.
        var claims: [OutboxClaim] = []
    }

    private let limit: Int
    private let state: Mutex<State>
    /// Woken when there is a message, and by whoever makes room for it.
    let signal = WakeSignal()

    /// - Parameters:
    ///   - limit: the most places, those that are filled and wait among them.
    ///   - isOpen: whether it gives places before the first look into the outbox.
    init(limit: Int, isOpen: Bool = false) {
        self.limit = limit
        state = Mutex(State(phase: isOpen ? .open : .over))
    }

    /// Whether it gives places.
    var isOpen: Bool { state.withLock { $0.phase == .open } }

    /// How many messages wait.
    var count: Int { state.withLock { $0.claims.count } }

    /// Call after each look into the outbox.
    ///
    /// - Parameter isOpen: whether nothing more was there to be taken.
    func setOpen(_ isOpen: Bool) {
        state.withLock { $0.phase = isOpen ? .open : .closed }
    }

    /// Ends it, until it is opened or closed again.
    ///
    /// - Returns: the messages that still wait.
    func end() -> [OutboxClaim] {
        state.withLock { state in
            defer { state.claims = [] }
            state.phase = .over
            return state.claims
        }
    }

    /// - Returns: whether there was a place; it must be filled.
    func give() -> Bool {
        state.withLock { state in
            guard state.phase == .open, state.given + state.claims.count < limit else { return false }
            state.given += 1
            return true
        }
    }

    /// Puts a message into a place that was given, or nothing.
    ///
    /// - Returns: whether somebody will see to the message.
    func fill(with claim: OutboxClaim?) -> Bool {
        let isTaken = state.withLock { state in
            state.given -= 1
            guard let claim, state.phase != .over else { return false }
            state.claims.append(claim)
            return true
        }
        if isTaken { signal.wake() }
        return isTaken
    }

    /// The messages that have waited the longest.
    func take(upTo limit: Int) -> [OutboxClaim] {
        state.withLock { state in
            let taken = Array(state.claims.prefix(limit))
            state.claims.removeFirst(taken.count)
            return taken
        }
    }
}
