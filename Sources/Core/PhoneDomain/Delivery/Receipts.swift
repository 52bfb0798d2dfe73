public import PhoneSignup

/// Records a gateway's delivery report.
/// Receipts come late, repeated and out of order; only the first final one changes anything.
public struct RecordReceipt: Command {
    public enum Outcome: Hashable, Sendable {
        case delivered
        case undelivered(code: Int?)
    }

    public let gateway: String
    public let gatewayMessageID: String
    public let outcome: Outcome
    public let now: Timestamp

    public init(gateway: String, gatewayMessageID: String, outcome: Outcome, now: Timestamp) {
        (self.gateway, self.gatewayMessageID, self.outcome, self.now) = (gateway, gatewayMessageID, outcome, now)
    }

    /// Updates the message if this gateway accepted it under this ID and no receipt came before. Answers whether
    /// anything changed.
    public func apply(to message: inout OutboxMessage?) -> Result<Bool, Never> {
        guard message?.status == .sent, message?.gateway == gateway, message?.gatewayMessageID == gatewayMessageID
        else { return .success(false) }
        message?.record(outcome, at: now)
        return .success(true)
    }
}

/// A query for messages that a gateway accepted and whose fate is unknown, oldest first.
/// A message without a gateway's ID cannot be asked about, and is not among them.
public struct AwaitedReceipts: Hashable, Sendable {
    public let gateway: String
    /// Exclusive bound of the time of queueing.
    public let after: Timestamp
    /// Inclusive bound.
    public let through: Timestamp
    /// The last one of the page before; nil for the first page.
    public let last: SentMessage?
    /// None if it is negative.
    public let limit: Int

    public init(gateway: String, after: Timestamp, through: Timestamp, behind last: SentMessage? = nil, limit: Int) {
        (self.gateway, self.after, self.through, self.last, self.limit) = (gateway, after, through, last, limit)
    }
}

public struct SentMessage: Hashable, Sendable {
    public let id: OutboxMessage.ID
    public let createdAt: Timestamp
    /// The ID to ask its gateway by: ``OutboxMessage/pollingID``, or else ``OutboxMessage/gatewayMessageID``.
    public let gatewayMessageID: String

    public init(id: OutboxMessage.ID, createdAt: Timestamp, gatewayMessageID: String) {
        (self.id, self.createdAt, self.gatewayMessageID) = (id, createdAt, gatewayMessageID)
    }
}

/// What a gateway posted: about a message, or one that a person sent. None of it can be trusted before its signature or
/// token is checked. It may contain a number, so it prints no part.
public struct GatewayReport: Sendable {
    public struct Field: Hashable, Sendable {
        public let name: String
        public let value: String
        public init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    /// The fields of a form, or of the query where there is no form, in the order of the request; those of the same
    /// name are one by one.
    public let fields: [Field]
    public let body: [UInt8]
    /// The value of ``ReportIntake/signatureHeader``; empty without it.
    public let signature: String
    /// The value of ``ReportIntake/timestampHeader``; empty without it.
    public let timestamp: String

    public init(fields: [Field] = [], body: [UInt8] = [], signature: String, timestamp: String = "") {
        (self.fields, self.body, self.signature, self.timestamp) = (fields, body, signature, timestamp)
    }

    public subscript(name: String) -> String? { fields.first { $0.name.utf8.elementsEqual(name.utf8) }?.value }
}

extension GatewayReport: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "GatewayReport(\(fields.count) fields, \(body.count) bytes)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["fields": fields.count, "bytes": body.count]) }
}

/// Why a report cannot be read, which its gateway must not take for success.
public struct UnreadableReport: Error {
    /// A fixed phrase: nothing of the report, which may contain a number.
    public let reason: String
    public init(_ reason: StaticString) { self.reason = reason.description }
}

/// Takes what one gateway reports.
public protocol ReportIntake: Sendable {
    /// The header field that a report must have to be read at all; nil where its proof is among the fields.
    var signatureHeader: String? { get }
    /// The header field with the time that is signed beside the body. Standard: nil.
    var timestampHeader: String? { get }
    /// Whether the field `token` of the query will do instead; then the query's fields count beside a form's. Standard:
    /// false.
    var acceptsToken: Bool { get }
    /// Whether a `+` in a query is a space, as in a form, and not itself, as in `?from=+8210…`. Standard: false.
    var writesSpacesAsPlus: Bool { get }
    /// What a vendor wants to read that a report has arrived. Standard: nil, nothing.
    var reply: String? { get }
    /// Verifies the gateway's signature and records the report. Nothing is looked up before the signature is verified,
    /// so that a forged request costs a digest and no more.
    /// Returns whether the gateway signed it; a report on an unknown message is genuine all the same. Throws
    /// ``UnreadableReport``, or if it could not be recorded; the gateway may report it again.
    func take(_ report: GatewayReport) async throws -> Bool
    /// The answer to a vendor that asks whether the address is the operator's; nil if it did not prove who it is.
    func answer(to challenge: GatewayReport) -> String?
}

extension ReportIntake {
    public var timestampHeader: String? { nil }
    public var acceptsToken: Bool { false }
    public var writesSpacesAsPlus: Bool { false }
    public var reply: String? { nil }
    public func answer(to challenge: GatewayReport) -> String? { nil }
}
