/// A value of CBOR as authenticators write it (the CTAP2 canonical form, which is a part of RFC 8949): definite lengths,
/// each number in its shortest form, no name twice in a map, few names and levels. Everything else is refused.
package enum CBOR: Hashable, Sendable {
    case unsigned(UInt64)
    /// -1 - value.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBOR])
    case map([CBOR: CBOR])
    case flag(Bool)

    /// The most levels of lists and maps (CTAP2 section 6).
    package static let mostLevels = 4
    /// The most names of a map: no authenticator writes more than a dozen, and each has to be hashed.
    package static let mostNames: UInt64 = 32

    /// Nil unless the bytes are one value and nothing after it.
    package init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        self.init(readingFrom: &rest)
        guard rest.isEmpty else { return nil }
    }

    /// Takes one value from the beginning; nil for what is none.
    package init?(readingFrom rest: inout ArraySlice<UInt8>, levels: Int = CBOR.mostLevels) {
        guard let (major, count) = Self.head(&rest) else { return nil }
        switch major {
        case 0: self = .unsigned(count)
        case 1: self = .negative(count)
        case 2, 3:
            // Compared before anything is made: a length may be any number.
            guard count <= UInt64(rest.count) else { return nil }
            let bytes = Array(rest.prefix(Int(count)))
            rest = rest.dropFirst(Int(count))
            if major == 2 {
                self = .bytes(bytes)
            } else {
                guard let text = String(validating: bytes, as: UTF8.self), text.isStreamSafe else { return nil }
                self = .text(text)
            }
        case 4, 5:
            guard levels > 0, count <= UInt64(rest.count) else { return nil }
            if major == 4 {
                var values: [CBOR] = []
                for _ in 0..<count {
                    guard let value = CBOR(readingFrom: &rest, levels: levels - 1) else { return nil }
                    values.append(value)
                }
                self = .array(values)
            } else {
                guard count <= Self.mostNames else { return nil }
                var values: [CBOR: CBOR] = [:]
                for _ in 0..<count {
                    guard let name = CBOR(readingFrom: &rest, levels: 0),
                        let value = CBOR(readingFrom: &rest, levels: levels - 1),
                        values.updateValue(value, forKey: name) == nil
                    else { return nil }
                }
                self = .map(values)
            }
        case 7 where count == 20 || count == 21: self = .flag(count == 21)
        // Tags, other simple values and floating-point numbers: nothing that is read here has them.
        default: return nil
        }
    }

    /// The first byte of a value with the number that follows it, in its shortest form.
    private static func head(_ rest: inout ArraySlice<UInt8>) -> (major: UInt8, count: UInt64)? {
        guard let first = rest.popFirst() else { return nil }
        let (major, short) = (first >> 5, first & 31)
        guard short >= 24 else { return (major, UInt64(short)) }
        let size = 1 << Int(short - 24)
        // No number is that short of a simple value, and 28 to 31 are reserved or of an indefinite length.
        guard short <= 27, major != 7, rest.count >= size else { return nil }
        let count = rest.prefix(size).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(size)
        guard count >= (size == 1 ? 24 : 1 << UInt64(size * 4)) else { return nil }
        return (major, count)
    }

    package subscript(name: CBOR) -> CBOR? { if case .map(let values) = self { values[name] } else { nil } }
    package subscript(name: String) -> CBOR? { self[.text(name)] }
    package var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
}

extension CBOR: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int) {
        self = value < 0 ? .negative(UInt64(-1 - value)) : .unsigned(UInt64(value))
    }
}
