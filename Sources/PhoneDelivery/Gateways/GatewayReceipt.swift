public import PhoneDomain

/// A gateway's word that it took a message.
public struct GatewayReceipt: Hashable, Sendable {
    /// The gateway's own name for the message, by which it reports on it later; where it has none, the dedupe key.
    public let messageID: String
    /// How the message fared, if it is at its end already; the gateway says nothing of it later then. Standard: nil.
    public let outcome: RecordReceipt.Outcome?

    /// A receipt with this name.
    public init(messageID: String, outcome: RecordReceipt.Outcome? = nil) {
        self.messageID = messageID
        self.outcome = outcome
    }

    /// A receipt with the name that a gateway answered; nil if there is none, or if it should stand neither in logs nor in
    /// the store: what vendors give is 1 to 64 ASCII letters, digits, `-` and `_`.
    init?(reading messageID: String?) {
        guard let messageID, 1...64 ~= messageID.utf8.count,
            messageID.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") })
        else { return nil }
        self.init(messageID: messageID)
    }

    /// Whether the name is made of this number: then it must not be kept.
    func quotes(_ number: PhoneNumber) -> Bool {
        let digits = number.e164.utf8.dropFirst()
        var rest = messageID.utf8[...]
        while rest.count >= digits.count {
            if rest.starts(with: digits) { return true }
            rest.removeFirst()
        }
        return false
    }
}
