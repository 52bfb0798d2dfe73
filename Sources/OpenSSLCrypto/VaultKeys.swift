import Synchronization

/// The keys of a vault, which may get others while it is in use: the ring is rotated by another process.
final class VaultKeys: Sendable {
    /// Never empty; the newest first.
    private let keys: Mutex<[CodeKey]>
    private let load: (@Sendable () throws -> KeyRing)?

    /// - Parameter load: reads the ring anew, or nil for one that never changes.
    /// - Throws: ``OpenSSLError``.
    init(_ ring: KeyRing, load: (@Sendable () throws -> KeyRing)?) throws {
        keys = Mutex(try Self.derive(ring))
        self.load = load
    }

    /// All of them, the newest first.
    var all: [CodeKey] { keys.withLock { $0 } }

    /// The key of this name. One that is not known may have been added since the ring was read, by another process that
    /// has sealed a code with it; so the ring is read anew before the key is given up.
    ///
    /// - Throws: ``CodeVaultError/unknownKey(id:)``.
    func key(_ id: String) throws -> CodeKey {
        if let key = find(id) { return key }
        guard (try? reload()) != nil, let key = find(id) else { throw CodeVaultError.unknownKey(id: id) }
        return key
    }

    /// Reads the ring anew.
    ///
    /// - Throws: what reading it throws; the keys are then those of before.
    func reload() throws {
        guard let load else { return }
        let fresh = try Self.derive(load())
        keys.withLock { $0 = fresh }
    }

    private func find(_ id: String) -> CodeKey? {
        all.first { $0.id == id }
    }

    private static func derive(_ ring: KeyRing) throws -> [CodeKey] {
        try ring.keys.map { try CodeKey(from: $0) }
    }
}
