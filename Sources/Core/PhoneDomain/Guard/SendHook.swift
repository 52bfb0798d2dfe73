public import PhoneNumbers
public import PhoneSignup

/// The operator's own program, which is asked before a message is sent (`hooks.before_send`).
public protocol SendHook: Sendable {
    /// Answers within its deadline, whatever happens to the program.
    func decide(_ question: SendQuestion) async -> SendDecision
}

public enum SendDecision: String, Hashable, Sendable, CaseIterable {
    /// What the guard decides stands.
    case allow
    /// Nothing is sent, and the request fails with `send_denied`.
    case deny
    /// A proof is wanted, whatever the guard thinks.
    case challenge
    /// The message is sent as if the client vouched for the person (``RequestContext/isVouched``).
    case vouch
}

/// What is known of a message that is about to be sent.
public struct SendQuestion: Hashable, Sendable {
    public let number: PhoneNumber
    public let channel: Channel
    /// The gateways' names, in the order in which they would be tried.
    public internal(set) var gateways: [String] = []
    /// What the first of them charges, in millionths of the currency; nil if that is unknown.
    public internal(set) var price: Price?
    public let address: ClientAddress?
    /// Whether the same code was sent before.
    public let isRepeated: Bool
    public let isVouched: Bool
    public let hasProof: Bool
    public let labels: Labels
    /// The messages of the last day, and their approvals: to the prefix and the country of the number, and from the
    /// widest network of the client that is counted.
    public let prefix, country: Traffic.Sample
    public let network: Traffic.Sample?
    /// What the guard decides without an answer.
    public let verdict: GuardVerdict

    public struct Price: Hashable, Sendable {
        public let millionths: Int
        /// ISO 4217.
        public let currency: String
    }
}

/// Leaves a command that must not send before somebody was asked. Nothing of the command is saved.
enum UnansweredQuestion: Error {
    case hook(SendQuestion)
    /// Whether the captcha's provider accepts this token.
    case captcha(String)
    /// Whether what the app brought is valid.
    case app(AppProof)
    /// Whether the network confirms what this token says.
    case number(NumberProof)
}
