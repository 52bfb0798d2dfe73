/// What has an ``Identifier``: its prefix tells a reader, and the parser, what kind of thing an identifier names.
public protocol Identified: Sendable {
    /// The lower-case letters before the underscore in the text of an identifier, as `ver` in `ver_0123…`.
    static var identifierPrefix: String { get }
}

extension Identified {
    /// The identifier of one of these.
    public typealias ID = Identifier<Self>
}

/// 128 bits, random but for the time in front (``OrderedIdentifiers``), that name one thing of one kind, written as `ver_` and
/// 32 lower-case hexadecimal digits.
///
/// Random rather than counted: an identifier tells nothing of how many there are, cannot be guessed, and needs no
/// coordination between several instances of the service.
public struct Identifier<Subject: Identified>: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    /// The 128 bits, the time in front (``OrderedIdentifiers``) in `high`.
    public var bits: (high: UInt64, low: UInt64) { (high, low) }

    /// The identifier of these 128 bits, which must come from a good random source (``IdentifierSource``).
    public init(bits high: UInt64, _ low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The 32 lower-case hexadecimal digits without the prefix.
    public var hexadecimal: String {
        high.paddedHexadecimal + low.paddedHexadecimal
    }

    /// The identifier of these 32 hexadecimal digits, or nil if they are not that.
    public init?(hexadecimal text: some StringProtocol) {
        self.init(digits: Substring(text).utf8)
    }

    private init?(digits: Substring.UTF8View) {
        guard let bits = digits.bitsOfHexadecimalDigits else { return nil }
        self.init(bits: bits.high, bits.low)
    }
}

extension Identifier: LosslessStringConvertible {
    /// Reads the text form back; nil for anything else, an identifier of another kind among it.
    public init?(_ description: String) {
        let (prefix, text) = (Subject.identifierPrefix.utf8, Substring(description).utf8)
        let digits = text.dropFirst(prefix.count)
        guard text.starts(with: prefix), digits.first == UInt8(ascii: "_") else { return nil }
        self.init(digits: digits.dropFirst())
    }

    /// The prefix, an underscore and 32 lower-case hexadecimal digits.
    public var description: String {
        Subject.identifierPrefix + "_" + hexadecimal
    }
}

extension Substring.UTF8View {
    /// The number of these 32 lower-case hexadecimal digits, or nil if they are not that. Digit by digit, and not by
    /// `UInt64(_:radix:)`: stores read several identifiers in every row.
    fileprivate var bitsOfHexadecimalDigits: (high: UInt64, low: UInt64)? {
        var (high, low, count) = (UInt64(0), UInt64(0), 0)
        for byte in self {
            guard count < 32, let digit = byte.lowerCaseHexadecimalValue else { return nil }
            high = high << 4 | low >> 60
            low = low << 4 | digit
            count += 1
        }
        return count == 32 ? (high, low) : nil
    }
}
