/// How an account gets another number, and its old one back.
extension LiveAccountUseCase {
    public func requireFreshProof(_ signedIn: SignedIn) throws(PhoneFailure) {
        if accountPolicy.isProofTooOld(of: signedIn.session, at: clock.now()) { throw .proofTooOld }
    }

    public func changeNumber(by check: CheckVerification) async throws(PhoneFailure) -> Account {
        let outcome = try await available { () throws -> ChangeNumber.Outcome in
            let changeID: NumberChange.ID = try identifiers.makeIdentifier()
            return try await store.changeNumber(
                ChangeNumber(
                    check: check,
                    changeID: changeID,
                    undoDigest: try undoTokens.make(for: changeID).digest,
                    messageID: try identifiers.makeIdentifier(),
                    language: noticeLanguage,
                    accountPolicy: accountPolicy
                )
            )
        }
        switch outcome {
        case .changed(let account):
            messageQueued()
            return account
        case .refused(let failure): throw failure
        }
    }

    public func numberChange(undoneBy token: SecretToken) async throws(PhoneFailure) -> NumberChange {
        let change = try await available { () throws -> NumberChange? in
            guard let digest = try undoTokens.digest(of: token) else { return nil }
            return try await store.numberChange(undoDigest: digest)
        }
        guard let change, change.isUndoable(at: clock.now()) else { throw .numberChangeNotFound }
        return change
    }

    public func undoNumberChange(
        by token: SecretToken,
        from address: ClientAddress?
    ) async throws(PhoneFailure) -> Account {
        let outcome = try await available { () throws -> UndoNumberChange.Outcome in
            guard let digest = try undoTokens.digest(of: token) else { return .refused(.numberChangeNotFound) }
            return try await store.undo(
                UndoNumberChange(
                    digest: digest,
                    accountPolicy: accountPolicy,
                    digester: digester,
                    address: address,
                    now: clock.now()
                )
            )
        }
        switch outcome {
        case .undone(let account): return account
        case .refused(let failure): throw failure
        }
    }
}
