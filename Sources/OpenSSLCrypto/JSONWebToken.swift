/// A JSON Web Token in compact form, signed by ES256 (RFC 7515 section 7.1), before its signature has been verified.
struct JSONWebToken {
    /// Longer texts are not parsed. Our tokens are shorter.
    static let maxByteCount = 4096

    let header: [String: JSONClaim]
    /// A JSON object, if the signature is valid. Parse it afterwards.
    let payload: [UInt8]
    /// The part of the text that is signed.
    let signingInput: [UInt8]
    let signature: [UInt8]

    /// nil unless the text has three parts in base64url as ``TextEncoding/decode(_:into:)`` accepts it, of which the first is a JSON
    /// object and the third has 64 bytes.
    init?(_ text: String) {
        let text = text.utf8
        guard text.count <= Self.maxByteCount else { return nil }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = [UInt8](.base64URL, parts[2]),
            signature.count == ES256.signatureByteCount,
            let header = [UInt8](.base64URL, parts[0]).flatMap(JSONClaim.parseObject),
            let payload = [UInt8](.base64URL, parts[1])
        else { return nil }
        self.header = header
        self.payload = payload
        self.signature = signature
        signingInput = Array(text[..<parts[1].endIndex])
    }

    /// The token of this header and these claims, each a JSON object.
    ///
    /// - Throws: ``OpenSSLError``.
    static func sign(header: String, claims: String, by key: ES256.PrivateKey) throws -> String {
        let input = TextEncoding.base64URL.encode(header.utf8) + "." + TextEncoding.base64URL.encode(claims.utf8)
        return try input + "." + key.sign(Array(input.utf8)).base64URL
    }
}

/// A member of a token's header or claims, as far as our tokens have such.
enum JSONClaim: Equatable {
    case string(String)
    case integer(Int64)
    case bool(Bool)
    case strings([String])
    /// Null, a number that is no Int64 or written with a fraction or an exponent, an object, or an array of other things.
    case other

    /// The members of a JSON object (RFC 8259) in UTF-8; nil for anything else. It is strict where parsers differ (RFC 8725
    /// section 2.6): nil also if a name occurs twice or contains an escape, if a string contains an escape that our tokens do not
    /// need (RFC 8259 section 7 has them), if white space precedes the object, or if it nests deeper than eight levels.
    static func parseObject(_ bytes: [UInt8]) -> [String: JSONClaim]? {
        guard bytes.first == UInt8(ascii: "{"), String(validating: bytes, as: UTF8.self) != nil else { return nil }
        var parser = ClaimParser(bytes: bytes)
        guard let members = try? parser.object(depth: 1) else { return nil }
        parser.skipSpace()
        return parser.isAtEnd ? members : nil
    }

    /// The text as a JSON string. It must not contain control characters.
    static func quoted(_ text: String) -> String {
        "\"" + text.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
    }
}

private struct ClaimParser {
    struct Failure: Error {}

    private static let maxDepth = 8

    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    private var next: UInt8? { isAtEnd ? nil : bytes[position] }

    mutating func object(depth: Int) throws(Failure) -> [String: JSONClaim] {
        var members: [String: JSONClaim] = [:]
        try list("{", "}", depth) { (parser) throws(Failure) in
            let start = parser.position
            let name = try parser.string()
            guard !parser.bytes[start..<parser.position].contains(UInt8(ascii: "\\")) else { throw Failure() }
            parser.skipSpace()
            try parser.expect(":")
            guard members.updateValue(try parser.value(depth: depth), forKey: name) == nil else { throw Failure() }
        }
        return members
    }

    private mutating func array(depth: Int) throws(Failure) -> JSONClaim {
        var strings: [String]? = []
        try list("[", "]", depth) { (parser) throws(Failure) in
            if case .string(let string) = try parser.value(depth: depth) {
                strings?.append(string)
            } else {
                strings = nil
            }
        }
        return strings.map(JSONClaim.strings) ?? .other
    }

    private mutating func value(depth: Int) throws(Failure) -> JSONClaim {
        skipSpace()
        switch next {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"):
            _ = try object(depth: depth + 1)
            return .other
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "t"):
            try expect("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try expect("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try expect("null")
            return .other
        default: return try number()
        }
    }

    /// Reads items with commas in between; `item` is called at the first byte of each.
    private mutating func list(
        _ opening: StaticString,
        _ closing: Unicode.Scalar,
        _ depth: Int,
        item: (inout ClaimParser) throws(Failure) -> Void
    ) throws(Failure) {
        guard depth <= Self.maxDepth else { throw Failure() }
        try expect(opening)
        skipSpace()
        if skip(closing) { return }
        repeat {
            skipSpace()
            try item(&self)
            skipSpace()
        } while skip(",")
        guard skip(closing) else { throw Failure() }
    }

    private mutating func string() throws(Failure) -> String {
        try expect("\"")
        var text: [UInt8] = []
        while let byte = next, byte >= 0x20 {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = next, "\"\\/".utf8.contains(escaped) else { throw Failure() }
                text.append(escaped)
                position += 1
            default: text.append(byte)
            }
        }
        throw Failure()
    }

    private mutating func number() throws(Failure) -> JSONClaim {
        let start = position
        _ = skip("-")
        if !skip("0") { try digits() }
        let end = position
        if skip(".") { try digits() }
        if skip("e") || skip("E") {
            if !skip("+") { _ = skip("-") }
            try digits()
        }
        guard position == end, let number = Int64(String(decoding: bytes[start..<end], as: UTF8.self)) else {
            return .other
        }
        return .integer(number)
    }

    private mutating func digits() throws(Failure) {
        let start = position
        while let next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { position += 1 }
        guard position > start else { throw Failure() }
    }

    private mutating func expect(_ text: StaticString) throws(Failure) {
        guard text.withUTF8Buffer({ bytes[position...].starts(with: $0) }) else { throw Failure() }
        position += text.utf8CodeUnitCount
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func skipSpace() {
        while let next, next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { position += 1 }
    }
}
