public import PhoneDomain

extension SQLiteStore: EventStore {
    public func claimEvents(limit: Int, at now: Timestamp, until end: Timestamp) async throws -> [EventClaim] {
        try await write { tables in
            var (due, unreadable) = try tables.events.due(at: now, limit: limit)
            let claims: [EventClaim] = try due.compactMap { due in
                let content: EventContent?
                do {
                    content = try tables.content(of: due)
                } catch SQLiteStoreError.unreadable {
                    unreadable.append(due.id.description)
                    return nil
                }
                guard let content, due.isBorneOut(by: content) else {
                    try tables.events.save(nil, loaded: due)
                    return nil
                }
                var event = due
                guard event.claim(at: now, until: end) else { return nil }
                try tables.events.save(event, loaded: due)
                return EventClaim(event: event, content: content)
            }
            try tables.postpone(unreadable, of: EventTable.name, until: end)
            return claims
        }
    }

    public func settle(_ command: SettleEvent) async throws -> Bool {
        try await write { tables in
            guard let loaded = try tables.events.find(command.id) else { return false }
            var event: Event? = loaded
            guard command.apply(to: &event) else { return false }
            try tables.events.save(event, loaded: loaded)
            return true
        }
    }

    public func nextEvent() async throws -> Timestamp? {
        try await read { try $0.events.next() }
    }

    public func events(status: Event.Status?, limit: Int) async throws -> [Event] {
        try await read { tables in
            try (status.map { [$0] } ?? Event.Status.allCases)
                .flatMap { status in
                    let newest = try tables.events.newest(of: status, limit: limit)
                    tables.journal.append(newest.unreadable, of: EventTable.name)
                    return newest.values
                }
                .sorted { ($0.occurredAt, $0.id.description) > ($1.occurredAt, $1.id.description) }
                .prefix(max(0, limit))
                .map(\.self)
        }
    }

    public func purgeEvents(before moment: Timestamp, limit: Int) async throws -> Int {
        try await write { try $0.events.purge(before: moment, limit: limit) }
    }

    public func retry(_ command: RetryEvent) async throws -> RetryEvent.Outcome {
        try await write { tables in
            let loaded = try tables.events.find(command.id)
            var event = loaded
            let outcome = command.apply(to: &event)
            if let loaded, event != loaded { try tables.events.save(event, loaded: loaded) }
            return outcome
        }
    }
}

extension Tables {
    /// What an event is about; nil if it is no more.
    fileprivate func content(of event: Event) throws -> EventContent? {
        switch event.subject {
        case .verification(let id): try verifications.find(id).map(EventContent.verification)
        case .message(let id): try messages.find(id).map { .message($0.message, $0.verification) }
        case .account(let id): try accounts.find(id).map(EventContent.account)
        case .prefix(let prefix): .traffic(prefix: prefix, try traffic.find(.prefix(prefix)) ?? .none)
        }
    }
}
