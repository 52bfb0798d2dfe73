import PhoneDomain

/// The rows of `signing_key`. No batch has them: there are hardly ever more than two.
enum SigningKeyTable: Table {
    static let name = "signing_key"
    static let columns: [(name: String, type: ColumnType)] = [
        ("id", .text), ("public_key", .bytes), ("sealing_key_id", .text), ("private_key_ciphertext", .bytes),
        ("created_at", .integer), ("active_at", .integer), ("gone_at", .integer),
    ]

    static func keys(of key: String) -> RowKeys { RowKeys() }

    static func write(_ key: SigningKey, under id: String, to row: inout RowWriter) {
        row.write(id)
        row.write(key.publicKey)
        row.write(key.sealedPrivateKey.keyID)
        row.write(key.sealedPrivateKey.ciphertext)
        row.write(key.createdAt)
        row.write(key.activeAt)
        row.write(key.goneAt)
    }

    static func read(_ row: inout RowReader) throws(PostgreSQLStoreError) -> (key: String, value: SigningKey) {
        let key = SigningKey(
            id: try row.next(parsedBy: SigningKey.ID.init),
            publicKey: try row.nextBytes(),
            sealedPrivateKey: SealedSecret(keyID: try row.nextText(), ciphertext: try row.nextBytes()),
            createdAt: try row.nextMoment(),
            activeAt: try row.nextMoment(),
            goneAt: try row.nextOptionalMoment()
        )
        return (key.id.description, key)
    }
}
