/// A name that messages come from where the country allows one.
///
/// Source: https://docs.aws.amazon.com/sns/latest/dg/sms_publish-to-phone.html.
public struct SNSSenderID: Hashable, Sendable, LosslessStringConvertible {
    /// The name.
    public let description: String

    /// `nil` unless it is 1 to 11 ASCII letters and digits, at least one of them a letter.
    public init?(_ description: String) {
        guard 1...11 ~= description.utf8.count, description.contains(where: \.isLetter),
            description.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else { return nil }
        self.description = description
    }
}
