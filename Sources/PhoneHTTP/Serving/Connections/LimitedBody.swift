import HTTPTypes
import Hummingbird
import NIOCore

/// The body of a request, which ends with a ``Problem`` where it gets too long, whoever reads it. A body whose length is
/// announced is not even begun then.
struct LimitedBody: AsyncSequence, Sendable {
    let body: RequestBody
    let announced: Int?
    let limit: Int
    /// Called when the first part is asked for.
    let begin: @Sendable () -> Void

    struct Iterator: AsyncIteratorProtocol {
        let sequence: LimitedBody
        var base: RequestBody.AsyncIterator
        var count = 0
        var hasBegun = false

        mutating func next() async throws -> ByteBuffer? {
            if !hasBegun {
                hasBegun = true
                if let announced = sequence.announced, announced > sequence.limit {
                    throw Problem.bodyTooLarge(limit: sequence.limit)
                }
                sequence.begin()
            }
            guard let bytes = try await base.next() else { return nil }
            count += bytes.readableBytes
            guard count <= sequence.limit else { throw Problem.bodyTooLarge(limit: sequence.limit) }
            return bytes
        }
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(sequence: self, base: body.makeAsyncIterator())
    }
}
