public import PhoneDomain

extension SQLiteStore: SignupStore {
    public func insert(_ signup: Signup) async throws {
        try await write { try $0.signups.insert(signup) }
    }

    public func signup(_ id: Signup.ID) async throws -> Signup? {
        try await read { try $0.signups.find(id) }
    }

    public func update(
        _ id: Signup.ID,
        _ change: @escaping @Sendable (inout Signup) -> Void
    ) async throws -> Signup? {
        try await write { tables in
            guard let loaded = try tables.signups.find(id) else { return nil }
            var signup = loaded
            change(&signup)
            if signup != loaded { try tables.signups.update(signup) }
            return signup
        }
    }
}
