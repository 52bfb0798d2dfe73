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
            let verification = try rows.verification(command.id)
            let e164 = verification?.phoneNumber.e164
            let activity = try e164.map { try rows.activity(of: $0) } ?? .none
            let limits = try rows.ledger(command.limitRules)
            var state = CheckVerification.State(verification: verification, activity: activity, limits: limits)
            let outcome = try command.apply(to: &state)
            rows.keep(state.verification, loaded: verification, at: command.now)
            if let e164 { rows.keep(state.activity, of: e164, loaded: activity) }
            rows.keep(state.limits, loaded: limits)
            if state.isApprovalToBeCounted, let number = verification?.phoneNumber {
                let loaded = try rows.traffic(around: number)
                var traffic = loaded
                command.recordApproval(in: &traffic)
                rows.keep(traffic, around: number, loaded: loaded, at: command.now)
            }
            rows.append(state.audit)
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
        var keys = RowKeys()
        keys.provenVerifications = [command.verificationID.description]
        let sessionID = Session.id(openedBy: command.verificationID)
        keys.sessions = [sessionID.description]
        return try await change(needing: keys) { rows in
            let verification = try rows.verification(command.verificationID)
            let account = try verification.flatMap { try rows.accounts.account(holding: $0.phoneNumber) }
            let session = try rows.accounts.session(sessionID)
            var state = SignUp.State(verification: verification, account: account, session: session)
            let outcome = try command.apply(to: &state)
            rows.keep(state.unlinked, loaded: account, at: command.now)
            rows.keep(state.account, loaded: account, at: command.now)
            rows.keep(state.session, loaded: session)
            rows.keep(state.verification, loaded: verification, at: command.now)
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
