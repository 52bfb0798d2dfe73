import PhoneDomain
import Synchronization

/// The messages that this process claimed for its own dispatcher in the transaction that queued them, so that nothing
/// has to look for them.
///
/// It is open while nothing older is due in the outbox, so that new messages do not overtake. Messages wait here for a
/// slot, in memory, so their number is limited. One that waits for nearly as long as its lease is not sent but due in
/// the outbox again (``MessageSender``).
final class InProcessQueue: Sendable {
    private enum Phase {
        case stopped, closed, open
    }

    private struct State {
        var phase: Phase
        /// Oldest first; their claims are in flight.
        var waiting: [OutboxMessage.ID] = []
    }

    private let limit: Int
    private let inFlight: InFlightMessages
    private let state: Mutex<State>
    /// Woken when there is a message, or a slot for it.
    let signal = WakeSignal()

    /// - Parameters:
    ///   - limit: how many messages may wait, besides those that are being committed when it is reached.
    ///   - isOpen: whether it is open before the first look into the outbox.
    init(limit: Int, isOpen: Bool, inFlight: InFlightMessages) {
        self.limit = limit
        self.inFlight = inFlight
        state = Mutex(State(phase: isOpen ? .open : .stopped))
    }

    var isOpen: Bool { state.withLock { $0.phase == .open } }

    var count: Int { state.withLock { $0.waiting.count } }

    /// Call after each look into the outbox: it is open if nothing more there is due.
    func setOpen(_ isOpen: Bool) { state.withLock { $0.phase = isOpen ? .open : .closed } }

    /// Stops it, until it is opened or closed again, and returns the messages that still wait.
    func stop() -> [OutboxClaim] {
        state.withLock { $0.phase = .stopped }
        return take(upTo: .max)
    }

    /// Whether a message that is about to be queued may be claimed for this queue. When it is full, it closes: that
    /// message will be the oldest in the outbox.
    func admit() -> Bool {
        state.withLock { state in
            guard state.phase == .open else { return false }
            if state.waiting.count >= limit { state.phase = .closed }
            return state.phase == .open
        }
    }

    func add(_ claim: OutboxClaim) {
        guard inFlight.add(claim) else { return }
        let isAdded = state.withLock { state in
            guard state.phase != .stopped else { return false }
            state.waiting.append(claim.message.id)
            return true
        }
        // Too late: the next dispatcher claims it when the lease expires.
        if isAdded { signal.wake() } else { inFlight.remove(claim) }
    }

    func take(upTo limit: Int) -> [OutboxClaim] {
        let taken = state.withLock { state in
            let taken = Array(state.waiting.prefix(limit))
            state.waiting.removeFirst(taken.count)
            return taken
        }
        return inFlight.claims(on: taken)
    }
}

/// The messages that a dispatcher has claimed and whose result is not recorded yet.
///
/// The store knows a claim by its lease alone, and a lease may expire though the dispatcher still has the message: the
/// clock was put forward, or the result could not be recorded for as long as the disk was full. Then the store hands
/// out the same message again. It is not sent twice: the new claim is only the one under which the result is recorded.
final class InFlightMessages: Sendable {
    /// Changed under the lock alone.
    private final class Entry {
        var claim: OutboxClaim
        var result: DeliveryResult?
        /// Whether it is being processed; if not, the next claim is the occasion to record its result.
        var isActive = true

        init(_ claim: OutboxClaim) { self.claim = claim }
    }

    private let entries = Mutex<[OutboxMessage.ID: Entry]>([:])

    /// - Returns: the claims to process; the others are being processed already.
    func add(_ claims: [OutboxClaim]) -> [OutboxClaim] {
        entries.withLock { entries in claims.filter { Self.add($0, to: &entries) } }
    }

    /// - Returns: whether to process it.
    func add(_ claim: OutboxClaim) -> Bool { entries.withLock { Self.add(claim, to: &$0) } }

    private static func add(_ claim: OutboxClaim, to entries: inout [OutboxMessage.ID: Entry]) -> Bool {
        guard let known = entries[claim.message.id] else {
            entries[claim.message.id] = Entry(claim)
            return true
        }
        let isNew = !known.isActive
        (known.claim, known.isActive) = (claim, true)
        return isNew
    }

    /// The newest claim on the message of this one.
    func newest(_ claim: OutboxClaim) -> OutboxClaim {
        entries.withLock { $0[claim.message.id]?.claim } ?? claim
    }

    /// The newest claims on these messages.
    func claims(on messages: [OutboxMessage.ID]) -> [OutboxClaim] {
        entries.withLock { entries in messages.compactMap { entries[$0]?.claim } }
    }

    func result(of claim: OutboxClaim) -> DeliveryResult? { entries.withLock { $0[claim.message.id]?.result } }

    func setResult(_ result: DeliveryResult, of claim: OutboxClaim) {
        entries.withLock { $0[claim.message.id]?.result = result }
    }

    /// Call when the result is recorded, or another dispatcher records it.
    func remove(_ claim: OutboxClaim) { entries.withLock { $0[claim.message.id] = nil } }

    /// Call when the result could not be recorded; it is remembered for as long as the message could be sent again.
    func suspend(_ claim: OutboxClaim, at now: Timestamp) {
        entries.withLock { entries in
            entries[claim.message.id]?.isActive = false
            entries = entries.filter { $1.isActive || $1.claim.isDeliverable(at: now) }
        }
    }
}
