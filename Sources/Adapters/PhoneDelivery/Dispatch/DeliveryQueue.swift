import PhoneDomain
import PhoneSignup
import Synchronization

/// The messages that this process has claimed and whose results are not recorded yet, and the slots in which they are
/// sent.
///
/// A message comes from a look into the outbox, or from the transaction that queued it, which claimed it for this
/// dispatcher, so that nothing has to look for it. That is so while the queue is open: while nothing older is due in
/// the outbox, so that new messages do not overtake. Messages wait here for a slot, in memory, so their number is
/// limited. One that waits for nearly as long as its lease is not sent but due in the outbox again (``MessageSender``).
///
/// The store knows a claim by its lease alone, and a lease may expire though the dispatcher still has the message: the
/// clock was put forward, or the result could not be recorded for as long as the disk was full. Then the store hands
/// out the same message again. It is not sent twice: the new claim is only the one under which the result is recorded.
final class DeliveryQueue: Sendable {
    /// A message to process, with the result of its attempt if only that is to be recorded.
    typealias Job = (claim: OutboxClaim, result: DeliveryResult?)
    typealias Attempt = (claim: OutboxClaim, result: DeliveryResult)

    /// Changed under the lock alone.
    private final class Entry {
        var claim: OutboxClaim
        var result: DeliveryResult?
        /// Whether it is being processed; if not, the next claim is the occasion to record its result.
        var isActive = true

        init(_ claim: OutboxClaim) { self.claim = claim }
    }

    private enum Phase {
        case stopped, closed, open
    }

    private struct State {
        var phase: Phase
        var isStopping = false
        /// How many slots are taken.
        var sending = 0
        /// Oldest first.
        var waiting: [Entry] = []
        var entries: [OutboxMessage.ID: Entry] = [:]

        mutating func add(_ claim: OutboxClaim) {
            guard let known = entries[claim.message.id] else {
                let entry = Entry(claim)
                entries[claim.message.id] = entry
                return waiting.append(entry)
            }
            if !known.isActive { waiting.append(known) }
            (known.claim, known.isActive) = (claim, true)
        }
    }

    private let slots: Int
    private let limit: Int
    private let state: Mutex<State>
    /// Woken when there is a message and a slot for it, and when the queue is to stop.
    let signal = WakeSignal()

    /// - Parameters:
    ///   - slots: how many messages are sent at the same time.
    ///   - limit: how many messages may wait. Those of transactions under way when it is reached still join the queue.
    ///   - isOpen: whether it is open before the first look into the outbox.
    init(slots: Int, limit: Int, isOpen: Bool) {
        (self.slots, self.limit) = (slots, limit)
        state = Mutex(State(phase: isOpen ? .open : .stopped))
    }

    var isOpen: Bool { state.withLock { $0.phase == .open } }

    /// Whether no further message is to be sent.
    var isStopping: Bool { state.withLock { $0.isStopping } }

    func start() { state.withLock { $0.isStopping = false } }

    func stop() {
        state.withLock { $0.isStopping = true }
        signal.wake()
    }

    /// How many messages can be claimed so that none waits for a slot while its lease runs down.
    var room: Int { state.withLock { $0.isStopping ? 0 : max(0, slots - $0.sending - $0.waiting.count) } }

    /// Whether a message that is about to be queued may be claimed for this queue. When it is full, it closes: that
    /// message will be the oldest in the outbox.
    func admit() -> Bool {
        state.withLock { state in
            guard state.phase == .open else { return false }
            if state.waiting.count >= limit { state.phase = .closed }
            return state.phase == .open
        }
    }

    /// Adds a message that was claimed when it was queued. Once the queue has ended that is too late: the next
    /// dispatcher claims it when the lease expires.
    func add(_ claim: OutboxClaim) {
        state.withLock { if $0.phase != .stopped { $0.add(claim) } }
        signal.wake()
    }

    /// Adds what a look into the outbox found.
    ///
    /// - Parameter isOpen: whether nothing more is due there.
    func add(_ claims: [OutboxClaim], isOpen: Bool) {
        state.withLock { state in
            state.phase = isOpen ? .open : .closed
            for claim in claims { state.add(claim) }
        }
        if !claims.isEmpty { signal.wake() }
    }

    /// Takes a slot for each of the oldest messages, as far as there are any.
    func take() -> [Job] {
        state.withLock { state in
            let batch = state.waiting.prefix(slots - state.sending).map { ($0.claim, $0.result) }
            state.waiting.removeFirst(batch.count)
            state.sending += batch.count
            return batch
        }
    }

    /// Releases the slots of messages, whose results it keeps until they are recorded.
    ///
    /// - Returns: whether messages in the outbox may wait for a slot.
    func release(_ attempts: [Attempt]) -> Bool {
        let (isAwaited, isOpen) = state.withLock { state in
            for (claim, result) in attempts { state.entries[claim.message.id]?.result = result }
            state.sending -= attempts.count
            return (!state.waiting.isEmpty, state.phase == .open)
        }
        if isAwaited { signal.wake() }
        return !isOpen
    }

    /// The newest claims on the messages of these.
    func newest(_ claims: [OutboxClaim]) -> [OutboxClaim] {
        state.withLock { state in claims.map { state.entries[$0.message.id]?.claim ?? $0 } }
    }

    /// Call when the results under these claims are recorded, or another dispatcher records them. A message that was
    /// claimed again since then is to be processed again.
    func remove(_ claims: [OutboxClaim]) {
        let isRenewed = state.withLock { state in
            for claim in claims {
                let newest = state.entries.removeValue(forKey: claim.message.id)?.claim
                if let newest, newest.message.attempts != claim.message.attempts { state.add(newest) }
            }
            return !state.waiting.isEmpty
        }
        if isRenewed { signal.wake() }
    }

    /// Call when a result could not be recorded; it is remembered for as long as the message could be sent again.
    func suspend(_ claim: OutboxClaim, at now: Timestamp) {
        state.withLock { state in
            state.entries[claim.message.id]?.isActive = false
            state.entries = state.entries.filter { $1.isActive || $1.claim.isDeliverable(at: now) }
        }
    }

    /// Ends it until the next look into the outbox, and returns the messages that still wait.
    func end() -> [Job] {
        state.withLock { state in
            state.phase = .stopped
            defer { state.waiting = [] }
            return state.waiting.map { ($0.claim, $0.result) }
        }
    }
}
