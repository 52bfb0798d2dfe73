import PhoneNumbers
public import PhoneSignup
public import PhoneStore
import PhoneTestSupport

@testable public import PhoneAccounts
@testable public import PhoneDomain

extension AccountStore where Self: PortableStore & OutboxStore {
    /// Asks for all that there is to ask for of accounts and of their sessions, for tests of how a store goes about it.
    public func useAccounts(at now: Timestamp) async throws {
        let tokens = RefreshTokens(deriver: PlainSecretDeriver(), vault: PlainTokenVault())
        let (first, second) = (Session.ID(bits: 8, 1), Session.ID(bits: 8, 2))
        guard let token = try tokens.first(of: first, from: SecretToken("a")).first,
            let code = VerificationCode("314159")
        else {
            preconditionFailure("no token or no code")
        }
        let (old, new) = (try PhoneNumber(e164: "+821098765432"), try PhoneNumber(e164: "+821098765433"))
        let account = Account(
            id: Account.ID(bits: 8, 8),
            phoneNumber: old,
            createdAt: now - .seconds(86_400),
            createdBy: Verification.ID(bits: 8, 8)
        )
        let id = Verification.ID(bits: 8, 9)
        let proven = Verification.stored(id, of: new, owner: .session(first), at: now, status: .approved)
        try await restore([
            .account(account), .session(Self.session(first, of: account.id, try tokens.digest(of: token), at: now)),
            .session(Self.session(second, of: account.id, [2], at: now)), .verification(proven),
        ])
        let auditor = Auditor(digester: PlainNumberDigester(), owner: .session(first), address: nil)
        _ = try await refresh(
            RefreshSession(token: token, tokens: tokens, policy: .standard, auditor: auditor, now: now)
        )
        _ = try await signedIn(first)
        _ = try await self.account(of: old)
        _ = try await sessions(of: account.id, at: now, limit: 10)
        _ = try await end(
            EndSessions(accountID: account.id, selection: .one(second), auditor: auditor, now: now)
        )
        _ = try await result {
            try await update(first, at: now) { _ in AccountMetadata(json: #"{"a":1}"#) }
        }
        _ = try await result {
            try await changeNumber(
                ChangeNumber(
                    check: CheckVerification(
                        id: proven.id,
                        context: RequestContext(owner: .session(first), region: .korea, language: .korean),
                        code: code,
                        vault: FixedCodeVault(code: code),
                        policy: .standard,
                        abusePolicy: .none,
                        auditor: auditor,
                        now: now
                    ),
                    changeID: NumberChange.ID(bits: 8, 8),
                    undoDigest: [1],
                    messageID: OutboxMessage.ID(bits: 8, 8),
                    language: .korean,
                    accountPolicy: .standard
                )
            )
        }
        _ = try await claim(limit: 10, at: now, until: now)
        _ = try await numberChange(undoDigest: [1])
        _ = try await personalData(of: account.id) { PlainNumberDigester().digests(of: $0.e164) }
        _ = try await result {
            try await requestDeletion(
                RequestDeletion(
                    sessionID: first,
                    accountPolicy: AccountPolicy(deletionGrace: .zero, undoTime: .zero),
                    auditor: auditor,
                    now: now
                )
            )
        }
        _ = try await dueAccounts(at: now, limit: 10)
        _ = try await result {
            try await undo(
                UndoNumberChange(
                    digest: [1],
                    accountPolicy: .standard,
                    digester: PlainNumberDigester(),
                    address: nil,
                    now: now
                )
            )
        }
        try await restore([.account(Self.due(account, at: now))])
        _ = try await delete(DeleteAccount(Account.ID(bits: 8, 9), digester: PlainNumberDigester(), now: now))
        _ = try await purgeSessions(before: now, limit: 10)
    }

    private static func due(_ account: Account, at now: Timestamp) -> Account {
        Account(
            id: Account.ID(bits: 8, 9),
            phoneNumber: nil,
            createdAt: now,
            createdBy: account.createdBy,
            deletionDueAt: now
        )
    }

    private static func session(
        _ id: Session.ID,
        of account: Account.ID,
        _ digest: [UInt8],
        at now: Timestamp
    ) -> Session {
        Session(
            id: id,
            accountID: account,
            userAgent: nil,
            createdAt: now,
            expiresAt: now + .seconds(3600),
            tokenDigest: digest,
            refreshedAt: now,
            idleUntil: now + .seconds(3600)
        )
    }
}

extension AccountStore {
    func update(
        _ session: Session.ID,
        at now: Timestamp,
        _ change: @escaping @Sendable (AccountMetadata) throws(PhoneFailure) -> AccountMetadata
    ) async throws -> Account {
        try await update(UpdateAccount(sessionID: session, now: now, change: change, limits: .none))
    }
}
