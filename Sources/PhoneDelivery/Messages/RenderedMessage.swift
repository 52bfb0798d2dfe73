public import PhoneDomain

/// A message as it goes to a gateway. It bears a code or a secret, so whatever prints, logs or reflects it sees no body.
public struct RenderedMessage: Sendable, Equatable {
    /// The text to send, code or secret and all. Never log it.
    public let body: String

    /// The language it is written in: that of the template that was found for the one asked for.
    public let locale: String

    /// Why it is not worded as was asked for; nil if it is.
    public let fault: MessageWordingFault?

    /// What it costs abroad.
    public var segments: SegmentCount { SegmentCount(of: body) }

    /// Its length for a Korean carrier (see ``CP949``), or `nil` if it has a character that cannot be sent there.
    public var cp949ByteCount: Int? { CP949.byteCount(of: body) }

    /// A message of this text, in this language.
    public init(body: String, locale: String, fault: MessageWordingFault? = nil) {
        self.body = body
        self.locale = locale
        self.fault = fault
    }
}

extension RenderedMessage: CustomStringConvertible, CustomReflectable {
    /// The language and the cost, without the body. `debugPrint` falls back to it.
    public var description: String {
        "RenderedMessage(locale: \(locale), \(segments.encoding.rawValue), segments: \(segments.segments))"
    }

    /// What ``description`` tells, for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(self, children: ["locale": locale, "segments": segments])
    }
}
