public import PhoneDomain

extension SQLiteStore: IdempotencyStore {
    public func begin(_ command: BeginRequest) async throws -> BeginRequest.Outcome {
        try await write { tables in
            let loaded = try tables.requests.find(command.name)
            var request = loaded
            let outcome = command.apply(to: &request)
            try tables.requests.save(request, loaded: loaded)
            return outcome
        }
    }

    public func end(_ command: EndRequest) async throws {
        try await write { tables in
            let loaded = try tables.requests.find(command.name)
            var request = loaded
            let isErased = try command.answer?.verificationID.map { try tables.verifications.find($0) == nil } ?? false
            command.apply(to: &request, isErased: isErased)
            try tables.requests.save(request, loaded: loaded)
        }
    }

    public func purgeRequests(before moment: Timestamp, limit: Int) async throws -> Int {
        try await write { try $0.requests.purge(before: moment, limit: max(0, limit)) }
    }
}
