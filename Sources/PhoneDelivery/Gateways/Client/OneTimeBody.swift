import NIOCore
import Synchronization

/// A body on its way to a server that can be sent once and notes whether it was.
///
/// The network asks for a request's body when there is a connection and the head has been written, and not before. A request
/// that ended before that was not sent: the server lacks the body that the head announced. One that ended after it may
/// have been taken.
final class OneTimeBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    private struct SentTwice: Error {}

    private let bytes: [UInt8]
    private let isTaken = Atomic(false)

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    /// Whether some of it may have left.
    var mayHaveBeenSent: Bool { isTaken.load(ordering: .sequentiallyConsistent) }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(body: self)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        let body: OneTimeBody
        var isAtEnd = false

        mutating func next() async throws -> ByteBuffer? {
            if isAtEnd { return nil }
            isAtEnd = true
            guard !body.isTaken.exchange(true, ordering: .sequentiallyConsistent) else { throw SentTwice() }
            return ByteBuffer(bytes: body.bytes)
        }
    }
}
