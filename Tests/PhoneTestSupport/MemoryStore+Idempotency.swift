public import PhoneDomain

extension MemoryStore: IdempotencyStore {
    public func begin(_ command: BeginRequest) throws -> BeginRequest.Outcome {
        try reach()
        return command.apply(to: &requests[command.name])
    }

    public func end(_ command: EndRequest) throws {
        try reach()
        let isErased = command.answer?.verificationID.map { verifications[$0] == nil } ?? false
        command.apply(to: &requests[command.name], isErased: isErased)
    }

    public func purgeRequests(before moment: Timestamp, limit: Int) throws -> Int {
        try reach()
        let old = requests.values.filter { $0.expiresAt < moment }
            .sorted { ($0.expiresAt, $0.name.rawValue) < ($1.expiresAt, $1.name.rawValue) }
            .prefix(limit)
        for request in old { requests[request.name] = nil }
        return old.count
    }
}
