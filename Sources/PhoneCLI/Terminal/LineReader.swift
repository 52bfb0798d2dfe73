/// The lines of an input, however it is portioned.
struct LineReader {
    /// Of a longer line the rest is dropped: neither a number nor a code is so long.
    private static let longestLine = 1024

    private var portions: AsyncStream<[UInt8]>.Iterator
    private var portion: ArraySlice<UInt8> = []

    /// The lines of what this terminal sends.
    init(_ terminal: any Terminal) {
        portions = terminal.input.makeAsyncIterator()
    }

    /// The next line without its end (LF or CR LF), or nil if there is none. The last line need not be ended.
    mutating func next() async -> String? {
        var line: [UInt8] = []
        var hasBegun = false
        while true {
            if let end = portion.firstIndex(of: UInt8(ascii: "\n")) {
                append(portion[..<end], to: &line)
                portion = portion[(end + 1)...]
                return text(line)
            }
            hasBegun = hasBegun || !portion.isEmpty
            append(portion, to: &line)
            guard let next = await portions.next() else {
                portion = []
                return hasBegun ? text(line) : nil
            }
            portion = next[...]
        }
    }

    private func append(_ bytes: ArraySlice<UInt8>, to line: inout [UInt8]) {
        line += bytes.prefix(Self.longestLine - line.count)
    }

    private func text(_ line: [UInt8]) -> String {
        String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }
}
