/// The keys that are used, made of one master key: one authenticates codes, one encrypts them, one makes the digests of
/// numbers, one derives secrets.
struct CodeKey: Sendable {
    let id: String
    let authentication: HMACSHA256
    let encryption: SecretBytes
    let digest: HMACSHA256
    let derivation: HMACSHA256

    /// - Throws: ``OpenSSLError``.
    init(from master: MasterKey) throws {
        func derive(_ info: String, _ count: Int) throws -> SecretBytes {
            try HKDFSHA256.derive(from: master.secret, info: info, count: count)
        }
        id = master.id
        authentication = try HMACSHA256(key: derive("PhoneProof code authentication v1", SHA256.byteCount))
        encryption = try derive("PhoneProof code encryption v1", AES256GCM.keyByteCount)
        digest = try HMACSHA256(key: derive("PhoneProof number digest v1", SHA256.byteCount))
        derivation = try HMACSHA256(key: derive("PhoneProof secret derivation v1", SHA256.byteCount))
    }
}
