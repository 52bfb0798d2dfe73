/// The two keys that codes are sealed under, made of one master key: one authenticates, the other encrypts.
struct CodeKey: Sendable {
    let id: String
    let authentication: SecretBytes
    let encryption: SecretBytes

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
    }
}
