public import CoreEncodings

/// The records of a file, one at a time, however long it is: objects on a line each, objects of a JSON array, which may
/// be the member `users` of an object, or CSV with a header (RFC 4180).
public struct RecordReader {
    public struct Record: Sendable {
        /// That on which it begins, from 1.
        public let line: Int
        /// An object. Of CSV its members are the fields that are not empty, by the names of their columns.
        public let value: Result<JSON, Unreadable>
    }

    public struct Unreadable: Error, Hashable, CustomStringConvertible {
        public let description: String
    }

    /// The most bytes of a record. Of a file with a quotation mark too few the rest is one record.
    public static let longest = 1 << 20

    private enum Form { case lines, array, csv([String]) }

    private var bytes: Bytes
    private var form: Form?
    private var isAtEnd = false

    /// - Parameter read: the next bytes; none at the end of the file.
    public init(read: @escaping () throws -> [UInt8]) { bytes = Bytes(read: read) }

    /// Throws what reading throws, and ``Unreadable`` for a file that is none of these.
    public mutating func next() throws -> Record? {
        let form = try self.form ?? begin()
        self.form = form
        if isAtEnd { return nil }
        switch form {
        case .lines: return try nextLine()
        case .array: return try nextElement()
        case .csv(let columns): return try nextRow(columns)
        }
    }

    private mutating func begin() throws -> Form {
        // A byte order mark, as Windows writes it.
        if try bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.skip(3) }
        try bytes.skipSpace()
        switch try bytes.peek() {
        case UInt8(ascii: "["):
            bytes.skip(1)
            return .array
        case UInt8(ascii: "{"):
            guard let length = try wrapperLength() else { return .lines }
            bytes.skip(length)
            return .array
        case nil:
            isAtEnd = true
            return .lines
        default:
            let header = try row() ?? []
            guard header.count > 1 || !(header.first ?? "").utf8.contains(where: { ";\t|".utf8.contains($0) }) else {
                throw Unreadable(description: "the columns of the first line are not separated by commas")
            }
            guard Set(header).count == header.count else {
                throw Unreadable(description: "two columns of the first line have the same name")
            }
            return .csv(header)
        }
    }

    /// The bytes of `{"users":[`, whatever the case of the name; nil for any other object.
    private mutating func wrapperLength() throws -> Int? {
        var length = 1
        for part in ["\"users\"", ":", "["] {
            while try bytes.peek(length).map(Bytes.isSpace) == true { length += 1 }
            for byte in part.utf8 {
                guard let found = try bytes.peek(length), found == byte || found | 0x20 == byte else { return nil }
                length += 1
            }
        }
        return length
    }

    // MARK: - JSON

    private mutating func nextLine() throws -> Record? {
        while true {
            guard let first = try bytes.peek() else {
                isAtEnd = true
                return nil
            }
            let line = bytes.line
            let text = try bytes.take(Self.longest) { $0 == UInt8(ascii: "\n") }
            bytes.skip(1)
            if let text, text.allSatisfy(Bytes.isSpace) { continue }
            guard first != 0 else { throw Unreadable(description: "it is no text file") }
            return Record(line: line, value: Self.object(text))
        }
    }

    private mutating func nextElement() throws -> Record? {
        try bytes.skip { Bytes.isSpace($0) || $0 == UInt8(ascii: ",") }
        let line = bytes.line
        guard let first = try bytes.peek() else {
            isAtEnd = true
            return Record(line: line, value: .failure(Unreadable(description: "the file ends within its list")))
        }
        if first == UInt8(ascii: "]") {
            isAtEnd = true
            return nil
        }
        var (depth, isInString, isEscaped) = (0, false, false)
        let text = try bytes.take(Self.longest) { byte in
            defer { isEscaped = isInString && !isEscaped && byte == UInt8(ascii: "\\") }
            if isInString {
                if byte == UInt8(ascii: "\""), !isEscaped { isInString = false }
                return false
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                return depth < 0
            case UInt8(ascii: ","): return depth == 0
            default: break
            }
            return false
        }
        return Record(line: line, value: Self.object(text))
    }

    private static func object(_ text: [UInt8]?) -> Result<JSON, Unreadable> {
        guard let text else { return .failure(Unreadable(description: "it is longer than \(longest) bytes")) }
        guard let value = text.withUnsafeBytes({ JSON(parsing: $0) }), value.isObject else {
            return .failure(Unreadable(description: "it is no JSON object"))
        }
        return .success(value)
    }

    // MARK: - CSV

    private mutating func nextRow(_ columns: [String]) throws -> Record? {
        try bytes.skip { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        let line = bytes.line
        guard try bytes.peek() != nil else {
            isAtEnd = true
            return nil
        }
        guard let fields = try row() else {
            return Record(
                line: line,
                value: .failure(Unreadable(description: "it is longer than \(Self.longest) bytes"))
            )
        }
        guard fields.count == columns.count else {
            let text = "it has \(fields.count) fields, and the first line \(columns.count)"
            return Record(line: line, value: .failure(Unreadable(description: text)))
        }
        let members = zip(columns, fields).filter { !$0.1.isEmpty }.map { JSON.Member($0.0, .string($0.1)) }
        return Record(line: line, value: .success(.object(members)))
    }

    /// The fields up to the end of a line that is in no quoted field; nil if there are too many bytes.
    private mutating func row() throws -> [String]? {
        var isQuoted = false
        let text = try bytes.take(Self.longest) { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == UInt8(ascii: "\n") && !isQuoted
        }
        bytes.skip(1)
        guard var text else { return nil }
        if text.last == UInt8(ascii: "\r") { text.removeLast() }
        var (fields, field, place) = ([String](), [UInt8](), 0)
        isQuoted = false
        while place < text.count {
            let byte = text[place]
            place += 1
            if byte == UInt8(ascii: "\"") {
                // Two of them in a quoted field are one.
                if isQuoted, place < text.count, text[place] == byte {
                    field.append(byte)
                    place += 1
                } else {
                    isQuoted.toggle()
                }
            } else if byte == UInt8(ascii: ","), !isQuoted {
                fields.append(String(decoding: field, as: UTF8.self))
                field.removeAll(keepingCapacity: true)
            } else {
                field.append(byte)
            }
        }
        return fields + [String(decoding: field, as: UTF8.self)]
    }
}

/// Bytes that are read a chunk at a time, and looked at before they are taken.
private struct Bytes {
    let read: () throws -> [UInt8]
    private(set) var line = 1
    private var chunk: [UInt8] = []
    private var place = 0
    private var isExhausted = false

    init(read: @escaping () throws -> [UInt8]) { self.read = read }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// The byte that comes after as many others; nil at the end.
    mutating func peek(_ distance: Int = 0) throws -> UInt8? {
        while place + distance >= chunk.count, !isExhausted {
            chunk.removeFirst(place)
            place = 0
            let more = try read()
            isExhausted = more.isEmpty
            chunk += more
        }
        return place + distance < chunk.count ? chunk[place + distance] : nil
    }

    mutating func starts(with prefix: [UInt8]) throws -> Bool {
        for (distance, byte) in prefix.enumerated() where try peek(distance) != byte { return false }
        return true
    }

    /// Skips bytes that were looked at.
    mutating func skip(_ count: Int) {
        for _ in 0..<min(count, chunk.count - place) {
            if chunk[place] == UInt8(ascii: "\n") { line += 1 }
            place += 1
        }
    }

    mutating func skip(while isSkipped: (UInt8) -> Bool) throws {
        while let byte = try peek(), isSkipped(byte) { skip(1) }
    }

    mutating func skipSpace() throws { try skip(while: Self.isSpace) }

    /// The bytes up to one that ends them; nil if there are more than `most`, which are skipped.
    mutating func take(_ most: Int, until isEnd: (UInt8) -> Bool) throws -> [UInt8]? {
        var taken: [UInt8] = []
        var isTooLong = false
        while let byte = try peek(), !isEnd(byte) {
            if taken.count < most { taken.append(byte) } else { isTooLong = true }
            skip(1)
        }
        return isTooLong ? nil : taken
    }
}
