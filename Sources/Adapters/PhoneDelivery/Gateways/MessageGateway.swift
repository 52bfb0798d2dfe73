import CoreEncodings
public import PhoneDomain
package import PhoneNumbers
public import PhoneSignup

/// Accepts text messages for delivery: a carrier, a vendor, or a substitute for one.
public protocol MessageGateway: Sendable {
    /// The name in logs and in the outbox, short and without white space: `twilio`.
    var name: String { get }

    /// What it can send by. Standard: SMS.
    var channels: Set<Channel> { get }

    /// Whether a message that is sent again with the same ``GatewayMessage/dedupeKey`` is delivered only once. Only
    /// then is a message retried after an attempt without a response. Standard: false.
    var isIdempotent: Bool { get }

    /// Whether it responds at once, within this process: then a batch is sent one after the other, in no task of its own,
    /// and without a timeout. Standard: false.
    var isImmediate: Bool { get }

    /// How many messages a second each of its senders may send; empty where nothing limits them. Standard: empty.
    var messagesPerSecond: [Double] { get }

    /// Whether a receipt may come later, posted or polled for: only then is a message found by its ID at the gateway.
    /// Standard: whether it can be polled.
    var reportsDelivery: Bool { get }

    /// The most messages in one request for receipts; nil where it cannot be polled for them. Standard: nil.
    var receiptsPerRequest: Int? { get }

    /// When the task is cancelled, which is how a timeout arrives, it returns without delay: with the receipt if the
    /// message was accepted, with ``GatewayFailure/Kind/ambiguous`` once it may have been, and with another failure
    /// only while it surely was not. A gateway that ignores cancellation delays other messages and the shutdown.
    ///
    /// - Returns: only once the gateway has confirmed that it accepted the message.
    func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt

    /// - Returns: a receipt for each message with a final status; none for those that are in transit or unknown.
    /// - Throws: ``GatewayFailure`` without a valid response; the request may be repeated. Cancellation ends it as it
    ///   ends ``send(_:)``.
    func receipts(for messageIDs: [String]) async throws(GatewayFailure) -> [DeliveryReceipt]

    /// Whether the vendor wants to know that the code of a message by this channel was entered. Standard: false.
    func takesFeedback(by channel: Channel) -> Bool

    /// Reports that the code of a message was entered. A repetition changes nothing, so that one follows
    /// ``GatewayFailure/Kind/ambiguous`` and ``GatewayFailure/Kind/retry``. Cancellation ends it as it ends
    /// ``send(_:)``.
    func report(_ entry: CodeEntry) async throws(GatewayFailure)
}

extension MessageGateway {
    public var channels: Set<Channel> { [.sms] }
    public var isIdempotent: Bool { false }
    public var isImmediate: Bool { false }
    public var messagesPerSecond: [Double] { [] }
    public var reportsDelivery: Bool { receiptsPerRequest != nil }
    public var receiptsPerRequest: Int? { nil }
    public func receipts(for messageIDs: [String]) async throws(GatewayFailure) -> [DeliveryReceipt] { [] }
    public func takesFeedback(by channel: Channel) -> Bool { false }
    public func report(_ entry: CodeEntry) async throws(GatewayFailure) {}
}

/// That the code of a message was entered.
public struct CodeEntry: Sendable {
    /// As in ``GatewayReceipt``.
    let messageID: String
    let moment: Timestamp
    /// Opens the code, for a vendor that wants to have it back; nil if that fails.
    let code: @Sendable () -> VerificationCode?
}

/// A type with secrets in it, which printing, logging and reflecting must not show: they show ``description`` alone.
public protocol ConcealsSecrets: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension ConcealsSecrets {
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

public struct GatewayMessage: Hashable, Sendable, ConcealsSecrets {
    /// The outbox message's ID, the same for every attempt.
    let dedupeKey: String
    package let to: PhoneNumber
    package var channel: Channel = .sms
    /// Which of the gateway's senders it goes by (``MessageGateway/messagesPerSecond``).
    var sender = 0
    /// Whether an SMS follows where this is not accepted, for gateways that can send it by themselves.
    var fallsBackToSMS = false
    package var address: String { channel.address(of: to) }
    /// The text, including the code or secret; of a call, a line for each sentence. Never log it.
    package let body: String
    let language: LanguageTag
    /// The parts of a text with a code, for gateways with a template of their own; nil for a notice. Never log it.
    var variables: MessageVariables?
    /// Whether it contains no code, but notifies the old number of a change, which it must whatever it costs.
    var isNotice: Bool { variables == nil }

    public var description: String { "GatewayMessage(\(dedupeKey), to: \(to.masked))" }
}

public struct MessageVariables: Hashable, Sendable, ConcealsSecrets {
    /// Never log it.
    let code: String
    /// The service's name in the message's language.
    let service: String
    /// How many minutes the code is valid, 1 to 99.
    let minutes: Int
    /// The set of texts that the message is of.
    var template = TemplateName.standard

    public var description: String { "MessageVariables(\(service))" }
}

/// A gateway's confirmation that it accepted a message.
public struct GatewayReceipt: Hashable, Sendable {
    /// The gateway's ID for the message, which later receipts refer to; the dedupe key where it has none. It is opaque,
    /// and not to be stored or logged as it is (``GatewayMessageID``).
    let messageID: String
    /// The final outcome, if it is known at once; the gateway then sends no receipt later.
    let outcome: RecordReceipt.Outcome?

    package init(messageID: String, outcome: RecordReceipt.Outcome? = nil) {
        (self.messageID, self.outcome) = (messageID, outcome)
    }
}

/// A gateway's ID for a message, which is opaque: of any characters, of any length, and some contain the number.
struct GatewayMessageID {
    /// The most bytes that are kept of an ID to ask the gateway by it, which is the URL's length, too.
    private static let longest = 2048

    let text: String

    init(_ text: String) { self.text = text }

    /// Whether it is fit for logs: 1 to 64 ASCII letters, digits, `-` and `_`. No digest is, since it has a colon.
    var isPlain: Bool {
        1...64 ~= text.utf8.count
            && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    }

    /// Whether it can be kept to ask the gateway by it. PostgreSQL stores no U+0000.
    var isStorable: Bool { text.utf8.count <= Self.longest && !text.utf8.contains(0) }

    /// What stands for it in logs and the store: itself if it is fit, otherwise a digest.
    func name(for recipient: PhoneNumber, _ authenticator: any RequestAuthenticator) throws -> String {
        isPlain && !quotes(recipient) ? text : try digest(authenticator)
    }

    func digest(_ authenticator: any RequestAuthenticator) throws -> String {
        let bytes = try authenticator.sha256(of: Array(text.utf8)).prefix(16)
        return "sha256:" + TextEncoding.hexadecimal.encode(Array(bytes))
    }

    /// Whether it contains this number, in the national format or another one.
    func quotes(_ number: PhoneNumber) -> Bool {
        let (number, digits) = (Array(number.significantDigits.utf8), Array(text.utf8).filter(\.isASCIIDigit))
        // Not by `firstRange(of:)`, which took 50,000 instructions and 50 allocations of each message.
        return digits.count >= number.count
            && (0...digits.count - number.count).contains { start in
                number.indices.allSatisfy { digits[start + $0] == number[$0] }
            }
    }
}

/// A gateway's later report on a message that it accepted.
public struct DeliveryReceipt: Hashable, Sendable {
    public typealias Outcome = RecordReceipt.Outcome

    /// As in ``GatewayReceipt``.
    let messageID: String
    let outcome: Outcome

    package init(messageID: String, outcome: Outcome) { (self.messageID, self.outcome) = (messageID, outcome) }
}

/// Why a gateway did not accept a message, classified by what may be done next.
public struct GatewayFailure: Error, Hashable, Sendable {
    enum Kind: String, CaseIterable {
        /// The message was surely not accepted, and may be later: the gateway is down, or busy.
        case retry
        /// The message was surely not accepted and never will be by this gateway, but another may: the account is out
        /// of money, the gateway does not serve the country.
        case failover
        /// The message may have been accepted: no response came after it was sent.
        case ambiguous
        /// No gateway will accept it: the number or the text is bad.
        case refused
    }

    let kind: Kind
    let reason: String
    /// The gateway's error code or HTTP status, if there is one.
    private(set) var code: Int?
    /// The gateway's own word for it (``detailed(_:)``), or why there is no connection to it.
    private(set) var detail: String?
    private(set) var retryAfter: Duration?
    /// Whether the circuit breaker counts it: the gateway is down, or did not respond. One that only limits the rate is
    /// healthy; an open breaker would refuse even the messages that it accepts.
    let isFault: Bool

    private init(_ kind: Kind, _ reason: StaticString, _ code: Int?, after wait: Duration? = nil, isFault: Bool = false)
    {
        self.kind = kind
        self.reason = reason.description
        self.code = code?.asGatewayCode
        retryAfter = wait
        self.isFault = isFault
    }

    /// The reason and the code as they are stored with the message: `no such number (21211)`.
    var text: String {
        let details = [code.map(String.init), detail].compactMap(\.self).joined(separator: ", ")
        return details.isEmpty ? reason : "\(reason) (\(details))"
    }

    /// The failure with the gateway's own code, such as `bad_number`. A code is one word without a number in it: a
    /// sentence of a gateway's quotes the number and the text, and this goes into logs.
    func detailed(_ word: String?) -> GatewayFailure {
        guard let word, word != code.map(String.init), 1...40 ~= word.utf8.count,
            word.utf8.allSatisfy({ $0.isASCIIAlphanumeric || "_-.:".utf8.contains($0) }),
            !word.split(whereSeparator: { !$0.isNumber }).contains(where: { $0.count > 6 })
        else { return self }
        var failure = self
        failure.detail = word
        return failure
    }

    /// The failure without what a gateway said, if it quoted the code of the message: this goes into logs.
    func concealing(_ code: String?) -> GatewayFailure {
        guard let code, text.contains(code) else { return self }
        var failure = self
        (failure.code, failure.detail) = (nil, nil)
        return failure
    }

    /// The failure with a phrase of our own, and whom it is about: `connection refused, api.vendor.example`.
    func because(_ phrase: StaticString? = nil, of host: Substring) -> GatewayFailure {
        var failure = self
        failure.detail = [phrase.map { "\($0)" }, String(host)].compactMap(\.self).joined(separator: ", ")
        return failure
    }

    /// Reasons are literals, here and below: a gateway's own words quote the number and the text, and these go into
    /// logs.
    static func retry(after wait: Duration? = nil, _ reason: StaticString, code: Int? = nil) -> GatewayFailure {
        GatewayFailure(.retry, reason, code, after: wait, isFault: true)
    }

    static func busy(after wait: Duration? = nil, _ reason: StaticString, code: Int? = nil) -> GatewayFailure {
        GatewayFailure(.retry, reason, code, after: wait)
    }

    static func failover(_ reason: StaticString, code: Int? = nil, isFault: Bool = false) -> GatewayFailure {
        GatewayFailure(.failover, reason, code, isFault: isFault)
    }

    package static func ambiguous(_ reason: StaticString, code: Int? = nil) -> GatewayFailure {
        GatewayFailure(.ambiguous, reason, code, isFault: true)
    }

    static func refused(_ reason: StaticString, code: Int? = nil) -> GatewayFailure {
        GatewayFailure(.refused, reason, code)
    }

    /// The failure with the wait of a `Retry-After` header, if it is worth a retry at all.
    func retrying(after wait: Duration?) -> GatewayFailure {
        var failure = self
        if kind == .retry { failure.retryAfter = wait ?? retryAfter }
        return failure
    }
}

extension Int {
    /// Nil beyond six digits: it goes into logs and the store, and a longer one may be a phone number.
    var asGatewayCode: Int? { (-999_999...999_999).contains(self) ? self : nil }
}

/// Prints messages, code and all, instead of sending them: for development.
public struct ConsoleGateway: MessageGateway {
    public let name = "console"
    public let isImmediate = true

    private let write: @Sendable (String) -> Void

    /// - Parameter write: gets each message in one call, as lines without a line break at the end.
    public init(write: @escaping @Sendable (String) -> Void) { self.write = write }

    public func send(_ message: GatewayMessage) -> GatewayReceipt {
        let body = message.body.split(separator: "\n", omittingEmptySubsequences: false).map { "  | \($0)" }
        let kind = message.channel == .sms ? "SMS" : message.channel.rawValue
        write((["[\(kind), not sent] to \(message.to.masked)"] + body).joined(separator: "\n"))
        return GatewayReceipt(messageID: message.dedupeKey)
    }
}
