public import PhoneDomain

extension MemoryStore: OutboxStore {
    public func claim(limit: Int, at now: Timestamp, until end: Timestamp) throws -> [OutboxClaim] {
        try reach()
        var claims: [OutboxClaim] = []
        let due = messages.values.filter { $0.status == .queued && $0.nextAttemptAt <= now }
            .map { (order: ($0.nextAttemptAt, $0.createdAt, $0.id.description), message: $0) }
            .sorted { $0.order < $1.order }
            .map(\.message)
        for var message in due where claims.count < limit {
            guard let verification = verifications[message.verificationID], message.claim(at: now, until: end) else {
                continue
            }
            messages[message.id] = message
            claims.append(OutboxClaim(message: message, verification: verification, change: change(of: message)))
        }
        return claims
    }

    public func settle(_ command: SettleMessage) throws -> Bool {
        try reach()
        guard let loaded = messages[command.id], var verification = verifications[loaded.verificationID] else {
            return false
        }
        var message = loaded
        guard command.apply(to: &message, &verification) else { return false }
        keep(message, at: command.now)
        follow(message, loaded, of: verification.phoneNumber)
        keep(verification, at: command.now)
        return true
    }

    private func change(of message: OutboxMessage) -> NumberChange? {
        message.numberChangeID.flatMap { changes[$0] }
    }

    private func follow(_ message: OutboxMessage, _ loaded: OutboxMessage, of number: PhoneNumber) {
        var around = NumberTraffic(of: number) { traffic[$0] }
        around.follow(message, from: loaded)
        keep(around, around: number)
    }

    public func nextAttempt() throws -> Timestamp? {
        try reach()
        return messages.values.filter { $0.status == .queued }.map(\.nextAttemptAt).min()
    }

    public func backlog() throws -> OutboxBacklog {
        try reach()
        let queued = messages.values.filter { $0.status == .queued }
        return OutboxBacklog(count: queued.count, oldest: queued.map(\.createdAt).min())
    }

    public func messages(status: OutboxMessage.Status?, limit: Int) throws -> [OutboxClaim] {
        try reach()
        return outbox.reversed().lazy
            .filter { status == nil || $0.status == status }
            .compactMap { message in
                self.verifications[message.verificationID].map {
                    OutboxClaim(message: message, verification: $0, change: self.change(of: message))
                }
            }
            .prefix(max(0, limit))
            .map(\.self)
    }

    public func retry(_ command: RetryMessage) throws -> RetryMessage.Outcome {
        try reach()
        var message = messages[command.id]
        var verification = message.flatMap { verifications[$0.verificationID] }
        let outcome = command.apply(to: &message, &verification, message.flatMap(change))
        if let message, let verification, let loaded = messages[message.id] {
            keep(message, at: command.now)
            keep(verification, at: command.now)
            follow(message, loaded, of: verification.phoneNumber)
            keep(command.entry(for: outcome, of: verification))
        }
        return outcome
    }

    public func record(_ command: RecordReceipt) throws -> Bool {
        try reach()
        let named = messages.values.first {
            $0.gateway == command.gateway && $0.gatewayMessageID == command.gatewayMessageID
        }
        guard var message = named, command.apply(to: &message) else { return false }
        keep(message, at: command.now)
        return true
    }

    public func awaitingReceipts(_ question: AwaitedReceipts) throws -> [SentMessage] {
        try reach()
        let awaited = messages.values.compactMap(question.match).sorted { $0.order < $1.order }
        return Array(awaited.prefix(max(0, question.limit)))
    }
}
