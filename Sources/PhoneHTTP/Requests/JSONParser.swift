import NIOCore
import PhoneDomain

/// A strict parser of RFC 8259, for UTF-8.
struct JSONParser {
    /// The text is not JSON, or nests too deep.
    struct Failure: Error {}

    private static let maxDepth = 64

    private let bytes: ByteBufferView
    private var position: ByteBufferView.Index

    static func parse(_ bytes: ByteBufferView) throws(Failure) -> JSON {
        var parser = JSONParser(bytes: bytes, position: bytes.startIndex)
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.next == nil else { throw Failure() }
        return value
    }

    private var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    private mutating func value(depth: Int) throws(Failure) -> JSON {
        guard depth <= Self.maxDepth else { throw Failure() }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws(Failure) -> JSON {
        position += 1
        if skip(to: "}") { return .object([]) }
        var members: [JSON.Member] = []
        repeat {
            skipSpace()
            let name = try string()
            guard skip(to: ":") else { throw Failure() }
            members.append(JSON.Member(name, try value(depth: depth + 1)))
        } while skip(to: ",")
        guard skip(to: "}") else { throw Failure() }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(Failure) -> JSON {
        position += 1
        if skip(to: "]") { return .array([]) }
        var values: [JSON] = []
        repeat {
            values.append(try value(depth: depth + 1))
        } while skip(to: ",")
        guard skip(to: "]") else { throw Failure() }
        return .array(values)
    }

    private mutating func literal(_ text: StaticString, _ value: JSON) throws(Failure) -> JSON {
        let isThere = text.withUTF8Buffer { bytes[position...].starts(with: $0) }
        guard isThere else { throw Failure() }
        position += text.utf8CodeUnitCount
        return value
    }

    private mutating func number() throws(Failure) -> JSON {
        let start = position
        skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try digits() }
        if skip(UInt8(ascii: ".")) { try digits() }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "+")) { skip(UInt8(ascii: "-")) }
            try digits()
        }
        return .number(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func digits() throws(Failure) {
        let start = position
        while let next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { position += 1 }
        guard position > start else { throw Failure() }
    }

    private mutating func string() throws(Failure) -> String {
        guard skip(UInt8(ascii: "\"")) else { throw Failure() }
        var text: [UInt8] = []
        var start = position
        while let byte = next, byte >= 0x20 {
            if byte == UInt8(ascii: "\"") {
                text += bytes[start..<position]
                position += 1
                guard let string = String(validating: text, as: UTF8.self) else { throw Failure() }
                return string
            }
            position += 1
            guard byte == UInt8(ascii: "\\") else { continue }
            text += bytes[start..<position - 1]
            text += String(try escaped()).utf8
            start = position
        }
        throw Failure()
    }

    private mutating func escaped() throws(Failure) -> Unicode.Scalar {
        let byte = next
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte ?? 0)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try codePoint()
        default: throw Failure()
        }
    }

    /// The code point after `\u`: four hexadecimal digits, or two times four above U+FFFF.
    private mutating func codePoint() throws(Failure) -> Unicode.Scalar {
        let first = try codeUnit()
        var units = [first]
        if UTF16.isLeadSurrogate(first) {
            guard skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) else { throw Failure() }
            units.append(try codeUnit())
        }
        guard let scalar = String(validating: units, as: UTF16.self)?.unicodeScalars.first else { throw Failure() }
        return scalar
    }

    private mutating func codeUnit() throws(Failure) -> UInt16 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, digits.allSatisfy(\.isHexadecimalDigit),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw Failure() }
        position += 4
        return unit
    }

    @discardableResult
    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Skips whitespace and then this character, if it is next.
    private mutating func skip(to character: Unicode.Scalar) -> Bool {
        skipSpace()
        return skip(UInt8(ascii: character))
    }

    private mutating func skipSpace() {
        while let next, next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { position += 1 }
    }
}
