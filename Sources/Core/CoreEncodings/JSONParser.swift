extension JSON {
    /// Parses JSON (RFC 8259) in UTF-8, strictly; nil for anything else, and for texts that are not
    /// ``Swift/String/isStreamSafe``. A byte order mark at the beginning, as some libraries write it, is ignored
    /// (section 8.1).
    ///
    /// - Parameters:
    ///   - maxDepth: how many arrays and objects may nest.
    ///   - hasUniqueNames: whether the result is nil if a name occurs twice in an object, or contains an escape.
    ///   - repairsText: as in ``init(received:)``.
    public init?(
        parsing bytes: UnsafeRawBufferPointer,
        maxDepth: Int = 64,
        hasUniqueNames: Bool = false,
        repairsText: Bool = false
    ) {
        var parser = JSONParser(
            bytes: bytes,
            maxDepth: maxDepth,
            hasUniqueNames: hasUniqueNames,
            repairsText: repairsText
        )
        guard let value = try? parser.value(depth: 0), parser.isAtEnd else { return nil }
        self = value
    }

    /// The most values in what a client sends: names and values of members, and elements.
    public static let mostValuesOfRequest = 4096

    /// Why what a client has sent is not read.
    public enum RequestError: Error { case malformed, tooManyValues, tooManyMarks }

    /// Parses the body of a request, which has at most ``mostValuesOfRequest`` values, and says why it cannot be read.
    ///
    /// - Parameter repairsText: as in ``init(received:)``.
    public init(parsingRequest bytes: UnsafeRawBufferPointer, repairsText: Bool = false) throws(RequestError) {
        var parser = JSONParser(bytes: bytes, maxDepth: 64, hasUniqueNames: false, repairsText: repairsText)
        parser.valuesLeft = Self.mostValuesOfRequest
        let value = try parser.value(depth: 0)
        guard parser.isAtEnd else { throw .malformed }
        self = value
    }

    /// What another program sent of its own accord, in answer to a request or to a webhook: a name that it cut in the
    /// middle of a character, beside what is read, must cost nothing. Half a surrogate pair, whose meaning is
    /// unpredictable (section 8.2), and invalid UTF-8 are read as U+FFFD, and so is a text that would take long to
    /// compare.
    public init?(received bytes: [UInt8]) {
        guard let value = bytes.withUnsafeBytes({ JSON(parsing: $0, repairsText: true) }) else { return nil }
        self = value
    }

    public init?(parsing text: String) {
        guard let value = Array(text.utf8).withUnsafeBytes({ JSON(parsing: $0) }) else { return nil }
        self = value
    }
}

private struct JSONParser {
    typealias Failure = JSON.RequestError

    let bytes: UnsafeRawBufferPointer
    let maxDepth: Int
    let hasUniqueNames: Bool
    var valuesLeft = Int.max
    let repairsText: Bool
    private var position: Int

    init(bytes: UnsafeRawBufferPointer, maxDepth: Int, hasUniqueNames: Bool, repairsText: Bool) {
        (self.bytes, self.maxDepth, self.hasUniqueNames) = (bytes, maxDepth, hasUniqueNames)
        self.repairsText = repairsText
        position = bytes.starts(with: "\u{FEFF}".utf8) ? 3 : 0
    }

    var isAtEnd: Bool {
        mutating get {
            skipSpace()
            return position == bytes.count
        }
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func value(depth: Int) throws(Failure) -> JSON {
        valuesLeft -= 1
        guard valuesLeft >= 0 else { throw .tooManyValues }
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
        try open(depth)
        if skip(to: "}") { return .object([]) }
        var members: [JSON.Member] = []
        repeat {
            skipSpace()
            let start = position
            valuesLeft -= 1
            let name = try string()
            if hasUniqueNames,
                bytes[start..<position].contains(UInt8(ascii: "\\")) || members[name] != nil
            {
                throw .malformed
            }
            guard skip(to: ":") else { throw .malformed }
            members.append(JSON.Member(name, try value(depth: depth + 1)))
        } while skip(to: ",")
        guard skip(to: "}") else { throw .malformed }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(Failure) -> JSON {
        try open(depth)
        if skip(to: "]") { return .array([]) }
        var values: [JSON] = []
        repeat {
            values.append(try value(depth: depth + 1))
        } while skip(to: ",")
        guard skip(to: "]") else { throw .malformed }
        return .array(values)
    }

    /// Skips the bracket of an array or object within `depth` others.
    private mutating func open(_ depth: Int) throws(Failure) {
        guard depth < maxDepth else { throw .malformed }
        position += 1
    }

    private mutating func literal(_ text: StaticString, _ value: JSON) throws(Failure) -> JSON {
        let isThere = text.withUTF8Buffer { bytes[position...].starts(with: $0) }
        guard isThere else { throw .malformed }
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
        guard position > start else { throw .malformed }
    }

    private mutating func string() throws(Failure) -> String {
        guard skip(UInt8(ascii: "\"")) else { throw .malformed }
        var text: [UInt8] = []
        var start = position
        while let byte = next, byte >= 0x20 {
            if byte == UInt8(ascii: "\"") {
                let end = bytes[start..<position]
                position += 1
                // Most strings have no escapes.
                let string = text.isEmpty ? decoded(end) : decoded(text + end)
                guard let string else { throw .malformed }
                if !string.isStreamSafe {
                    guard repairsText else { throw .tooManyMarks }
                    return "\u{FFFD}"
                }
                return string
            }
            position += 1
            guard byte == UInt8(ascii: "\\") else { continue }
            text += bytes[start..<position - 1]
            text += try escaped().utf8
            start = position
        }
        throw .malformed
    }

    private func decoded(_ bytes: some Collection<UInt8>) -> String? {
        repairsText ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
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
        default: throw .malformed
        }
    }

    /// The code point after `\u`: four hexadecimal digits, or two times four above U+FFFF.
    private mutating func codePoint() throws(Failure) -> Unicode.Scalar {
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        let end = position
        if UTF16.isLeadSurrogate(first), skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) {
            let second = try codeUnit()
            if UTF16.isTrailSurrogate(second),
                let scalar = Unicode.Scalar(0x10000 + UInt32(first - 0xD800) << 10 + UInt32(second - 0xDC00))
            {
                return scalar
            }
        }
        guard repairsText else { throw .malformed }
        // What follows half a pair is a character of its own.
        position = end
        return "\u{FFFD}"
    }

    private mutating func codeUnit() throws(Failure) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = next.flatMap(TextEncoding.hexadecimal.value(of:)) else { throw .malformed }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
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
