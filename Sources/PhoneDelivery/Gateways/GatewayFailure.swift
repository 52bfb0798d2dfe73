/// Why a gateway did not take a message, told by what may be done next.
public struct GatewayFailure: Error, Hashable, Sendable {
    /// What may be done next.
    public enum Kind: Hashable, Sendable {
        /// The message was surely not taken, and may be later: the gateway is down, or busy.
        ///
        /// - Parameter after: how long the gateway wants to be left alone, if it said so.
        case retry(after: Duration?)
        /// The message was surely not taken and never will be by this gateway, but another may: the account is out of
        /// money, the country is not served.
        case failover
        /// The message may have been taken: no answer came after it was on its way.
        case ambiguous
        /// No gateway will take it: the number or the text is bad.
        case refused
    }

    /// What may be done next.
    public let kind: Kind
    /// Why, in a few words.
    public let reason: String
    /// The gateway's error code or HTTP status, if it gave one; no more than six digits, since it goes into logs, and what is
    /// longer may be a number.
    public let code: Int?

    /// Whether the gateway is to blame, so that it is better left alone for a while: it is down, or did not answer. One that
    /// only wants fewer messages is well, and to leave it alone would take away those that it does accept.
    public let isFault: Bool

    private init(kind: Kind, reason: String, code: Int?, isFault: Bool) {
        self.kind = kind
        self.reason = reason
        self.code = code?.asGatewayCode
        self.isFault = isFault
    }

    /// The reason and the code as they are kept with the message: `no such number (21211)`.
    public var text: String { reason + (code.map { " (\($0))" } ?? "") }

    /// The message was surely not taken, and may be later (``Kind/retry(after:)``).
    ///
    /// Reasons are literals, here and below, since the words of gateways quote the number and the text; these go into
    /// logs.
    public static func retry(after wait: Duration? = nil, _ reason: StaticString, code: Int? = nil) -> GatewayFailure {
        GatewayFailure(kind: .retry(after: wait), reason: reason.description, code: code, isFault: true)
    }

    /// The message was surely not taken, since there are too many at this moment (``Kind/retry(after:)``).
    public static func busy(after wait: Duration? = nil, _ reason: StaticString, code: Int? = nil) -> GatewayFailure {
        GatewayFailure(kind: .retry(after: wait), reason: reason.description, code: code, isFault: false)
    }

    /// This gateway will never take it, another may (``Kind/failover``).
    public static func failover(_ reason: StaticString, code: Int? = nil) -> GatewayFailure {
        GatewayFailure(kind: .failover, reason: reason.description, code: code, isFault: false)
    }

    /// The message may have been taken (``Kind/ambiguous``).
    public static func ambiguous(_ reason: StaticString, code: Int? = nil) -> GatewayFailure {
        GatewayFailure(kind: .ambiguous, reason: reason.description, code: code, isFault: true)
    }

    /// No gateway will take it (``Kind/refused``).
    public static func refused(_ reason: StaticString, code: Int? = nil) -> GatewayFailure {
        GatewayFailure(kind: .refused, reason: reason.description, code: code, isFault: false)
    }
}

extension GatewayFailure.Kind: CustomStringConvertible {
    /// `retry`, `failover`, `ambiguous` or `refused`.
    public var description: String {
        switch self {
        case .retry: "retry"
        case .failover: "failover"
        case .ambiguous: "ambiguous"
        case .refused: "refused"
        }
    }
}

extension Int {
    /// The number if it can be a gateway's code: no more than six digits. What is longer may be somebody's number, and is not
    /// kept.
    var asGatewayCode: Int? { (-999_999...999_999).contains(self) ? self : nil }
}
