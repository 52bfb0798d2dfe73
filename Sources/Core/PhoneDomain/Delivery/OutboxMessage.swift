public import PhoneNumbers
public import PhoneSignup

/// A message to be sent to a number, stored in the transaction of its verification until a gateway has accepted it.
///
/// It contains no text and no code: the text is made when it is sent, from the verification's sealed code. A notice
/// instead informs the old number of a change that the verification brought about.
public struct OutboxMessage: Identified, Hashable, Sendable {
    public static let identifierPrefix = "msg"

    /// Raw values are stored.
    public enum Status: String, Sendable, CaseIterable {
        case queued
        case sent
        /// A gateway may have accepted it, but gave no answer. An operator may have it retried.
        case unknown
        /// Arrived on the phone, as the gateway reported later.
        case delivered
        /// Accepted by a gateway and lost, as the gateway reported later.
        case undelivered
        /// Rejected by every gateway, or tried too often.
        case failed
        /// No longer worth sending: the verification ended before a gateway accepted it.
        case dropped
        /// Silently suppressed by the guard: nothing was sent, and no client was notified.
        case withheld
    }

    /// Gateways get it as an idempotency key.
    public let id: ID
    public let verificationID: Verification.ID
    /// The change of number that a notice is about; nil for a message with a code.
    public let numberChangeID: NumberChange.ID?
    /// What it goes by; a notice goes by SMS.
    public let channel: Channel
    /// How many messages it counts as (``Routes/weights(to:)``), at least 1.
    public let weight: Int
    public let createdAt: Timestamp
    /// Whether the guard silently suppresses it. It takes the path of any other message up to the gateways, so that
    /// neither a response nor its time distinguishes the two.
    public let isWithheld: Bool
    public let traceParent: TraceParent?
    public let wording: MessageWording?
    /// The ``Owner/group`` of its verification's owner. Here it indexes a group's messages in their own order.
    public let group: String?
    public private(set) var status: Status
    /// How often it was claimed for sending. Never reset, and so distinguishes one claim from the next.
    public private(set) var attempts: Int
    /// How many of the ``attempts`` do not count towards a limit: those for which no gateway could be asked, and all
    /// before an operator's retry.
    public private(set) var forgivenAttempts: Int
    /// When it is due; while it is claimed, when the lease expires. At most ``longestWait`` ahead.
    public private(set) var nextAttemptAt: Timestamp
    /// The gateway that accepted it, or may have. While the message is queued no other gateway may get it.
    public private(set) var gateway: String?
    /// The gateway's ID for it, or a digest of one that is not fit for logs.
    public private(set) var gatewayMessageID: String?
    /// The ID by which the gateway is to be asked what became of it, while that is not known; nil where it is not
    /// asked, or is asked by ``gatewayMessageID``. It may contain the number, so that it is shown and logged nowhere.
    public private(set) var pollingID: String?
    /// Whether the gateway is still to report what became of it.
    public private(set) var awaitsReceipt: Bool
    /// When the code is to be sent by the next channel unless a gateway has reported that this message was delivered;
    /// nil where it is not.
    public private(set) var fallbackAt: Timestamp?
    /// When a gateway accepted it, or may have.
    public private(set) var acceptedAt: Timestamp?
    /// When its gateway reported that it was delivered; nil where it said so at once.
    public private(set) var deliveredAt: Timestamp?
    /// What the gateway charges for it, in millionths of the currency (``PriceList``); nil if that is not known.
    public private(set) var cost: Int?
    /// Why it was last not accepted or not delivered, a fixed phrase; nil once a gateway accepted it.
    public private(set) var failure: String?
    /// What its gateway answered to the report that the code was entered: ``acceptedFeedback``, or why it did not take
    /// it, a fixed phrase. Nil where it was not told.
    public private(set) var feedback: String?

    public static let acceptedFeedback = "accepted"

    /// The longest that a message waits for its next attempt, leases included.
    public static let longestWait: Duration = .seconds(3600)

    /// The latest next attempt of a message that was queued by a clock as right as this one. One that is to wait longer
    /// was left so by a clock that ran ahead, and is due (``StoreMaintenance/hasten(at:limit:)``).
    public static func latestAttempt(at now: Timestamp) -> Timestamp { now + longestWait + .longestDelay }

    /// How many attempts count towards a limit, including the one under way.
    public var countedAttempts: Int { attempts - forgivenAttempts }

    /// A new message is due at once: `nextAttemptAt` defaults to `createdAt`.
    public init(
        id: ID,
        verificationID: Verification.ID,
        numberChangeID: NumberChange.ID? = nil,
        channel: Channel = .sms,
        weight: Int = 1,
        createdAt: Timestamp,
        isWithheld: Bool = false,
        traceParent: TraceParent? = nil,
        wording: MessageWording? = nil,
        group: String? = nil,
        status: Status = .queued,
        attempts: Int = 0,
        nextAttemptAt: Timestamp? = nil,
        gateway: String? = nil,
        gatewayMessageID: String? = nil,
        forgivenAttempts: Int = 0,
        failure: String? = nil,
        awaitsReceipt: Bool = false,
        fallbackAt: Timestamp? = nil,
        cost: Int? = nil,
        acceptedAt: Timestamp? = nil,
        deliveredAt: Timestamp? = nil,
        pollingID: String? = nil,
        feedback: String? = nil
    ) {
        (self.id, self.verificationID, self.numberChangeID) = (id, verificationID, numberChangeID)
        (self.channel, self.weight) = (channel, weight)
        (self.createdAt, self.fallbackAt) = (createdAt, fallbackAt)
        (self.isWithheld, self.traceParent, self.cost) = (isWithheld, traceParent, cost)
        (self.wording, self.group, self.status, self.attempts) = (wording, group, status, attempts)
        self.nextAttemptAt = nextAttemptAt ?? createdAt
        (self.gateway, self.gatewayMessageID, self.forgivenAttempts) = (gateway, gatewayMessageID, forgivenAttempts)
        (self.failure, self.awaitsReceipt, self.deliveredAt) = (failure, awaitsReceipt, deliveredAt)
        (self.pollingID, self.feedback, self.acceptedAt) = (pollingID, feedback, acceptedAt)
    }

    /// Claims the message for sending until `end`. Returns false if it is not due.
    public mutating func claim(at now: Timestamp, until end: Timestamp) -> Bool {
        guard status == .queued, nextAttemptAt <= now else { return false }
        attempts += 1
        nextAttemptAt = end
        return true
    }

    /// Whether the code is to be sent by the next channel now. It is asked once: nothing is due afterwards.
    public mutating func takeFallback(of verification: Verification, at now: Timestamp) -> Bool {
        guard let due = fallbackAt, due <= now else { return false }
        fallbackAt = nil
        return verification.canMoveOn(from: self, at: now)
    }

    public var isNotice: Bool { numberChangeID != nil }

    /// Whether a gateway accepted it under an ID of its own and did not report it as lost, or may be about to.
    public var mayHaveCarriedCode: Bool {
        switch status {
        case .queued: !isNotice
        case .sent, .delivered: !isNotice && gatewayMessageID != nil
        case .unknown, .undelivered, .failed, .dropped, .withheld: false
        }
    }

    /// Whether it takes of the limits and the budget: it is on its way, or was. What no gateway accepted costs nothing
    /// and shows nothing about the numbers it was for. A notice asks for no code in return, so it shows nothing either.
    /// What is withheld takes as much as what is sent, or the limits would distinguish the two.
    public var isCharged: Bool { !isNotice && status != .failed && status != .dropped }
    public var countsAsSent: Bool { isCharged && !isWithheld }

    /// Counts the message in the limits that messages share, by its weight, and in the traffic, or takes it out again:
    /// an outage of the gateways must not use up the budget, nor be taken for fraud. This is the only place that does.
    ///
    /// - Parameter counted: the message as it was last counted; nil for a new one.
    public func count(
        in limits: inout LimitLedger,
        _ traffic: inout NumberTraffic,
        insteadOf counted: OutboxMessage? = nil,
        at now: Timestamp
    ) {
        let change = (isCharged ? 1 : 0) - (counted?.isCharged == true ? 1 : 0)
        if change != 0 { limits.take(.messages, at: now, count: change * weight) }
        if isWithheld {
            if counted == nil { traffic.recordSuppressed(at: now) }
        } else {
            traffic.changeSends(by: change, weight: weight, at: createdAt)
        }
    }

    mutating func settle(_ result: DeliveryResult, at now: Timestamp) {
        switch result {
        case .sent(
            let gateway,
            let gatewayMessageID,
            let outcome,
            let awaitsReceipt,
            let cost,
            let pollingID,
            let refusals
        ):
            (status, self.cost, self.pollingID, acceptedAt) = (.sent, cost, pollingID, now)
            (self.gateway, self.gatewayMessageID) = (gateway, gatewayMessageID)
            (failure, self.awaitsReceipt) = (refusals, awaitsReceipt && gatewayMessageID != nil)
            // Nobody would ever know that it has arrived.
            if outcome == nil, !self.awaitsReceipt { fallbackAt = nil }
            if let outcome { record(outcome) }
        case .unknown(let gateway, let failure):
            (status, acceptedAt) = (.unknown, now)
            (self.gateway, self.failure) = (gateway, failure)
        case .retry(let moment, let failure, let gateway):
            nextAttemptAt = min(moment, now + Self.longestWait)
            (self.gateway, self.failure) = (gateway, failure)
        case .postponed(let moment, let failure):
            nextAttemptAt = min(moment, now + Self.longestWait)
            forgivenAttempts += 1
            self.failure = failure ?? self.failure
        case .failed(let failure, let gateway):
            status = .failed
            (self.gateway, self.failure) = (gateway, failure)
            if fallbackAt != nil { fallbackAt = createdAt }
        case .waiting: break
        case .dropped: status = .dropped
        case .withheld: status = .withheld
        }
    }

    /// Waits for its turn at a gateway, which costs no attempt.
    package mutating func wait(until moment: Timestamp, at reason: String, now: Timestamp) {
        settle(.postponed(until: moment, failure: reason), at: now)
    }

    /// Is due sooner than it was.
    package mutating func hasten(to moment: Timestamp) { nextAttemptAt = min(nextAttemptAt, moment) }

    /// Queues the message again, due at once and for any gateway, with no attempt counted.
    package mutating func requeue(at now: Timestamp) {
        status = .queued
        (gateway, acceptedAt) = (nil, nil)
        forgivenAttempts = attempts
        nextAttemptAt = now
    }

    mutating func record(feedback: String) { self.feedback = feedback }

    mutating func record(_ outcome: RecordReceipt.Outcome, at now: Timestamp? = nil) {
        (awaitsReceipt, pollingID) = (false, nil)
        switch outcome {
        case .delivered: (status, fallbackAt, deliveredAt) = (.delivered, nil, now)
        case .undelivered(let code):
            if fallbackAt != nil { fallbackAt = now ?? createdAt }
            status = .undelivered
            failure = "lost in transit" + (code.map { " (\($0))" } ?? "")
        }
    }
}

/// A class, since it passes through many hands: a copy would be one of all three.
public final class OutboxClaim: Sendable {
    public let message: OutboxMessage
    /// The verification whose code it contains, or which led to the change that it is about.
    public let verification: Verification
    /// The change that it is about (``OutboxMessage/numberChangeID``); nil for a code, and where it no longer exists.
    public let change: NumberChange?

    public init(message: OutboxMessage, verification: Verification, change: NumberChange? = nil) {
        (self.message, self.verification, self.change) = (message, verification, change)
    }

    /// Nil for a notice that has nobody to go to any more.
    public var recipient: PhoneNumber? { message.isNotice ? change?.oldNumber : verification.phoneNumber }

    /// A code as long as it can be used, a notice as long as the change can be undone.
    public func isDeliverable(at now: Timestamp) -> Bool {
        message.isNotice ? change?.isUndoable(at: now) ?? false : verification.status(at: now) == .pending
    }

    public var end: Timestamp { message.isNotice ? change?.undoableUntil ?? message.createdAt : verification.end }
}

extension OutboxClaim: Hashable {
    public static func == (one: OutboxClaim, other: OutboxClaim) -> Bool {
        (one.message, one.verification, one.change) == (other.message, other.verification, other.change)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(message) }
}

/// The queued messages at a moment, due or not.
public struct OutboxBacklog: Hashable, Sendable {
    public let count: Int
    public let oldest: Timestamp?
    public init(count: Int, oldest: Timestamp?) { (self.count, self.oldest) = (count, oldest) }
}
