import PhoneDomain
import Synchronization

/// The messages that this process queued and claimed for its own dispatcher in one transaction, so that no query is
/// needed.
///
/// It is open while the outbox has no older message, so that new ones do not overtake. Messages wait here for
/// concurrency; no more places are reserved than can be sent within the lease even if every gateway takes its whole
/// timeout.
final class InProcessQueue: Sendable {
    private enum Phase {
        case stopped, closed, open
    }

    private struct State {
        var phase: Phase
        /// Places that are reserved and not filled.
        var reserved = 0
        /// Oldest first.
        var claims: [OutboxClaim] = []
    }

    private let limit: Int
    private let inFlight: InFlightMessages
    private let state: Mutex<State>
    /// Woken when there is a message, or concurrency for it.
    let signal = WakeSignal()

    /// - Parameter isOpen: whether places are available before the first look into the outbox.
    init(limit: Int, isOpen: Bool, inFlight: InFlightMessages) {
        self.limit = limit
        self.inFlight = inFlight
        state = Mutex(State(phase: isOpen ? .open : .stopped))
    }

    var isOpen: Bool { state.withLock { $0.phase == .open } }

    var count: Int { state.withLock { $0.claims.count } }

    /// Call after each look into the outbox: it is open if nothing more there is due.
    func setOpen(_ isOpen: Bool) { state.withLock { $0.phase = isOpen ? .open : .closed } }

    /// Stops it, until it is opened or closed again, and returns the messages that still wait.
    func stop() -> [OutboxClaim] {
        state.withLock { state in
            defer { state.claims = [] }
            state.phase = .stopped
            return state.claims
        }
    }

    /// - Returns: a place for a message that will be claimed for the length of this lease; nil if there is none.
    func reserve(lease: Duration) -> MessageReservation? {
        let isReserved = state.withLock { state in
            guard state.phase == .open, state.reserved + state.claims.count < limit else { return false }
            state.reserved += 1
            return true
        }
        return isReserved ? MessageReservation(lease: lease) { self.fill(with: $0) } : nil
    }

    /// Puts a message into a reserved place, or frees the place.
    private func fill(with claim: OutboxClaim?) {
        let mine = claim.flatMap { inFlight.add($0) ? $0 : nil }
        let isFilled = state.withLock { state in
            state.reserved -= 1
            guard let mine, state.phase != .stopped else { return false }
            state.claims.append(mine)
            return true
        }
        if isFilled {
            signal.wake()
        } else if let mine {
            // Too late: the next dispatcher claims it when the lease expires.
            inFlight.remove(mine)
        }
    }

    func take(upTo limit: Int) -> [OutboxClaim] {
        state.withLock { state in
            let taken = Array(state.claims.prefix(limit))
            state.claims.removeFirst(taken.count)
            return taken
        }
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

    /// The attempt and the end of the lease of the newest claim on the message of this one.
    func newest(_ claim: OutboxClaim) -> (attempt: Int, leaseEnd: Timestamp) {
        entries.withLock { entries in
            guard let newest = entries[claim.message.id] else { return (claim.message.attempts, claim.leaseEnd) }
            return (newest.claim.message.attempts, newest.claim.leaseEnd)
        }
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
