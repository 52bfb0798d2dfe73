/// A number that Korean carriers let messages come from. It has to be registered with the vendor before
/// (Telecommunications Business Act, article 84-2); whether it is, only the vendor knows.
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
public struct KoreanSender: Hashable, Sendable {
    /// The digits.
    public let description: String

    /// Reads a number, with or without hyphens; nil unless it is of one of the classes.
    ///
    /// - Parameter isOfAgency: whether special numbers may send.
    public init?(_ text: String, isOfAgency: Bool = false) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
        guard digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }), text.utf8.first != UInt8(ascii: "-"),
            text.utf8.last != UInt8(ascii: "-")
        else { return nil }
        let number = String(decoding: digits, as: UTF8.self)
        let isSpecial = isOfAgency && 3...4 ~= number.utf8.count && number.hasPrefix("1")
        guard isSpecial || Self.isOfSomeClass(number) else { return nil }
        description = number
    }

    /// The area codes behind the `0`, but for Seoul's.
    private static let areas: Set = [
        "031", "032", "033", "041", "042", "043", "044", "051", "052", "053", "054", "055", "061", "062", "063", "064",
    ]

    private static func isOfSomeClass(_ number: String) -> Bool {
        let count = number.utf8.count
        if number.hasPrefix("02") { return 9...10 ~= count }
        switch number.prefix(3) {
        case "010", "070": return count == 11
        case "080": return 10...11 ~= count
        case let area where areas.contains(String(area)): return 10...11 ~= count
        default: return count == 8 && ["15", "16", "18"].contains(number.prefix(2))
        }
    }
}

extension KoreanSender: CustomStringConvertible {}
