import OpenSSLCrypto
import Synchronization

/// A source that gives the same bytes for the same seed: SplitMix64, which is good enough for statistics.
final class SeededRandom: RandomBytes {
    private let state: Mutex<UInt64>

    init(seed: UInt64) {
        state = Mutex(seed)
    }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        state.withLock { state in
            precondition(buffer.count.isMultiple(of: 8))
            for offset in stride(from: 0, to: buffer.count, by: 8) {
                state &+= 0x9E37_79B9_7F4A_7C15
                var word = state
                word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
                word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
                word ^= word >> 31
                buffer.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
            }
        }
    }
}
