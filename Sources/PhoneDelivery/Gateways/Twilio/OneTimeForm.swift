import NIOCore
import Synchronization

/// A form on its way to a server, `application/x-www-form-urlencoded`, that can be sent once and notes whether it was.
///
/// The network asks for a request's body when there is a connection and the head has been written, and not before. A request
/// that ended before that was not sent: the server lacks the body that the head announced. One that ended after it may
/// have been taken.
final class OneTimeForm: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    private struct SentTwice: Error {}

    private let bytes: [UInt8]
    private let isTaken = Atomic(false)

    init(_ fields: [(name: String, value: String)]) {
        bytes = fields.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&").utf8.map(
            \.self
        )
    }

    var count: Int { bytes.count }

    /// Whether some of it may have left.
    var mayHaveBeenSent: Bool { isTaken.load(ordering: .sequentiallyConsistent) }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(form: self)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        let form: OneTimeForm
        var isAtEnd = false

        mutating func next() async throws -> ByteBuffer? {
            if isAtEnd { return nil }
            isAtEnd = true
            guard !form.isTaken.exchange(true, ordering: .sequentiallyConsistent) else { throw SentTwice() }
            return ByteBuffer(bytes: form.bytes)
        }
    }

    /// Everything but the unreserved characters as `%XX` (RFC 3986 section 2.3); a space too, which servers read as well as
    /// a plus sign.
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        return String(
            decoding: text.utf8.flatMap { byte -> [UInt8] in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: "~"):
                    [byte]
                default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                }
            },
            as: UTF8.self
        )
    }
}
