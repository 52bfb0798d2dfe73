public import PhoneDomain

extension PostgreSQLStore: VerificationStore {
    public func begin(_ command: BeginVerification) async throws -> BeginVerification.Answer {
        let number = command.phoneNumber
        var keys = RowKeys()
        keys.begunNumbers = [number.e164]
        keys.liveSince = command.now - Verification.longestLife
        keys.need(meters: command.limitRules)
        keys.need(trafficAround: number)
        keys.guardRules = Set(GuardRule.prefixes(of: number))
        return try await request(needing: keys) { rows in
            let live = try rows.live(number, owner: command.context.owner, at: command.now)
            let activity = try rows.activity(of: number.e164)
            let limits = try rows.ledger(command.limitRules)
            let traffic = try rows.traffic(around: number)
            var state = BeginVerification.State(
                live: live,
                activity: activity,
                limits: limits,
                traffic: traffic,
                guardRules: try rows.guardRules(fitting: number)
            )
            let outcome = try command.apply(to: &state)
            rows.keep(state.activity, of: number.e164, loaded: activity)
            rows.keep(state.limits, loaded: limits)
            rows.keep(state.traffic, around: number, loaded: traffic, at: command.now)
            rows.keep(state.live, loaded: live, at: command.now)
            if let message = state.message { rows.messages.keep(message, under: message.id.description) }
            rows.append(state.audit)
            return BeginVerification.Answer(outcome, state)
        }
    }

    public func check(_ command: CheckVerification) async throws -> CheckVerification.Outcome {
        var keys = RowKeys()
        keys.checkedVerifications = [command.id.description]
        keys.need(meters: command.limitRules)
        return try await change(needing: keys) { rows in
            let loaded = try rows.state(of: command)
            var state = loaded
            let outcome = try command.apply(to: &state)
            try rows.keep(state, of: command, loaded: loaded)
            return outcome
        }
    }

    public func cancel(_ command: CancelVerification) async throws -> CancelVerification.Outcome {
        var keys = RowKeys()
        keys.verifications = [command.id.description]
        return try await change(needing: keys) { rows in
            let loaded = try rows.verification(command.id)
            var state = CancelVerification.State(verification: loaded)
            let outcome = try command.apply(to: &state)
            rows.keep(state.verification, loaded: loaded, at: command.now)
            rows.append(state.audit)
            return outcome
        }
    }

    public func signUp(_ command: SignUp) async throws -> SignUp.Outcome {
        let now = command.check.now
        let sessionID = Session.id(openedBy: command.check.id)
        let signupID = command.signupID?.description
        var keys = RowKeys()
        keys.checkedVerifications = [command.check.id.description]
        keys.provenVerifications = [command.check.id.description]
        keys.sessions = [sessionID.description]
        keys.signups = Set([signupID].compactMap(\.self))
        keys.need(meters: command.check.limitRules)
        return try await change(needing: keys) { rows in
            let check = try rows.state(of: command.check)
            let loaded = SignUp.State(
                check: check,
                account: try check.verification.flatMap { try rows.accounts.account(holding: $0.phoneNumber) },
                session: try rows.accounts.session(sessionID),
                signup: try signupID.flatMap { try rows.signups.find($0) }
            )
            var state = loaded
            let outcome = try command.apply(to: &state)
            rows.keep(state.unlinked, loaded: loaded.account, at: now)
            rows.keep(state.account, loaded: loaded.account, at: now)
            rows.keep(state.session, loaded: loaded.session)
            try rows.keep(state.check, of: command.check, loaded: check)
            if let signupID, let signup = state.signup, signup != loaded.signup {
                rows.signups.keep(signup, under: signupID)
            }
            rows.append(state.audit)
            return outcome
        }
    }

    public func verification(_ id: Verification.ID) async throws -> Verification? {
        try await read(VerificationTable.self, "WHERE id = $1", [.text(id.description)]).first
    }

    public func account(_ id: Account.ID) async throws -> Account? {
        try await read(AccountTable.self, "WHERE id = $1", [.text(id.description)]).first
    }
}

extension Rows {
    func state(of command: CheckVerification) throws -> CheckVerification.State {
        let verification = try verification(command.id)
        return CheckVerification.State(
            verification: verification,
            activity: try verification.map { try activity(of: $0.phoneNumber.e164) } ?? .none,
            limits: try ledger(command.limitRules)
        )
    }

    mutating func keep(
        _ state: CheckVerification.State,
        of command: CheckVerification,
        loaded: CheckVerification.State
    ) throws {
        keep(state.verification, loaded: loaded.verification, at: command.now)
        keep(state.limits, loaded: loaded.limits)
        if let number = loaded.verification?.phoneNumber {
            keep(state.activity, of: number.e164, loaded: loaded.activity)
            if state.isApprovalToBeCounted {
                let before = try traffic(around: number)
                var after = before
                command.recordApproval(in: &after)
                keep(after, around: number, loaded: before, at: command.now)
            }
        }
        append(state.audit)
    }
}
