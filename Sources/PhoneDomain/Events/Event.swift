/// Something that happened which the operator's own programs may want to hear of, and how far it has been told.
///
/// It refers to what it is about and bears no number, no code and no text: what is told is made of the rows as they are
/// when it is sent. So what is erased meanwhile is told to nobody.
public struct Event: Hashable, Sendable {
    /// What happened. The raw values are what receivers read, and stores keep.
    public enum Kind: String, Sendable, CaseIterable {
        /// Somebody gave the right code.
        case verificationApproved = "verification.approved"
        /// A verification ended without proof: too many wrong codes, no gateway took the message, or its time ran out. One
        /// that its owner canceled is none of these.
        case verificationFailed = "verification.failed"
        /// A gateway said that a message is on the phone.
        case messageDelivered = "message.delivered"
        /// A message was lost on its way, or no gateway would take it.
        case messageUndelivered = "message.undelivered"
        /// A number was proven that no account had, and one was made.
        case accountCreated = "account.created"
        /// An account got another number, or its old one back.
        case numberChanged = "number.changed"
        /// The guard began to hold back messages to a prefix.
        case guardBlocked = "guard.blocked"

        /// Whether it happens to its subject once and never again.
        var happensOnce: Bool {
            switch self {
            case .verificationApproved, .accountCreated: true
            case .verificationFailed, .messageDelivered, .messageUndelivered, .numberChanged, .guardBlocked: false
            }
        }
    }

    /// How it stands. One that was told is not kept. The raw values are what stores keep.
    public enum Status: String, Sendable, CaseIterable {
        /// To be told, and due at ``Event/nextAttemptAt``.
        case queued
        /// Set aside: it was tried too often, or the receiver wants no more.
        case failed
    }

    /// What happened.
    public let kind: Kind
    /// To what.
    public let subject: EventSubject
    /// When.
    public let occurredAt: Timestamp
    /// The trace that what happened belongs to, if anybody traces it; telling it is a part of it.
    public private(set) var traceParent: TraceParent?
    /// How it stands.
    public private(set) var status: Status
    /// How often it was claimed for sending. It only grows, and so tells one claim from the next.
    public private(set) var attempts: Int
    /// How many of the ``attempts`` do not count towards a limit: all that came before an operator had it tried again.
    public private(set) var forgivenAttempts: Int
    /// When it is due; while one works on it, when that one's claim runs out.
    public private(set) var nextAttemptAt: Timestamp
    /// Why it was last not taken, in a few words that are always the same; nil before the first attempt.
    public private(set) var failure: String?

    /// An event that is due at once.
    ///
    /// - Parameters:
    ///   - kind: what happened.
    ///   - subject: to what.
    ///   - occurredAt: when.
    ///   - now: this moment.
    public init(_ kind: Kind, of subject: EventSubject, occurredAt: Timestamp, at now: Timestamp) {
        self.init(kind: kind, subject: subject, occurredAt: occurredAt, status: .queued, nextAttemptAt: now)
    }

    /// An event as a store kept it.
    public init(
        kind: Kind,
        subject: EventSubject,
        occurredAt: Timestamp,
        status: Status,
        attempts: Int = 0,
        forgivenAttempts: Int = 0,
        nextAttemptAt: Timestamp,
        failure: String? = nil,
        traceParent: TraceParent? = nil
    ) {
        self.kind = kind
        self.subject = subject
        self.occurredAt = occurredAt
        self.status = status
        self.attempts = attempts
        self.forgivenAttempts = forgivenAttempts
        self.nextAttemptAt = nextAttemptAt
        self.failure = failure
        self.traceParent = traceParent
    }

    /// The same event as a part of this trace, or of the one that it has if this is nil.
    public func belonging(to traceParent: TraceParent?) -> Event {
        var event = self
        event.traceParent = traceParent ?? event.traceParent
        return event
    }

    /// Its name: of what happened and to what, so that what happens once is announced once however often an operation is
    /// repeated. What may happen more than once has its moment in it: a prefix is blocked again, and a message that an
    /// operator had tried again is lost again.
    public var id: EventID {
        EventID(kind, subject, occurredAt)
    }

    /// How many attempts count towards a limit, the one under way among them.
    public var countedAttempts: Int { attempts - forgivenAttempts }

    /// Takes the event for sending: until `end` nobody else will.
    ///
    /// - Returns: whether it was there to be taken.
    public mutating func claim(at now: Timestamp, until end: Timestamp) -> Bool {
        guard status == .queued, nextAttemptAt <= now else { return false }
        attempts += 1
        nextAttemptAt = end
        return true
    }

    mutating func postpone(until moment: Timestamp, _ failure: String) {
        nextAttemptAt = moment
        self.failure = failure
    }

    mutating func setAside(_ failure: String) {
        status = .failed
        self.failure = failure
    }

    /// Puts the event back, due at once, with all of its attempts forgiven.
    mutating func requeue(at now: Timestamp) {
        status = .queued
        forgivenAttempts = attempts
        nextAttemptAt = now
    }
}
