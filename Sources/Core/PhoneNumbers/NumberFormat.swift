/// How numbers with one prefix and one length are written. Templates are for the digits without calling code and trunk
/// prefix.
public struct NumberFormat: Sendable {
    public let leading: DigitPattern
    /// How digits are grouped while they are typed at home.
    public let home: DigitTemplate
    /// How numbers are written at home, in full, including a trunk prefix where there is one, as in `0XX-XXXX-XXXX`.
    public let national: DigitTemplate
    /// How they are written after the calling code and a space; nil where they are not dialled from abroad.
    public let international: DigitTemplate?
    public let trunk: TrunkUse
    let digitCount: Int
    /// Whether digits can be grouped so while they are typed at home.
    let groupsAtHome: Bool
    let groupsAbroad: Bool
    /// Whether a space separates the trunk prefix while the number is typed, as in `8 (XXX) XXX-XX-XX`.
    let separatesTrunkPrefix: Bool

    /// `home` defaults to the international form where a trunk prefix goes before it, else to the national one.
    public init(
        _ leading: DigitPattern,
        national: DigitTemplate,
        international: DigitTemplate?,
        home: DigitTemplate? = nil,
        trunk: TrunkUse = .always
    ) {
        (self.leading, self.national, self.international) = (leading, national, international)
        self.home = home ?? (trunk == .never ? national : international ?? national)
        self.trunk = trunk
        groupsAtHome = self.home.keepsDigits
        groupsAbroad = international?.keepsDigits ?? false
        separatesTrunkPrefix = trunk != .never && national.beginning.contains { $0 == "-" || $0 == " " }
        digitCount = international?.digitCount ?? national.digitCount
    }

    /// Whether a number that is, or begins, like this may be written so.
    func suits(_ digits: Substring) -> Bool { leading.match(digits) != .none }
}

/// How digits are grouped: every `X` is a digit, every `_` a digit that is not written, all else is literal, as in
/// `XXX-XXXX-XXXX`. Argentina's mobile numbers are `9…` abroad and `_XX 15-XXXX-XXXX` at home.
public struct DigitTemplate: Sendable, ExpressibleByStringLiteral {
    private static let digit = UInt8(ascii: "X")
    private static let hiddenDigit = UInt8(ascii: "_")
    public let text: String
    public let digitCount: Int
    /// Whether it shows exactly the digits it is given, as it must while they are typed.
    let keepsDigits: Bool

    public init(_ text: String) {
        self.text = text
        digitCount = text.utf8.count { $0 == Self.digit || $0 == Self.hiddenDigit }
        keepsDigits = text.utf8.allSatisfy { $0 != Self.hiddenDigit && !$0.isASCIIDigit }
    }

    public init(stringLiteral text: String) { self.init(text) }

    var beginning: Substring { text.prefix { $0 != "X" && $0 != "_" } }

    func digits(of number: Substring) -> String {
        String(filled(with: number).unicodeScalars.filter { "0"..."9" ~= $0 })
    }

    /// Fills in ASCII digits from the left and stops with the last of them. Digits beyond the template's follow
    /// ungrouped; none is lost. `trailing` is how many of the next separators to write when the digits end a group.
    func filled(with digits: Substring, trailing: Int = 0) -> String {
        let digits = Array(digits.utf8)
        var (written, separators, used) = ([UInt8](), 0, 0)
        written.reserveCapacity(text.utf8.count + digits.count)
        for byte in Array(text.utf8) {
            if byte == Self.hiddenDigit {
                used += 1
            } else if byte != Self.digit {
                // Removed again unless a digit follows.
                written.append(byte)
                separators += 1
            } else if used < digits.count {
                written.append(digits[used])
                (separators, used) = (0, used + 1)
            } else {
                break
            }
        }
        written.removeLast(separators - (used >= digits.count ? min(trailing, separators) : 0))
        written += digits.dropFirst(used)
        return String(decoding: written, as: UTF8.self)
    }
}
