public import PhoneDomain

extension MemoryStore: EventStore {
    public func claimEvents(limit: Int, at now: Timestamp, until end: Timestamp) throws -> [EventClaim] {
        try reach()
        let due = events.values.filter { $0.status == .queued && $0.nextAttemptAt <= now }
            .map { (order: ($0.nextAttemptAt, $0.occurredAt, $0.id.description), event: $0) }
            .sorted { $0.order < $1.order }
            .prefix(max(0, limit))
            .map(\.event)
        return due.compactMap { due in
            var event = due
            guard let content = content(of: due), due.isBorneOut(by: content), event.claim(at: now, until: end) else {
                events[due.id] = nil
                return nil
            }
            events[event.id] = event
            return EventClaim(event: event, content: content)
        }
    }

    public func settle(_ command: SettleEvent) throws -> Bool {
        try reach()
        return command.apply(to: &events[command.id])
    }

    public func nextEvent() throws -> Timestamp? {
        try reach()
        return events.values.filter { $0.status == .queued }.map(\.nextAttemptAt).min()
    }

    public func events(status: Event.Status?, limit: Int) throws -> [Event] {
        try reach()
        return events.values.filter { status == nil || $0.status == status }
            .sorted { ($0.occurredAt, $0.id.description) > ($1.occurredAt, $1.id.description) }
            .prefix(max(0, limit))
            .map(\.self)
    }

    public func purgeEvents(before moment: Timestamp, limit: Int) throws -> Int {
        try reach()
        let old = Event.Status.allCases.flatMap { status in
            events.values.filter { $0.status == status && $0.occurredAt < moment }
                .sorted { ($0.occurredAt, $0.id.description) < ($1.occurredAt, $1.id.description) }
                .prefix(max(0, limit))
                .map(\.id)
        }
        for id in old { events[id] = nil }
        return old.count
    }

    public func retry(_ command: RetryEvent) throws -> RetryEvent.Outcome {
        try reach()
        return command.apply(to: &events[command.id])
    }

    /// Keeps an event if somebody wants to hear of it. One of that name that is there already stays as it is.
    func announce(_ event: Event?) {
        guard let event, subscription.kinds.contains(event.kind) else { return }
        events[event.id] = events[event.id] ?? event.belonging(to: .current)
        subscription.announced()
    }

    private func content(of event: Event) -> EventContent? {
        switch event.subject {
        case .verification(let id): verifications[id].map(EventContent.verification)
        case .message(let id):
            messages[id].flatMap { message in
                verifications[message.verificationID].map { .message(message, $0) }
            }
        case .account(let id): accounts[id].map(EventContent.account)
        case .prefix(let prefix): .traffic(prefix: prefix, traffic[.prefix(prefix)] ?? .none)
        }
    }
}
