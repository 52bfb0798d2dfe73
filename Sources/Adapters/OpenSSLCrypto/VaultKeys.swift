import Synchronization

/// The keys of a vault. They may change while it is in use: another process rotates the ring.
final class VaultKeys: Sendable {
    /// Never empty; the newest first.
    private let keys: Mutex<[CodeKey]>
    private let load: (@Sendable () throws -> KeyRing)?

    /// - Parameter load: reads the ring again, or nil for one that never changes.
    init(_ ring: KeyRing, load: (@Sendable () throws -> KeyRing)?) throws {
        keys = Mutex(try Self.derive(ring))
        self.load = load
    }

    var all: [CodeKey] { keys.withLock { $0 } }

    var newest: CodeKey { keys.withLock { $0[0] } }

    /// The key of this ID. If it is unknown the ring is read again, since another process may have added the key and
    /// sealed a code under it.
    func key(_ id: String) throws -> CodeKey {
        if let key = find(id) { return key }
        guard (try? reload()) != nil, let key = find(id) else { throw CodeVaultError.unknownKey(id: id) }
        return key
    }

    /// - Throws: what reading the ring throws; the keys are unchanged then.
    func reload() throws {
        guard let load else { return }
        let fresh = try Self.derive(load())
        keys.withLock { $0 = fresh }
    }

    private func find(_ id: String) -> CodeKey? { keys.withLock { keys in keys.first { $0.id == id } } }

    private static func derive(_ ring: KeyRing) throws -> [CodeKey] {
        try ring.keys.map { try CodeKey(from: $0) }
    }
}

/// The keys that are derived from a master key, one for each use.
final class CodeKey: Sendable {
    let id: String
    let authentication: HMACSHA256
    let encryption: AES256GCM
    /// Makes the digests of numbers.
    let digest: HMACSHA256
    /// Derives secrets.
    let derivation: HMACSHA256

    init(from master: MasterKey) throws {
        func derive(_ info: String, _ count: Int) throws -> SecretBytes {
            try HKDFSHA256.derive(from: master.secret, info: info, count: count)
        }
        id = master.id
        authentication = HMACSHA256(key: try derive("PhoneProof code authentication v1", SHA256.byteCount))
        encryption = AES256GCM(key: try derive("PhoneProof code encryption v1", AES256GCM.keyByteCount))
        digest = HMACSHA256(key: try derive("PhoneProof number digest v1", SHA256.byteCount))
        derivation = HMACSHA256(key: try derive("PhoneProof secret derivation v1", SHA256.byteCount))
    }
}

/// The plaintext of an encrypted code: its digits and then zero bytes, sixteen in all, however many digits there are.
enum PaddedCode {
    private static let byteCount = 16

    /// - Parameter text: at most sixteen bytes, none of them zero.
    static func bytes(of text: String) -> [UInt8] {
        let digits = Array(text.utf8.prefix(byteCount))
        return digits + repeatElement(0, count: byteCount - digits.count)
    }

    /// The text in these bytes; nil unless ``bytes(of:)`` returns them for it.
    static func text(in bytes: [UInt8]) -> String? {
        let digits = bytes.prefix { $0 != 0 }
        guard bytes.count == byteCount, bytes[digits.endIndex...].allSatisfy({ $0 == 0 }) else { return nil }
        return String(decoding: digits, as: UTF8.self)
    }
}
