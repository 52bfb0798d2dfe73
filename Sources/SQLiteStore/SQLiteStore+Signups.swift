public import PhoneDomain

extension SQLiteStore: SignupStore {
    public func begin(_ command: BeginSignup) async throws -> BeginSignup.Outcome {
        try await write { tables in
            let limits = try tables.meters.ledger(command.limitRules)
            var state = BeginSignup.State(limits: limits)
            let outcome = command.apply(to: &state)
            tables.meters.save(state.limits, loaded: limits)
            if let signup = state.signup { try tables.signups.insert(signup) }
            return outcome
        }
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
