import PhoneNumbers
public import PhoneSignup

/// Something that happened which the operator's own programs may subscribe to, and the state of its delivery.
///
/// It refers to its subject and contains no number, no code and no text: the payload is made of the rows as they are
/// when it is sent. So what is erased meanwhile is sent to nobody.
public struct Event: Hashable, Sendable {
    /// Raw values are on the wire and in stores.
    public enum Kind: String, Sendable, CaseIterable {
        case verificationApproved = "verification.approved"
        /// A verification ended without proof: too many wrong codes, no gateway accepted the message, or it expired.
        /// Cancellation by its owner is none of these.
        case verificationFailed = "verification.failed"
        case messageDelivered = "message.delivered"
        /// A message was lost on its way, or no gateway accepted it.
        case messageUndelivered = "message.undelivered"
        case accountCreated = "account.created"
        /// An account got another number, or its old one back.
        case numberChanged = "number.changed"
        case guardBlocked = "guard.blocked"
        /// An entry was added to the audit log. There are some for each verification, so it is nobody's unless asked for.
        case auditRecorded = "audit.recorded"
        /// The code that a message carried was entered: for the gateway that took it, if that wants to know. It goes to
        /// no webhook.
        case messageFeedback = "message.feedback"

        /// The kinds that webhooks get.
        public static let ofWebhooks = allCases.filter { $0 != .messageFeedback }
        /// The kinds that are sent unless others are named.
        public static let standard = ofWebhooks.filter { $0 != .auditRecorded }

        /// Nil unless it is the name of one of ``ofWebhooks``.
        public init?(ofWebhooks name: String) {
            guard let kind = Self.ofWebhooks.first(where: { $0.rawValue == name }) else { return nil }
            self = kind
        }

        var happensOnce: Bool {
            switch self {
            case .verificationApproved, .accountCreated, .auditRecorded, .messageFeedback: true
            case .verificationFailed, .messageDelivered, .messageUndelivered, .numberChanged, .guardBlocked: false
            }
        }
    }

    /// Delivered events are deleted. Raw values are stored.
    public enum Status: String, Sendable, CaseIterable {
        case queued
        /// It was tried too often, or the receiver wants no more.
        case failed
    }

    public let kind: Kind
    public let subject: EventSubject
    public let occurredAt: Timestamp
    /// The trace of what happened, of which the delivery is a part.
    public private(set) var traceParent: TraceParent?
    public private(set) var status: Status
    /// How often it was claimed for sending. Never reset, and so distinguishes one claim from the next.
    public private(set) var attempts: Int
    /// How many of the ``attempts`` do not count towards a limit: all before an operator's retry.
    public private(set) var forgivenAttempts: Int
    /// When it is due; while it is claimed, when the lease expires. At most ``longestWait`` ahead.
    public private(set) var nextAttemptAt: Timestamp
    /// Why it was last not accepted, a fixed phrase; nil before the first attempt.
    public private(set) var failure: String?

    /// The longest that an event waits for its next attempt.
    public static let longestWait: Duration = .seconds(8 * 3600)

    /// As ``OutboxMessage/latestAttempt(at:)``.
    public static func latestAttempt(at now: Timestamp) -> Timestamp { now + longestWait + .longestDelay }

    /// Due at once.
    public init(_ kind: Kind, of subject: EventSubject, occurredAt: Timestamp, at now: Timestamp) {
        self.init(kind: kind, subject: subject, occurredAt: occurredAt, status: .queued, nextAttemptAt: now)
    }

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
        (self.kind, self.subject, self.occurredAt, self.status) = (kind, subject, occurredAt, status)
        (self.attempts, self.forgivenAttempts, self.nextAttemptAt) = (attempts, forgivenAttempts, nextAttemptAt)
        (self.failure, self.traceParent) = (failure, traceParent)
    }

    /// The same event as a part of this trace, or of its own if this is nil.
    public func belonging(to traceParent: TraceParent?) -> Event {
        var event = self
        event.traceParent = traceParent ?? event.traceParent
        return event
    }

    /// Made of what happened and to what, so that what happens once has one event however often an operation is
    /// repeated. What may happen more than once has its time in it: a prefix is blocked again, and a message that an
    /// operator had retried is lost again.
    public var id: EventID { EventID(kind, subject, occurredAt) }

    /// How many attempts count towards a limit, including the one under way.
    public var countedAttempts: Int { attempts - forgivenAttempts }

    /// Claims the event for sending until `end`. Returns false if it is not due.
    public mutating func claim(at now: Timestamp, until end: Timestamp) -> Bool {
        guard status == .queued, nextAttemptAt <= now else { return false }
        attempts += 1
        nextAttemptAt = end
        return true
    }

    /// The event after an attempt; nil once it is delivered.
    func settled(by result: EventResult) -> Event? {
        var event = self
        switch result {
        case .delivered: return nil
        case .retry(let moment, let failure): (event.nextAttemptAt, event.failure) = (moment, failure)
        case .failed(let failure): (event.status, event.failure) = (.failed, failure)
        }
        return event
    }

    package mutating func requeue(at now: Timestamp) {
        status = .queued
        forgivenAttempts = attempts
        nextAttemptAt = now
    }
}

/// Who an event is for: each claims its own.
public enum EventReader: Sendable {
    case webhooks
    /// The gateways that want to know that a code was entered (``Event/Kind/messageFeedback``).
    case gateways
}

/// The ID of an ``Event``, by which a receiver recognizes a redelivery: `evt_verification_approved_0123…`.
///
/// Only letters, digits and underscores: a full stop would make what is signed ambiguous
/// (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, "Signature scheme").
public struct EventID: Hashable, Sendable {
    private static let prefix = "evt_"
    private static let longest = 100
    public let description: String

    init(_ kind: Event.Kind, _ subject: EventSubject, _ moment: Timestamp) {
        // The digits of an ID or of a prefix.
        let name = subject.description.split { $0 == "_" || $0 == "+" }.last ?? ""
        let time = kind.happensOnce ? "" : "_\(moment.milliseconds)"
        description = Self.prefix + String(kind.rawValue.map { $0 == "." ? "_" : $0 }) + "_" + name + time
    }

    /// The ID of an example, which is no event of any store. The bits distinguish it from other examples.
    public init(exampleOf bits: (UInt64, UInt64)) {
        description = Self.prefix + "test_" + Identifier<Verification>(bits: bits.0, bits.1).hexadecimal
    }
}

extension EventID: LosslessStringConvertible {
    public init?(_ description: String) {
        guard description.hasPrefix(Self.prefix), description.utf8.count <= Self.longest,
            description.utf8.allSatisfy({ $0.isASCIILowerCase || $0.isASCIIDigit || $0 == UInt8(ascii: "_") })
        else { return nil }
        self.description = description
    }
}

public enum EventSubject: Hashable, Sendable {
    case verification(Verification.ID)
    case message(OutboxMessage.ID)
    case account(Account.ID)
    /// The numbers with this prefix (``TrafficKey/prefix(_:)``).
    case prefix(String)
    /// The entry of the audit log with this key.
    case auditEntry(Int64)
}

extension EventSubject: LosslessStringConvertible {
    /// The text that is stored: an ID, or `+82101234`.
    public var description: String {
        switch self {
        case .verification(let id): id.description
        case .message(let id): id.description
        case .account(let id): id.description
        case .prefix(let prefix): prefix
        case .auditEntry(let serial): "\(Self.auditPrefix)\(serial)"
        }
    }

    private static let auditPrefix = "aud_"

    public init?(_ description: String) {
        let subject =
            Verification.ID(description).map(Self.verification) ?? OutboxMessage.ID(description).map(Self.message)
            ?? Account.ID(description).map(Self.account)
            ?? (description.utf8.first == UInt8(ascii: "+") ? .prefix(description) : nil)
            ?? (description.hasPrefix(Self.auditPrefix)
                ? Int64(description.dropFirst(Self.auditPrefix.count)).map(Self.auditEntry) : nil)
        guard let subject else { return nil }
        self = subject
    }
}
