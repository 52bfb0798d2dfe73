import OpenSSLCrypto
import PhoneDomain
import Testing

@Suite struct OpenSSLRandomTests {
    @Test func `an identifier is the next sixteen bytes of the source`() throws {
        let random = ScriptedRandom(Array(0x10...0x1F) + [0xFF])
        let id: Verification.ID = try random.makeIdentifier()
        #expect(id.description == "ver_101112131415161718191a1b1c1d1e1f")
        #expect(random.unusedCount == 1)
    }

    @Test func `a source that fails gives no identifier`() {
        #expect(throws: ScriptedRandom.Exhausted()) { try ScriptedRandom(Array(1...15)).makeBits() }
    }

    @Test func `a hundred thousand identifiers are all different`() throws {
        let random = OpenSSLRandom()
        var ids: Set<Verification.ID> = []
        for _ in 0..<100_000 { ids.insert(try random.makeIdentifier()) }
        #expect(ids.count == 100_000)
        #expect(isErrorQueueEmpty())
    }

    @Test func `it fills the whole buffer, and none is no error`() throws {
        // A byte that is zero in 40 fills of 64 bytes by chance has a probability of 2^-320.
        var seen = [UInt8](repeating: 0, count: 64)
        for _ in 0..<40 {
            var bytes = [UInt8](repeating: 0, count: 64)
            try bytes.withUnsafeMutableBytes { try OpenSSLRandom().fill($0) }
            for index in bytes.indices { seen[index] |= bytes[index] }
        }
        #expect(!seen.contains(0))
        try OpenSSLRandom().fill(UnsafeMutableRawBufferPointer(start: nil, count: 0))
    }
}
