import PhoneDomain
import Synchronization

/// The messages that a dispatcher has taken and whose result is not on record yet.
///
/// The store knows a claim by its lease alone, and a lease may seem to be over though nobody gave the message up: the
/// clock was put forward, or what came of the message could not be recorded for as long as the disk was full. Then the
/// store hands the same message out again. Whoever has it in hand does not send it twice: the new claim is
/// only the one under which its result goes on record.
final class MessagesInHand: Sendable {
    private struct Entry {
        var claim: OutboxClaim
        var result: DeliveryResult?
        /// Whether somebody is about to record the result; if not, the next claim is the occasion to.
        var isAtWork = true
    }

    private let entries = Mutex<[OutboxMessage.ID: Entry]>([:])

    /// Takes what was claimed.
    ///
    /// - Returns: the claims that somebody has to see to; nobody else does.
    func take(_ claims: [OutboxClaim]) -> [OutboxClaim] {
        entries.withLock { entries in
            claims.filter { claim in
                let known = entries[claim.message.id]
                entries[claim.message.id] = Entry(claim: claim, result: known?.result)
                return !(known?.isAtWork ?? false)
            }
        }
    }

    /// The newest claim on the message of this one.
    func newest(_ claim: OutboxClaim) -> OutboxClaim {
        entries.withLock { $0[claim.message.id]?.claim } ?? claim
    }

    /// What is known to have come of the message.
    func result(of claim: OutboxClaim) -> DeliveryResult? {
        entries.withLock { $0[claim.message.id]?.result }
    }

    func keep(_ result: DeliveryResult, of claim: OutboxClaim) {
        entries.withLock { $0[claim.message.id]?.result = result }
    }

    /// The result is on record, or is another's to say.
    func release(_ claim: OutboxClaim) {
        entries.withLock { $0[claim.message.id] = nil }
    }

    /// The result could not be recorded; it is remembered for as long as the message could be sent again.
    func putAside(_ claim: OutboxClaim, at now: Timestamp) {
        entries.withLock { entries in
            entries[claim.message.id]?.isAtWork = false
            entries = entries.filter { $1.isAtWork || $1.claim.isWorthSending(at: now) }
        }
    }
}
