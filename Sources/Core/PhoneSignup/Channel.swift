package import PhoneNumbers

/// How a code reaches the person, by a name that is on the wire and stored. Which there are is up to what gateways
/// serve; the code knows those that differ from a messenger. What a request leaves open (`auto`) is none of them: the
/// service has an order for each country in which they are tried.
public struct Channel: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    public let rawValue: String

    public static let sms = Channel(known: "sms")
    /// A voice call that reads the code aloud.
    public static let call = Channel(known: "call")
    public static let whatsapp = Channel(known: "whatsapp")
    /// A message to KakaoTalk by an approved template (Alimtalk).
    public static let kakaotalk = Channel(known: "kakaotalk")
    /// What the phone shows among its text messages, from a sender that is verified.
    public static let rcs = Channel(known: "rcs")
    /// The person sends a text message to the operator (`InboundNumbers`), and gets none. Never taken by itself.
    public static let inbound = Channel(known: "inbound")
    /// The phone has proven the number to its carrier by its SIM, and no code was sent at all. No request can name it:
    /// the proof does.
    public static let sim = Channel(known: "sim")

    /// - Parameter name: that of a channel which a gateway's own code knows.
    package init(known name: StaticString) { rawValue = name.description }

    /// Nil unless it is 1 to 20 lower-case letters, digits, `_` and `-`, the first a letter. `auto`, `all` and `notice`
    /// stand for something else where channels are named.
    public init?(rawValue: String) {
        guard 1...20 ~= rawValue.utf8.count, rawValue.utf8.first.map(\.isASCIILowerCase) ?? false,
            rawValue.utf8.allSatisfy({ $0.isASCIILowerCase || $0.isASCIIDigit || "_-".utf8.contains($0) }),
            rawValue != "auto", rawValue != "all", rawValue != "notice"
        else { return nil }
        self.rawValue = rawValue
    }

    public var description: String { rawValue }

    public static func < (one: Channel, other: Channel) -> Bool { one.rawValue < other.rawValue }

    /// Whether the person gets a code by it, and has to type it.
    public var carriesCode: Bool { self != .inbound && self != .sim }

    /// Whether it is an app in which the person reads the code, and which has a name in sentences.
    public var isMessenger: Bool { carriesCode && self != .sms && self != .call }

    /// The name in sentences, where neither a language nor the operator has another: `Viber`.
    public var displayName: String {
        switch rawValue {
        case "whatsapp": "WhatsApp"
        case "kakaotalk": "KakaoTalk"
        case "rcs", "line": rawValue.uppercased()
        default: rawValue.prefix(1).uppercased() + rawValue.dropFirst().map { $0 == "_" || $0 == "-" ? " " : $0 }
        }
    }

    /// Whether it reaches people of this region at all.
    package func serves(_ region: Region) -> Bool { self != .kakaotalk || region == .korea }

    /// The number, with the name of a messenger in front: `whatsapp:+821012345678`.
    package func address(of number: PhoneNumber) -> String { isMessenger ? "\(self):\(number.e164)" : number.e164 }
}
