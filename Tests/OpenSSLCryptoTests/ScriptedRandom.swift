import OpenSSLCrypto
import Synchronization

/// A source that gives the bytes it was told to give, and then fails.
final class ScriptedRandom: RandomBytes {
    struct Exhausted: Error, Equatable {}

    private let rest: Mutex<ArraySlice<UInt8>>

    init(_ bytes: [UInt8] = []) {
        rest = Mutex(bytes[...])
    }

    /// How many bytes nobody has asked for yet.
    var unusedCount: Int { rest.withLock(\.count) }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws {
        try rest.withLock { rest in
            guard rest.count >= buffer.count else { throw Exhausted() }
            buffer.copyBytes(from: rest.prefix(buffer.count))
            rest = rest.dropFirst(buffer.count)
        }
    }
}
