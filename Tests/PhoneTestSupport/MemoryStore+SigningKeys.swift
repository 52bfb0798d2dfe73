public import PhoneDomain

extension MemoryStore: SigningKeyStore {
    public func signingKeys() throws -> SigningKeys {
        try reach()
        return SigningKeys(signers.values)
    }

    public func ensure(_ command: EnsureSigningKey) throws -> SigningKeys {
        try changeSigningKeys { command.apply(to: &$0) }
    }

    public func rotate(_ command: RotateSigningKey) throws -> SigningKeys {
        try changeSigningKeys { command.apply(to: &$0) }
    }

    public func purgeSigningKeys(at now: Timestamp, limit: Int) throws -> Int {
        try reach()
        let gone = signers.values.filter { $0.isGone(at: now) }
            .sorted { ($0.goneAt ?? now, $0.id.description) < ($1.goneAt ?? now, $1.id.description) }
            .prefix(limit)
        for key in gone { signers[key.id] = nil }
        return gone.count
    }

    private func changeSigningKeys(_ change: (inout SigningKeys) -> Void) throws -> SigningKeys {
        try reach()
        var keys = SigningKeys(signers.values)
        change(&keys)
        for key in keys.all { signers[key.id] = key }
        return keys
    }
}
