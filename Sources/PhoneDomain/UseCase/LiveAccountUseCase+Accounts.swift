/// What becomes of an account and its sessions.
extension LiveAccountUseCase {
    public func sessions(of signedIn: SignedIn) async throws(PhoneFailure) -> [Session] {
        try await available {
            try await store.sessions(of: signedIn.account.id, at: clock.now(), limit: Self.mostSessions)
        }
    }

    public func end(
        _ selection: EndSessions.Selection,
        of signedIn: SignedIn,
        from address: ClientAddress?
    ) async throws(PhoneFailure) -> Int {
        try await available {
            try await store.end(
                EndSessions(
                    accountID: signedIn.account.id,
                    selection: selection,
                    auditor: auditor(signedIn, address),
                    now: clock.now()
                )
            )
        }
    }

    public func update(
        _ signedIn: SignedIn,
        _ change: @escaping @Sendable (AccountMetadata) throws(PhoneFailure) -> AccountMetadata
    ) async throws(PhoneFailure) -> Account {
        try await available {
            try await store.update(UpdateAccount(sessionID: signedIn.session.id, now: clock.now(), change: change))
        }.get()
    }

    public func requestDeletion(
        of signedIn: SignedIn,
        from address: ClientAddress?
    ) async throws(PhoneFailure) -> Account {
        try await available {
            try await store.requestDeletion(
                RequestDeletion(
                    sessionID: signedIn.session.id,
                    accountPolicy: accountPolicy,
                    auditor: auditor(signedIn, address),
                    now: clock.now()
                )
            )
        }.get()
    }

    public func personalData(of signedIn: SignedIn) async throws(PhoneFailure) -> PersonalData {
        let data = try await available {
            try await store.personalData(of: signedIn.account.id) { [digester] in try digester.digests(of: $0.e164) }
        }
        guard let data else { throw .notSignedIn }
        return data
    }

    public func dormantAccount(of number: PhoneNumber) async throws(PhoneFailure) -> Account? {
        let now = clock.now()
        let holder = try await available { try await store.account(of: number) }
        guard let holder, !holder.isDue(at: now), holder.isDormant(at: now, policy: accountPolicy) else { return nil }
        return holder
    }

    public func recordDecision(
        _ decision: DormantDecision,
        on verification: Verification,
        by owner: Owner,
        from address: ClientAddress?
    ) async throws(PhoneFailure) {
        try await available {
            let action: AuditEntry.Action = decision == .signIn ? .decideSignIn : .decideNewAccount
            let auditor = Auditor(digester: digester, owner: owner, address: address)
            let number = verification.phoneNumber
            try await store.record(auditor.entry(action, number, verification.id, at: clock.now()))
        }
    }
}
