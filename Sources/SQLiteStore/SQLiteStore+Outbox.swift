public import PhoneDomain

extension SQLiteStore: OutboxStore {
    public func claim(limit: Int, at now: Timestamp, until end: Timestamp) async throws -> [OutboxClaim] {
        try await write(holdsRows: true) { tables in
            let due = try tables.messages.due(at: now, limit: limit)
            try tables.postpone(due.unreadable, of: OutboxMessageTable.name, until: end)
            return try due.readable.compactMap { due in
                var message = due.message
                guard message.claim(at: now, until: end) else { return nil }
                try tables.messages.update(message, loaded: due.message, at: now)
                return OutboxClaim(message: message, verification: due.verification, change: due.change)
            }
        }
    }

    public func settle(_ command: SettleMessage) async throws -> Bool {
        try await write(holdsRows: true) { tables in
            guard let loaded = try tables.messages.find(command.id) else { return false }
            var message = loaded.message
            var verification = loaded.verification
            guard command.apply(to: &message, &verification) else { return false }
            try tables.messages.update(message, loaded: loaded.message, at: command.now)
            try tables.verifications.save(verification, loaded: loaded.verification, at: command.now)
            try tables.follow(message, loaded: loaded, at: command.now)
            return true
        }
    }

    public func nextAttempt() async throws -> Timestamp? {
        try await read(awaitingFlush: false) { try $0.messages.nextAttempt() }
    }

    public func backlog() async throws -> OutboxBacklog {
        try await read(awaitingFlush: false) { try $0.messages.backlog() }
    }

    public func messages(status: OutboxMessage.Status?, limit: Int) async throws -> [OutboxClaim] {
        try await read { tables in
            // One ordered run per status out of the index, instead of an index of its own for a rare question.
            try (status.map { [$0] } ?? OutboxMessage.Status.allCases)
                .flatMap { status in
                    let newest = try tables.messages.newest(of: status, limit: limit)
                    tables.journal.append(newest.unreadable, of: OutboxMessageTable.name)
                    return newest.readable
                }
                .sorted { $0.order > $1.order }
                .prefix(max(0, limit))
                .map(\.self)
        }
    }

    public func retry(_ command: RetryMessage) async throws -> RetryMessage.Outcome {
        try await write(holdsRows: true) { tables in
            let loaded = try tables.messages.find(command.id)
            var message = loaded?.message
            var verification = loaded?.verification
            let outcome = command.apply(to: &message, &verification, loaded?.change)
            if let loaded, let message, message != loaded.message {
                try tables.messages.update(message, loaded: loaded.message, at: command.now)
                try tables.follow(message, loaded: loaded, at: command.now)
                try tables.audit.append(command.entry(for: outcome, of: loaded.verification))
            }
            try tables.verifications.save(verification, loaded: loaded?.verification, at: command.now)
            return outcome
        }
    }

    public func record(_ command: RecordReceipt) async throws -> Bool {
        try await write(holdsRows: true) { tables in
            guard let loaded = try tables.messages.find(gateway: command.gateway, messageID: command.gatewayMessageID)
            else { return false }
            var message = loaded
            guard command.apply(to: &message) else { return false }
            try tables.messages.update(message, loaded: loaded, at: command.now)
            return true
        }
    }

    public func awaitingReceipts(_ question: AwaitedReceipts) async throws -> [SentMessage] {
        try await read { try $0.messages.awaitingReceipts(question) }
    }
}

extension OutboxClaim {
    fileprivate var order: (Timestamp, String) { (message.createdAt, message.id.description) }
}
