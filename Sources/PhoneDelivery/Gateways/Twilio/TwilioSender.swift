/// Whom messages come from. Source: https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource.
public struct TwilioSender: Hashable, Sendable, LosslessStringConvertible {
    /// The sender as Twilio takes it.
    public let description: String

    /// Reads a sender; nil unless it is a number with `+` and 7 to 15 digits, a short code of 3 to 8 digits, a messaging
    /// service (`MG` and 32 hexadecimal digits), or a name of 1 to 11 ASCII letters, digits and inner spaces, at least one
    /// of them a letter.
    public init?(_ description: String) {
        guard Self.isNumber(description) || Self.isMessagingService(description) || Self.isName(description) else {
            return nil
        }
        self.description = description
    }

    /// The form field that takes it.
    var field: String { Self.isMessagingService(description) ? "MessagingServiceSid" : "From" }

    private static func isMessagingService(_ text: String) -> Bool {
        text.hasPrefix("MG") && text.hasSIDDigits
    }

    private static func isNumber(_ text: String) -> Bool {
        let digits = text.utf8.drop { $0 == UInt8(ascii: "+") }
        guard digits.allSatisfy(isDigit) else { return false }
        return switch text.utf8.count - digits.count {
        case 0: 3...8 ~= digits.count
        case 1: 7...15 ~= digits.count && digits.first != UInt8(ascii: "0")
        default: false
        }
    }

    private static func isName(_ text: String) -> Bool {
        let letters = text.utf8.filter { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
        let space = UInt8(ascii: " ")
        return 1...11 ~= text.utf8.count && !letters.isEmpty && text.utf8.first != space && text.utf8.last != space
            && text.utf8.allSatisfy { isDigit($0) || $0 == space || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}
