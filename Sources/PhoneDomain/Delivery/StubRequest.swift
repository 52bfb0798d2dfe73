public struct StubRequest: Hashable, Sendable {
    /// How long a message waits at most by default, and the longest allowed value: ten hours. Source:
    /// https://www.twilio.com/docs/messaging/api/message-resource, `ValidityPeriod`.
    public static let longestValidity: Duration = .seconds(36_000)

    /// As the sender writes it.
    public var to: String
    /// The number or sender name; nil to leave it to the messaging service.
    public var from: String?
    /// `MG` and 32 hexadecimal digits.
    public var messagingService: String?
    public var body: String
    /// Nil for at once.
    public var sendAt: Timestamp?
    /// How long it may wait once it is due. One that waits longer is not sent.
    public var validity: Duration
    public var callback: StubCallback?
    /// Whether it is a phone call. Nobody is called: the ``body`` is what the call would have said, or the URL of that.
    public var isCall: Bool

    public init(
        to: String,
        from: String?,
        messagingService: String? = nil,
        body: String,
        sendAt: Timestamp? = nil,
        validity: Duration = longestValidity,
        callback: StubCallback? = nil,
        isCall: Bool = false
    ) {
        (self.to, self.from, self.messagingService, self.body, self.sendAt) = (to, from, messagingService, body, sendAt)
        (self.validity, self.callback, self.isCall) = (validity, callback, isCall)
    }

    /// Twilio's error for this order's numbers, if they are among its magic numbers for testing errors. Source:
    /// https://www.twilio.com/docs/iam/test-credentials#test-sms-messages. For calls:
    /// https://www.twilio.com/docs/iam/test-credentials#test-calls.
    public var magicRefusal: StubRefusal? {
        let sender = Self.magicSenders[from ?? ""].flatMap { isCall && $0.code != 21212 ? nil : $0 }
        let recipient = (isCall ? Self.magicCallRecipients : Self.magicRecipients)[to]
        return (sender ?? recipient).map { StubRefusal(errorCode: $0.code, detail: $0.detail) }
    }

    private typealias Refusals = [String: (code: Int, detail: String)]

    private static let magicSenders: Refusals = [
        "+15005550001": (21212, "The 'From' number is not a valid number."),
        "+15005550007": (21606, "The 'From' number is not one that this account can send from."),
        "+15005550008": (21611, "The 'From' number has too many messages in its queue."),
    ]
    private static let magicRecipients: Refusals = [
        "+15005550001": (21211, "The 'To' number is not a valid phone number."),
        "+15005550002": (21612, "The 'To' number cannot be reached."),
        "+15005550003": (21408, "This account may not send to the region of the 'To' number."),
        "+15005550004": (21610, "The recipient does not want messages from this sender."),
        "+15005550009": (21614, "The 'To' number cannot receive text messages."),
    ]
    private static let magicCallRecipients: Refusals = [
        "+15005550001": (21217, "The 'To' number is not a valid phone number."),
        "+15005550002": (21214, "The 'To' number cannot be reached."),
        "+15005550003": (21215, "This account may not call the region of the 'To' number."),
        "+15005550004": (21216, "This account may not call the 'To' number."),
    ]
}

public struct StubRefusal: Error, Hashable, Sendable {
    /// A Twilio error code.
    public let errorCode: Int
    public let detail: String
    public init(errorCode: Int, detail: String) { (self.errorCode, self.detail) = (errorCode, detail) }
}

/// The status callback of a message that the SMS stub accepts. It contains a secret, so nothing that prints, logs or
/// reflects it shows that, nor the URL, which may contain another.
public struct StubCallback: Hashable, Sendable {
    /// The longest accepted URL, in bytes. Twilio documents none; browsers and servers accept no longer ones.
    private static let longestURL = 2048

    /// Where to post, as it was written: it is part of what is signed.
    public let url: String
    /// The sender's account: `AC` and 32 hexadecimal digits.
    public let account: String
    /// The sender's token, by which the receiver recognizes the stub; if nil, nothing is signed.
    public let authToken: String?

    /// Nil unless the URL is `http` or `https` with a host of letters, digits, hyphens and dots (or an IPv6 address),
    /// in printable ASCII, without a user and without a fragment.
    public init?(url: String, account: String, authToken: String?) {
        guard url.utf8.count <= Self.longestURL, url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            Self.isWeb(url)
        else { return nil }
        (self.url, self.account, self.authToken) = (url, account, authToken)
    }

    private static func isWeb(_ url: String) -> Bool {
        guard let scheme = ["http://", "https://"].first(where: { url.lowercased().hasPrefix($0) })
        else { return false }
        let rest = url.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !rest.contains("#") else { return false }
        // The colons of an IPv6 address stand in brackets (RFC 3986 section 3.2.2).
        let isBracketed = authority.first == "["
        guard
            let hostEnd = isBracketed
                ? authority.firstIndex(of: "]").map(authority.index(after:))
                : authority.firstIndex(of: ":") ?? authority.endIndex
        else { return false }
        let host = authority[..<hostEnd]
        let port = authority[hostEnd...]
        return (isBracketed ? isIPv6(host.dropFirst().dropLast()) : isName(host)) && (port.isEmpty || isPort(port))
    }

    private static func isName(_ host: Substring) -> Bool {
        !host.isEmpty && host.first != "." && host.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-.".utf8.contains($0) }
    }

    private static func isIPv6(_ host: Substring) -> Bool {
        host.contains(":") && host.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.first == ":" && text.dropFirst().allSatisfy(\.isNumber)
            && Int(text.dropFirst()).map { (1...65_535).contains($0) } ?? false
    }
}

extension StubCallback: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "callback of \(account)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["account": account]) }
}
