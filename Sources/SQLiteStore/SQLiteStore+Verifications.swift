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
            let verification = try tables.verifications.find(command.id)
            let e164 = verification?.phoneNumber.e164
            let activity = try e164.map(tables.activities.find) ?? .none
            let limits = try tables.meters.ledger(command.limitRules)
            var state = CheckVerification.State(verification: verification, activity: activity, limits: limits)
            let outcome = try command.apply(to: &state)
            try tables.verifications.save(state.verification, loaded: verification, at: command.now)
            if let e164 { try tables.activities.save(state.activity, of: e164, loaded: activity) }
            tables.meters.save(state.limits, loaded: limits)
            if state.isApprovalToBeCounted, let number = verification?.phoneNumber {
                let loaded = try tables.traffic.around(number)
                var traffic = loaded
                command.recordApproval(in: &traffic)
                try tables.traffic.save(traffic, around: number, loaded: loaded, at: command.now)
            }
            try tables.audit.append(state.audit)
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
        try await write { tables in
            let verification = try tables.verifications.find(command.verificationID)
            let account = try verification.flatMap { try tables.accounts.find(e164: $0.phoneNumber.e164) }
            let session = try tables.sessions.find(Session.id(openedBy: command.verificationID))
            var state = SignUp.State(verification: verification, account: account, session: session)
            let outcome = try command.apply(to: &state)
            // The one that loses the number before the one that gets it, and accounts before what refers to them.
            try tables.accounts.save(state.unlinked, loaded: account, at: command.now)
            try tables.accounts.save(state.account, loaded: account, at: command.now)
            try tables.sessions.save(state.session, loaded: session)
            try tables.verifications.save(state.verification, loaded: verification, at: command.now)
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
