/// Whom messages come from. Source: https://developer.vonage.com/en/api/sms.
public struct VonageSender: Hashable, Sendable, LosslessStringConvertible {
    /// The sender as Vonage takes it: a number has no `+`.
    public let description: String

    /// Reads a sender; nil unless it is a number of 3 to 15 digits, or with a `+` one of 7 to 15, or a name of 1 to 11 ASCII
    /// letters and digits, at least one of them a letter. Vonage ignores spaces in names, so none are taken.
    public init?(_ description: String) {
        let bare = description.hasPrefix("+") ? description.dropFirst() : description[...]
        let hasPlus = bare.count < description.count
        if bare.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
            guard (hasPlus ? 7 : 3)...15 ~= bare.utf8.count, !hasPlus || bare.first != "0" else { return nil }
        } else {
            guard !hasPlus, bare.utf8.count <= 11, bare.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
            else { return nil }
        }
        self.description = String(bare)
    }
}
