public import PhoneDomain

extension PostgreSQLStore: IdempotencyStore {
    public func begin(_ command: BeginRequest) async throws -> BeginRequest.Outcome {
        var keys = RowKeys()
        keys.requests = [command.name.rawValue]
        return try await change(needing: keys) { rows in
            let loaded = try rows.requests.find(command.name.rawValue)
            var request = loaded
            let outcome = command.apply(to: &request)
            rows.keep(request, loaded: loaded)
            return outcome
        }
    }

    public func end(_ command: EndRequest) async throws {
        var keys = RowKeys()
        keys.requests = [command.name.rawValue]
        // Whoever erases it waits until the answer is kept, and takes that as well.
        keys.verifications = Set([command.answer?.verificationID?.description].compactMap(\.self))
        try await change(needing: keys) { rows in
            let loaded = try rows.requests.find(command.name.rawValue)
            var request = loaded
            let isErased = try command.answer?.verificationID.map { try rows.verification($0) == nil } ?? false
            command.apply(to: &request, isErased: isErased)
            rows.keep(request, loaded: loaded)
        }
    }

    public func purgeRequests(before moment: Timestamp, limit: Int) async throws -> Int {
        try await transact {
            try $0.run(
                Self.purge("idempotent_request", where: "expires_at < $1", by: "expires_at, name"),
                [.integer(moment.milliseconds), .integer(max(0, limit))]
            )
        }
    }
}
