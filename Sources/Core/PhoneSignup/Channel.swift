package import PhoneNumbers

/// How a code reaches the person. Raw values are on the wire and stored. What a request leaves open (`auto`) is none of
/// them: the service has an order for each country in which they are tried.
public enum Channel: String, Sendable, CaseIterable {
    case sms
    /// A voice call that reads the code aloud.
    case call
    case whatsapp
    /// A message to KakaoTalk by an approved template (Alimtalk).
    case kakaotalk
    /// The person sends a text message to the operator (`InboundNumbers`), and gets none. Never taken by itself.
    case inbound
    /// The phone's SIM has proven the number to its carrier, and no code was sent at all. No request can name it: the
    /// proof does.
    case sim

    /// Those by which gateways send.
    public static let outbound: [Channel] = allCases.filter(\.carriesCode)
    /// Those that a request can name.
    public static let choices: [Channel] = allCases.filter { $0 != .sim }

    /// Whether the person gets a code by it, and has to type it.
    public var carriesCode: Bool { self != .inbound && self != .sim }

    /// Whether it reaches people of this region at all.
    package func serves(_ region: Region) -> Bool { self != .kakaotalk || region == .korea }
}
