/// A message that is owed to a number, kept with the verification that it belongs to until a gateway has taken it.
///
/// It bears no text and no code: the text is made when it is sent, from the verification's sealed code. Or it is a notice:
/// then it tells the old number of a change that the verification brought about.
public struct OutboxMessage: Identified, Hashable, Sendable {
    public static let identifierPrefix = "msg"

    /// How it stands. The raw values are what stores keep.
    public enum Status: String, Sendable, CaseIterable {
        /// Owed, and due at ``OutboxMessage/nextAttemptAt``.
        case queued
        /// Taken by a gateway.
        case sent
        /// A gateway may have taken it, but gave no answer. An operator may have it tried again.
        case unknown
        /// On the phone, as the gateway said later.
        case delivered
        /// Taken by a gateway and lost on its way, as the gateway said later.
        case undelivered
        /// Refused by every gateway, or tried too often.
        case failed
        /// Not worth sending any more: the verification ended before a gateway took it.
        case dropped
        /// Held back in silence by the guard: nothing went out, and nobody was told.
        case withheld
    }

    /// Its name, which gateways get as a key by which to tell a repetition.
    public let id: ID
    /// The verification whose code it bears.
    public let verificationID: Verification.ID
    /// The change of number that it tells of; nil for a message that bears a code.
    public let numberChangeID: NumberChange.ID?
    /// When it was queued.
    public let createdAt: Timestamp
    /// Whether it only looks like a message, because the guard holds it back in silence. It takes the way of any other,
    /// up to the gateways, so that neither an answer nor its time tells the two apart.
    public let isWithheld: Bool
    /// What asked for it, if that is traced.
    public let traceParent: TraceParent?
    /// How it is worded; nil for as all are.
    public let wording: MessageWording?
    /// The account of the tenant in whose name it goes out; nil for a message that is no tenant's. Its verification tells it as
    /// well: here it is so that an account's messages are found by their own order.
    public let account: TenantAccount.ID?
    /// How it stands.
    public private(set) var status: Status
    /// How often it was claimed for sending. It only grows, and so tells one claim from the next.
    public private(set) var attempts: Int
    /// How many of the ``attempts`` do not count towards a limit: those for which no gateway could be asked, and all that
    /// came before an operator had it tried again.
    public private(set) var forgivenAttempts: Int
    /// When it is due; while one works on it, when that one's claim runs out.
    public private(set) var nextAttemptAt: Timestamp
    /// The name of the gateway that took it, or may have. While the message is queued no other gateway may get it.
    public private(set) var gateway: String?
    /// The gateway's own name for it, if it gave one that may be kept.
    public private(set) var gatewayMessageID: String?
    /// Why it was last not taken or not delivered, in a few words that are always the same; nil once a gateway took it.
    public private(set) var failure: String?

    /// How many attempts count towards a limit, the one under way among them.
    public var countedAttempts: Int { attempts - forgivenAttempts }

    /// A message that is due at once.
    public init(
        id: ID,
        verificationID: Verification.ID,
        numberChangeID: NumberChange.ID? = nil,
        createdAt: Timestamp,
        isWithheld: Bool = false,
        traceParent: TraceParent? = nil,
        wording: MessageWording? = nil,
        account: TenantAccount.ID? = nil
    ) {
        self.init(
            id: id,
            verificationID: verificationID,
            numberChangeID: numberChangeID,
            createdAt: createdAt,
            isWithheld: isWithheld,
            traceParent: traceParent,
            wording: wording,
            account: account,
            status: .queued,
            attempts: 0,
            nextAttemptAt: createdAt,
            gateway: nil,
            gatewayMessageID: nil
        )
    }

    /// A message as a store kept it.
    public init(
        id: ID,
        verificationID: Verification.ID,
        numberChangeID: NumberChange.ID? = nil,
        createdAt: Timestamp,
        isWithheld: Bool = false,
        traceParent: TraceParent? = nil,
        wording: MessageWording? = nil,
        account: TenantAccount.ID? = nil,
        status: Status,
        attempts: Int,
        nextAttemptAt: Timestamp,
        gateway: String?,
        gatewayMessageID: String?,
        forgivenAttempts: Int = 0,
        failure: String? = nil
    ) {
        self.id = id
        self.verificationID = verificationID
        self.numberChangeID = numberChangeID
        self.createdAt = createdAt
        self.isWithheld = isWithheld
        self.traceParent = traceParent
        self.wording = wording
        self.account = account
        self.status = status
        self.attempts = attempts
        self.nextAttemptAt = nextAttemptAt
        self.gateway = gateway
        self.gatewayMessageID = gatewayMessageID
        self.forgivenAttempts = forgivenAttempts
        self.failure = failure
    }

    /// Takes the message for sending: until `end` nobody else will.
    ///
    /// - Returns: whether it was there to be taken.
    public mutating func claim(at now: Timestamp, until end: Timestamp) -> Bool {
        guard status == .queued, nextAttemptAt <= now else { return false }
        attempts += 1
        nextAttemptAt = end
        return true
    }

    /// Whether it tells of a change and bears no code.
    public var isNotice: Bool { numberChangeID != nil }

    /// Whether it counts as a message sent: it is on its way, or was. What no gateway took says nothing of the numbers that
    /// it was for, and costs nothing. A notice asks for no code in return, so it says nothing either.
    public var countsAsSent: Bool {
        if isNotice { return false }
        return switch status {
        case .queued, .sent, .unknown, .delivered, .undelivered: !isWithheld
        case .failed, .dropped, .withheld: false
        }
    }

    mutating func settle(_ result: DeliveryResult) {
        switch result {
        case .sent(let gateway, let gatewayMessageID, let outcome):
            status = .sent
            self.gateway = gateway
            self.gatewayMessageID = gatewayMessageID
            failure = nil
            if let outcome { record(outcome) }
        case .unknown(let gateway, let failure):
            status = .unknown
            self.gateway = gateway
            self.failure = failure
        case .retry(let moment, let failure, let gateway):
            nextAttemptAt = moment
            self.gateway = gateway
            self.failure = failure
        case .postponed(let moment):
            nextAttemptAt = moment
            forgivenAttempts += 1
        case .failed(let failure):
            status = .failed
            self.failure = failure
        case .dropped: status = .dropped
        case .withheld: status = .withheld
        }
    }

    /// Puts the message back, due at once and for any gateway, with all of its attempts forgiven.
    mutating func requeue(at now: Timestamp) {
        status = .queued
        gateway = nil
        forgivenAttempts = attempts
        nextAttemptAt = now
    }

    /// How it fared after a gateway took it.
    mutating func record(_ outcome: RecordReceipt.Outcome) {
        switch outcome {
        case .delivered: status = .delivered
        case .undelivered(let code):
            status = .undelivered
            failure = "lost on its way" + (code.map { " (\($0))" } ?? "")
        }
    }
}
