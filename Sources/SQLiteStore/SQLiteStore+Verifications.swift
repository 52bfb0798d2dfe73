public import PhoneDomain

extension SQLiteStore: VerificationStore {
    public func begin(_ command: BeginVerification) async throws -> BeginVerification.Answer {
        try await write(holdsRows: true) { tables in
            let e164 = command.phoneNumber.e164
            let live = try tables.verifications.live(e164: e164, owner: command.context.owner, at: command.now)
            let activity = try tables.activities.find(e164: e164)
            let limits = try tables.meters.ledger(command.limitRules)
            let traffic = try tables.traffic.around(command.phoneNumber)
            var state = BeginVerification.State(
                live: live,
                activity: activity,
                limits: limits,
                traffic: traffic,
                guardRules: try tables.guardRules.fitting(command.phoneNumber)
            )
            let outcome = try command.apply(to: &state)
            try tables.activities.save(state.activity, of: e164, loaded: activity)
            tables.meters.save(state.limits, loaded: limits)
            try tables.traffic.save(state.traffic, around: command.phoneNumber, loaded: traffic, at: command.now)
            try tables.verifications.save(state.live, loaded: live, at: command.now)
            if let message = state.message { try tables.messages.insert(message) }
            try tables.audit.append(state.audit)
            return BeginVerification.Answer(outcome, state)
        }
    }

    public func check(_ command: CheckVerification) async throws -> CheckVerification.Outcome {
        try await write(holdsRows: true) { tables in
            let loaded = try tables.state(of: command)
            var state = loaded
            let outcome = try command.apply(to: &state)
            try tables.save(state, of: command, loaded: loaded)
            return outcome
        }
    }

    public func cancel(_ command: CancelVerification) async throws -> CancelVerification.Outcome {
        try await write(holdsRows: true) { tables in
            let loaded = try tables.verifications.find(command.id)
            var state = CancelVerification.State(verification: loaded)
            let outcome = try command.apply(to: &state)
            try tables.verifications.save(state.verification, loaded: loaded, at: command.now)
            try tables.audit.append(state.audit)
            return outcome
        }
    }

    public func signUp(_ command: SignUp) async throws -> SignUp.Outcome {
        try await write(holdsRows: true) { tables in
            let check = try tables.state(of: command.check)
            let loaded = SignUp.State(
                check: check,
                account: try check.verification.flatMap { try tables.accounts.find(e164: $0.phoneNumber.e164) },
                session: try tables.sessions.find(Session.id(openedBy: command.check.id)),
                signup: try command.signupID.flatMap(tables.signups.find)
            )
            var state = loaded
            let outcome = try command.apply(to: &state)
            // The one that loses the number before the one that gets it, and accounts before what refers to them.
            try tables.accounts.save(state.unlinked, loaded: loaded.account, at: command.check.now)
            try tables.accounts.save(state.account, loaded: loaded.account, at: command.check.now)
            try tables.sessions.save(state.session, loaded: loaded.session)
            try tables.save(state.check, of: command.check, loaded: check)
            if let signup = state.signup, signup != loaded.signup { try tables.signups.update(signup) }
            try state.audit.forEach(tables.audit.append)
            return outcome
        }
    }

    public func verification(_ id: Verification.ID) async throws -> Verification? {
        try await read { try $0.verifications.find(id) }
    }

    public func account(_ id: Account.ID) async throws -> Account? {
        try await read { try $0.accounts.find(id) }
    }
}

extension Tables {
    func state(of command: CheckVerification) throws -> CheckVerification.State {
        let verification = try verifications.find(command.id)
        return CheckVerification.State(
            verification: verification,
            activity: try verification.map { try activities.find(e164: $0.phoneNumber.e164) } ?? .none,
            limits: try meters.ledger(command.limitRules)
        )
    }

    func save(
        _ state: CheckVerification.State,
        of command: CheckVerification,
        loaded: CheckVerification.State
    ) throws {
        try verifications.save(state.verification, loaded: loaded.verification, at: command.now)
        meters.save(state.limits, loaded: loaded.limits)
        if let number = loaded.verification?.phoneNumber {
            try activities.save(state.activity, of: number.e164, loaded: loaded.activity)
            if state.isApprovalToBeCounted {
                let before = try traffic.around(number)
                var after = before
                command.recordApproval(in: &after)
                try traffic.save(after, around: number, loaded: before, at: command.now)
            }
        }
        try audit.append(state.audit)
    }
}
