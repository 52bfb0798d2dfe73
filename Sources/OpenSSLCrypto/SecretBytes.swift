internal import COpenSSL

/// Bytes that must not outlive their use: they lie in memory of their own, which is wiped before it is given back, and
/// no description shows them.
// Sendable by proof: `memory` is written by the initialiser alone, before anyone else can hold the object, and only
// read from then on.
final class SecretBytes: @unchecked Sendable {
    private let memory: UnsafeMutableBufferPointer<UInt8>

    /// So many bytes, zero until `fill` writes them. If it throws, what it wrote is wiped.
    init(count: Int, filling fill: (UnsafeMutableBufferPointer<UInt8>) throws -> Void) rethrows {
        memory = .allocate(capacity: count)
        memory.initialize(repeating: 0)
        try fill(memory)
    }

    deinit {
        OPENSSL_cleanse(memory.baseAddress, memory.count)
        memory.deallocate()
    }

    /// A copy of these bytes.
    convenience init(copying bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { _ = $0.update(fromContentsOf: bytes) }
    }

    /// How many bytes there are.
    var count: Int { memory.count }

    /// Lends the bytes for as long as `body` runs.
    func withUnsafeBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try body(UnsafeBufferPointer(memory))
    }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
    var description: String { "\(count) secret bytes" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
