import PhoneNumbers

/// A message as Korean vendors take it: its class, and its destination as country and digits.
struct KoreanMessage {
    enum Class: String {
        case sms = "SMS", lms = "LMS"
    }

    let kind: Class
    /// The calling code without `+`.
    let country: String
    /// In Korea the national format, `01012345678`; abroad the digits after the calling code, `4155550100`.
    let to: String

    /// Fits a message into the smallest class that it fits.
    ///
    /// Vendors cut off what is too long instead of refusing it, and the line for autofill stands last.
    ///
    /// - Parameter allowsLong: whether it may go as an LMS, which costs more.
    /// - Throws: ``GatewayFailure/Kind/failover`` if it fits none: another gateway may have no such classes.
    init(_ message: GatewayMessage, allowsLong: Bool) throws(GatewayFailure) {
        country = message.to.callingCode
        let bytes = CP949.byteCount(of: message.body)
        guard message.to.region == .korea else {
            to = String(message.to.significantDigits)
            kind = .sms
            // Abroad there is no LMS (https://api.ncloud-docs.com/docs/sens-sms-send).
            guard SegmentCount(of: message.body).segments == 1, bytes ?? 0 <= CP949.bytesInSMS else {
                throw .failover("the text is too long for an SMS abroad")
            }
            return
        }
        to = message.to.nationalDigits
        guard let bytes else { throw .failover("the text has a character that Korean carriers lack") }
        if bytes <= CP949.bytesInSMS {
            kind = .sms
        } else if allowsLong, bytes <= CP949.bytesInLMS {
            kind = .lms
        } else {
            throw .failover("the text is too long for an SMS")
        }
    }
}

/// A number that Korean carriers accept as a sender. It must be registered with the vendor first (Telecommunications
/// Business Act, article 84-2), which only the vendor can check.
///
/// | class | digits |
/// |---|---|
/// | mobile | `010` and 8 |
/// | landline, with its area code | `02` and 7 or 8; `031` to `064` and 7 or 8 |
/// | internet phone, freephone | `070` and 8; `080` and 7 or 8 |
/// | representative, without an area code | `15XX`, `16XX` or `18XX` and 4: 8 altogether |
/// | special, of agencies alone | `1` and 2 or 3, such as `112` |
///
/// A personal number (`050`) may never send, nor a mobile one of the old prefixes (`011` to `019`).
/// Sources: https://cafe24.zendesk.com/hc/ko/articles/18446579030297,
/// https://solapi.zendesk.com/hc/ko/articles/360021357793.
public struct KoreanSender: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// Reads a number, with or without hyphens; nil unless it is of one of the classes.
    ///
    /// - Parameter isOfAgency: whether special numbers may send.
    public init?(_ text: String, isOfAgency: Bool = false) {
        let hyphen = UInt8(ascii: "-")
        let number = String(decoding: text.utf8.filter { $0 != hyphen }, as: UTF8.self)
        guard number.isASCIIDigits, text.utf8.first != hyphen, text.utf8.last != hyphen else { return nil }
        let isSpecial = isOfAgency && 3...4 ~= number.utf8.count && number.hasPrefix("1")
        guard isSpecial || Self.isOfSomeClass(number) else { return nil }
        description = number
    }

    /// All but Seoul's.
    private static let areaCodes: Set = [
        "031", "032", "033", "041", "042", "043", "044", "051", "052", "053", "054", "055", "061", "062", "063", "064",
    ]

    private static func isOfSomeClass(_ number: String) -> Bool {
        let count = number.utf8.count
        if number.hasPrefix("02") { return 9...10 ~= count }
        switch number.prefix(3) {
        case "010", "070": return count == 11
        case "080": return 10...11 ~= count
        case let area where areaCodes.contains(String(area)): return 10...11 ~= count
        default: return count == 8 && ["15", "16", "18"].contains(number.prefix(2))
        }
    }
}
