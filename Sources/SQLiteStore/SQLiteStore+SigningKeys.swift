public import PhoneDomain

extension SQLiteStore: SigningKeyStore {
    public func signingKeys() async throws -> SigningKeys {
        try await read { try $0.signingKeys.all() }
    }

    public func ensure(_ command: EnsureSigningKey) async throws -> SigningKeys {
        try await changeSigningKeys { command.apply(to: &$0) }
    }

    public func rotate(_ command: RotateSigningKey) async throws -> SigningKeys {
        try await changeSigningKeys { command.apply(to: &$0) }
    }

    public func purgeSigningKeys(at now: Timestamp, limit: Int) async throws -> Int {
        try await write { try $0.signingKeys.purge(at: now, limit: max(0, limit)) }
    }

    private func changeSigningKeys(_ change: @escaping @Sendable (inout SigningKeys) -> Void) async throws
        -> SigningKeys
    {
        try await write { tables in
            let loaded = try tables.signingKeys.all()
            var keys = loaded
            change(&keys)
            try tables.signingKeys.save(keys, loaded: loaded)
            return keys
        }
    }
}
