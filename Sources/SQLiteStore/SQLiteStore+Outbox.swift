public import PhoneDomain

extension SQLiteStore: OutboxStore {
    public func claim(limit: Int, at now: Timestamp, until end: Timestamp) async throws -> [OutboxClaim] {
        try await write { tables in
            try tables.messages.due(at: now, limit: limit).compactMap { due in
                var message = due.message
                guard message.claim(at: now, until: end) else { return nil }
                try tables.messages.update(message, loaded: due.message)
                return OutboxClaim(message: message, verification: due.verification)
            }
        }
    }

    public func settle(_ command: SettleMessage) async throws -> Bool {
        try await write { tables in
            guard let loaded = try tables.messages.find(command.id) else { return false }
            var message = loaded.message
            var verification = loaded.verification
            guard command.apply(to: &message, &verification) else { return false }
            try tables.messages.update(message, loaded: loaded.message)
            try tables.verifications.save(verification, loaded: loaded.verification)
            return true
        }
    }

    public func nextAttempt() async throws -> Timestamp? {
        try await read { try $0.messages.nextAttempt() }
    }
}
