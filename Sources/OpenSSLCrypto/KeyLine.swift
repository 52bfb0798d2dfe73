/// A line of a key file that is neither blank nor a comment.
struct KeyLine {
    /// Which line it is, counted from 1.
    let number: Int
    /// Where in the text it starts.
    let start: Int
    private let fields: [Slice<UnsafeBufferPointer<UInt8>>]

    /// The lines of this text, whose memory they point into.
    static func lines(of text: UnsafeBufferPointer<UInt8>) -> [KeyLine] {
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.enumerated().compactMap { index, line in
            // A carriage return counts as a blank, for files that were edited on Windows.
            let fields = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
            guard let first = fields.first, first.first != UInt8(ascii: "#") else { return nil }
            return KeyLine(number: index + 1, start: line.startIndex, fields: fields)
        }
    }

    /// The key that the line holds.
    func key() throws(KeyRingError.Problem) -> MasterKey {
        guard fields.count == 2 else { throw .malformedLine }
        return try MasterKey(id: fields[0], key: fields[1])
    }
}
