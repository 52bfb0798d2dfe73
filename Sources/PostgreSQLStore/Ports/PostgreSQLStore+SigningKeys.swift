public import PhoneDomain

extension PostgreSQLStore: SigningKeyStore {
    public func signingKeys() async throws -> SigningKeys {
        SigningKeys(try await read(SigningKeyTable.self, ""))
    }

    public func ensure(_ command: EnsureSigningKey) async throws -> SigningKeys {
        try await changeSigningKeys { command.apply(to: &$0) }
    }

    public func rotate(_ command: RotateSigningKey) async throws -> SigningKeys {
        try await changeSigningKeys { command.apply(to: &$0) }
    }

    public func purgeSigningKeys(at now: Timestamp, limit: Int) async throws -> Int {
        try await transact {
            try $0.run(
                Self.purge("signing_key", where: "gone_at <= $1", by: "gone_at, id"),
                [.integer(now.milliseconds), .integer(max(0, limit))]
            )
        }
    }

    private func changeSigningKeys(_ change: @escaping @Sendable (inout SigningKeys) -> Void) async throws
        -> SigningKeys
    {
        try await transact { transaction in
            // What nobody has inserted yet cannot be locked row by row. Those who only read go on.
            try transaction.run("LOCK TABLE signing_key IN SHARE ROW EXCLUSIVE MODE")
            let loaded = SigningKeys(try transaction.all(SigningKeyTable.self, "").map(\.value))
            var keys = loaded
            change(&keys)
            let before = Set(loaded.all)
            try transaction.run(
                SigningKeyTable.updates(keys.all.filter { !before.contains($0) }.map { ($0.id.description, $0) })
            )
            return keys
        }
    }
}
