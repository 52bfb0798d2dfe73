import GRDB
import PhoneDomain

/// The rows of `signing_key`.
struct SigningKeyTable {
    static let name = "signing_key"
    private static let columns =
        "id, public_key, sealing_key_id, private_key_ciphertext, created_at, active_at, gone_at"

    let db: Database

    func all() throws -> SigningKeys {
        SigningKeys(try db.all("SELECT \(Self.columns) FROM signing_key", of: Self.name, read: read))
    }

    /// The keys whose identifiers come behind this text, in order.
    func page(after key: String, limit: Int) throws -> [SigningKey] {
        try db.all(
            "SELECT \(Self.columns) FROM signing_key WHERE id > ? ORDER BY id LIMIT ?",
            [key, limit],
            of: Self.name,
            read: read
        )
    }

    func insert(_ key: SigningKey) throws {
        try db.run(
            "INSERT INTO signing_key (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                key.id.description, Blob(key.publicKey), key.sealedPrivateKey.keyID,
                Blob(key.sealedPrivateKey.ciphertext), key.createdAt.milliseconds, key.activeAt.milliseconds,
                key.goneAt?.milliseconds,
            ]
        )
    }

    /// Keeps what a command left of those that were loaded.
    func save(_ keys: SigningKeys, loaded: SigningKeys) throws {
        let before = Dictionary(uniqueKeysWithValues: loaded.all.map { ($0.id, $0) })
        for key in keys.all {
            guard let old = before[key.id] else {
                try insert(key)
                continue
            }
            guard old != key else { continue }
            try db.run(
                "UPDATE signing_key SET gone_at = ? WHERE id = ?",
                [key.goneAt?.milliseconds, key.id.description]
            )
        }
    }

    func purge(at now: Timestamp, limit: Int) throws -> Int {
        try db.run(
            """
            DELETE FROM signing_key WHERE id IN (
                SELECT id FROM signing_key WHERE gone_at <= ? ORDER BY gone_at, id LIMIT ?
            )
            """,
            [now.milliseconds, limit]
        )
    }

    private func read(_ row: inout RowReader) throws(SQLiteStoreError) -> SigningKey {
        SigningKey(
            id: try row.next(parsedBy: SigningKey.ID.init),
            publicKey: try row.nextBytes(),
            sealedPrivateKey: SealedSecret(keyID: try row.next(), ciphertext: try row.nextBytes()),
            createdAt: try row.nextMoment(),
            activeAt: try row.nextMoment(),
            goneAt: try row.nextOptionalMoment()
        )
    }
}
