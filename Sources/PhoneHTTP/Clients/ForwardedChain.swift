import PhoneDomain

/// From whom proxies had a request, by their own words: the nearest proxy's first, so from right to left.
///
/// A proxy adds its word behind what it was sent, and that may be anything. So what is to the left of a word must not
/// change how it is read: an open quotation mark in a client's part would else swallow the words of all proxies. The
/// chain ends before the first word that cannot be read. Each byte is looked at a fixed number of times.
struct ForwardedChain: Sequence, IteratorProtocol {
    private let header: ForwardedHeader
    private var lines: [String]
    private var line: ArraySlice<UInt8>?

    /// The chain in the fields of this header.
    ///
    /// - Parameter lines: the values of its fields, in their order; a field goes on where the one before it ends (RFC 9110
    ///   section 5.3).
    init(_ lines: [String], of header: ForwardedHeader) {
        self.lines = lines
        self.header = header
    }

    mutating func next() -> IPAddress? {
        guard let word = takeWord() else { return nil }
        let address =
            switch header {
            case .xForwardedFor: IPAddress(node: word)
            case .forwarded: ForwardedElement(word)?.node.flatMap { IPAddress(node: $0[...]) }
            }
        if address == nil { (lines, line) = ([], nil) }
        return address
    }

    /// The last word that is left, without the white space around it.
    private mutating func takeWord() -> ArraySlice<UInt8>? {
        guard let rest = line ?? lines.popLast().map({ Array($0.utf8)[...] }) else { return nil }
        let comma = header == .forwarded ? lastSeparator(in: rest) : rest.lastIndex(of: UInt8(ascii: ","))
        line = comma.map { rest[..<$0] }
        return (comma.map { rest[($0 + 1)...] } ?? rest).trimmingWhitespace
    }

    /// The last comma that is not within quotation marks.
    private func lastSeparator(in text: ArraySlice<UInt8>) -> Int? {
        var isQuoted = false
        var index = text.endIndex
        while index > text.startIndex {
            index -= 1
            switch text[index] {
            case UInt8(ascii: ",") where !isQuoted: return index
            case UInt8(ascii: "\"") where isQuoted:
                // An escaped mark is of the text; an escaped backslash before it is not what escapes it.
                let backslashes = text[..<index].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
                isQuoted = !backslashes.isMultiple(of: 2)
                index -= backslashes
            case UInt8(ascii: "\""): isQuoted = true
            default: break
            }
        }
        return nil
    }
}
