/// What has an ``Identifier``: its prefix tells a reader, and the parser, what kind of thing an identifier names.
public protocol Identified: Sendable {
    /// The lower-case letters before the underscore in the text of an identifier, as `ver` in `ver_0123…`.
    static var identifierPrefix: String { get }
}

extension Identified {
    /// The identifier of one of these.
    public typealias ID = Identifier<Self>
}

/// 128 random bits that name one thing of one kind, written as `ver_` and 32 lower-case hexadecimal digits.
///
/// Random rather than counted: an identifier tells nothing of how many there are, cannot be guessed, and needs no
/// coordination between several instances of the service.
public struct Identifier<Subject: Identified>: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

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
        let digits = text.utf8
        guard digits.count == 32, digits.allSatisfy(\.isLowerCaseHexadecimalDigit),
            let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.init(bits: high, low)
    }
}

extension Identifier: LosslessStringConvertible {
    /// Reads the text form back; nil for anything else, an identifier of another kind among it.
    public init?(_ description: String) {
        let prefix = Subject.identifierPrefix + "_"
        guard description.hasPrefix(prefix) else { return nil }
        self.init(hexadecimal: description.dropFirst(prefix.count))
    }

    /// The prefix, an underscore and 32 lower-case hexadecimal digits.
    public var description: String {
        Subject.identifierPrefix + "_" + hexadecimal
    }
}

extension UInt64 {
    fileprivate var paddedHexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension UInt8 {
    fileprivate var isLowerCaseHexadecimalDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
    }
}
