public import PhoneDomain

extension PostgreSQLStore: SignupStore {
    public func begin(_ command: BeginSignup) async throws -> BeginSignup.Outcome {
        var keys = RowKeys()
        keys.need(meters: command.limitRules)
        return try await request(needing: keys) { rows in
            let limits = try rows.ledger(command.limitRules)
            var state = BeginSignup.State(limits: limits)
            let outcome = command.apply(to: &state)
            rows.keep(state.limits, loaded: limits)
            if let signup = state.signup { rows.signups.keep(signup, under: signup.id.description) }
            return outcome
        }
    }

    public func signup(_ id: Signup.ID) async throws -> Signup? {
        try await read(SignupTable.self, "WHERE id = $1", [.text(id.description)]).first
    }

    public func update(
        _ id: Signup.ID,
        _ change: @escaping @Sendable (inout Signup) -> Void
    ) async throws -> Signup? {
        var keys = RowKeys()
        keys.signups = [id.description]
        return try await self.change(needing: keys) { rows in
            guard let loaded = try rows.signups.find(id.description) else { return nil }
            var signup = loaded
            change(&signup)
            if signup != loaded { rows.signups.keep(signup, under: id.description) }
            return signup
        }
    }
}
