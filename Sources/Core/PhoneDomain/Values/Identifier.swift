import PhoneSignup

/// A kind of thing that has an ``Identifier``.
public protocol Identified: Sendable {
    /// The lower-case letters before the underscore, as `ver` in `ver_0123…`.
    static var identifierPrefix: String { get }
}

extension Identified {
    public typealias ID = Identifier<Self>
}

/// 128 bits that name one thing of one kind, written as a prefix, `_` and 32 lower-case hexadecimal digits. Random but
/// for the time in front (``OrderedIdentifiers``): an ID does not reveal how many there are, cannot be guessed, and
/// needs no coordination between instances of the service.
public struct Identifier<Subject: Identified>: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    /// The 128 bits, the time in front (``OrderedIdentifiers``) in `high`.
    public var bits: (high: UInt64, low: UInt64) { (high, low) }

    /// The bits must come from a cryptographic random source (``IdentifierSource``).
    public init(bits high: UInt64, _ low: UInt64) { (self.high, self.low) = (high, low) }

    /// The 32 lower-case hexadecimal digits without the prefix.
    public var hexadecimal: String { UInt64.hexadecimal(high, low, behind: "") }

    /// Nil unless the text is 32 lower-case hexadecimal digits.
    public init?(hexadecimal text: some StringProtocol) {
        var (text, high, low) = (Substring(text), UInt64(0), UInt64(0))
        // Digit by digit where they lie, not by `UInt64(_:radix:)`: every request has an ID or two.
        let isValid = text.withUTF8 { digits in
            for byte in digits where digits.count == 32 {
                guard let digit = byte.lowerCaseHexadecimalValue else { return false }
                high = high << 4 | low >> 60
                low = low << 4 | digit
            }
            return digits.count == 32
        }
        guard isValid else { return nil }
        self.init(bits: high, low)
    }
}

extension Identifier: LosslessStringConvertible {
    /// Parses the description; nil for anything else, including an ID of another kind.
    public init?(_ description: String) {
        let (prefix, text) = (Subject.identifierPrefix.utf8, Substring(description).utf8)
        let digits = text.dropFirst(prefix.count)
        guard text.starts(with: prefix), digits.first == UInt8(ascii: "_") else { return nil }
        self.init(hexadecimal: Substring(digits.dropFirst()))
    }

    public var description: String { UInt64.hexadecimal(high, low, behind: Subject.identifierPrefix + "_") }
}

public protocol IdentifierSource: Sendable {
    /// 128 unique bits that nobody can guess, since at least 80 of them are random. Throws if the random source fails;
    /// there is then no ID, rather than a weak one.
    func makeBits() throws -> (UInt64, UInt64)

    /// 128 random bits, for a nonce or a secret: of an ID 48 may be the time. Throws as ``makeBits()``.
    func makeRandomBits() throws -> (UInt64, UInt64)
}

extension IdentifierSource {
    public func makeRandomBits() throws -> (UInt64, UInt64) { try makeBits() }

    public func makeIdentifier<Subject>(of subject: Subject.Type = Subject.self) throws -> Identifier<Subject> {
        let (high, low) = try makeBits()
        return Identifier(bits: high, low)
    }

    /// 128 random bits as 32 lower-case hexadecimal digits: a secret, or a nonce, for which CSP level 3 asks for as many
    /// (section 2.3.1).
    public func makeRandomText() throws -> String {
        let (high, low) = try makeRandomBits()
        return UInt64.hexadecimal(high, low, behind: "")
    }
}

/// IDs in the order of their creation: 48 bits of time in front, 80 random bits behind, as a UUID of version 7 has 74
/// (RFC 9562 section 5.7).
///
/// Rows with unordered keys lie anywhere, so each new row changes another page of each index, and the older the
/// database the fewer of these pages are cached. In order, new rows lie side by side. 80 random bits are too many to
/// guess; the time of creation can be read from the ID.
public struct OrderedIdentifiers: IdentifierSource {
    private let random: any IdentifierSource
    private let clock: any WallClock
    public init(random: any IdentifierSource, clock: any WallClock) { (self.random, self.clock) = (random, clock) }

    public func makeBits() throws -> (UInt64, UInt64) {
        let (high, low) = try random.makeBits()
        return (UInt64(truncatingIfNeeded: clock.now().milliseconds) << 16 | high & 0xFFFF, low)
    }

    public func makeRandomBits() throws -> (UInt64, UInt64) { try random.makeRandomBits() }
}
