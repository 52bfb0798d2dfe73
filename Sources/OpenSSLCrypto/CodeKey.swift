/// The keys that are used, made of one master key: one authenticates codes, one encrypts them, one makes the digests of
/// numbers, one derives secrets.
struct CodeKey: Sendable {
    let id: String
    let authentication: SecretBytes
    let encryption: SecretBytes
    let digest: SecretBytes
    let derivation: SecretBytes

    /// - Throws: ``OpenSSLError``.
    init(from master: MasterKey) throws {
        id = master.id
        authentication = try HKDFSHA256.derive(
            from: master.secret,
            info: "PhoneProof code authentication v1",
            count: SHA256.byteCount
        )
        encryption = try HKDFSHA256.derive(
            from: master.secret,
            info: "PhoneProof code encryption v1",
            count: AES256GCM.keyByteCount
        )
        digest = try HKDFSHA256.derive(
            from: master.secret,
            info: "PhoneProof number digest v1",
            count: SHA256.byteCount
        )
        derivation = try HKDFSHA256.derive(
            from: master.secret,
            info: "PhoneProof secret derivation v1",
            count: SHA256.byteCount
        )
    }
}
