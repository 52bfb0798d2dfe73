/// A number of the account that messages come from: a short code, or a number in E.164.
///
/// Source: https://docs.aws.amazon.com/sns/latest/dg/sms_publish-to-phone.html.
public struct SNSOriginationNumber: Hashable, Sendable, LosslessStringConvertible {
    /// The number as Amazon shows it.
    public let description: String

    /// `nil` unless it is 5 to 14 digits, or `+` and 7 to 15.
    public init?(_ description: String) {
        let digits = description.utf8.drop { $0 == UInt8(ascii: "+") }
        guard digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        switch description.utf8.count - digits.count {
        case 0 where 5...14 ~= digits.count: break
        case 1 where 7...15 ~= digits.count && digits.first != UInt8(ascii: "0"): break
        default: return nil
        }
        self.description = description
    }
}
