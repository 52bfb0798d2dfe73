public import PhoneDomain
public import PhoneSignup

/// Gives an account the number back that it had before a change, at the request of a client with the link from the
/// notice, or of an operator.
///
/// Somebody else may have made the change in a session that was not theirs. So every session of the account ends, a
/// requested deletion is canceled, and later changes cannot be restored.
public struct UndoNumberChange: Command {
    public struct State: Sendable {
        public let change: NumberChange?
        /// The changes of its account from it on, including itself.
        public var changes: [NumberChange]
        public var account: Account?
        public let holder: Account?
        /// The other account that the number was taken from, set by the command. It must be saved before ``account``.
        public var unlinked: Account?
        public var audit: [AuditEntry] = []

        public init(change: NumberChange?, changes: [NumberChange], account: Account?, holder: Account?) {
            (self.change, self.changes, self.account, self.holder) = (change, changes, account, holder)
        }
    }

    public let digest: [UInt8]
    let accountPolicy: AccountPolicy
    let digester: any NumberDigester
    let address: ClientAddress?
    /// The operator who undoes it; nil for a person with the link.
    let author: Operator?
    public let now: Timestamp

    package init(
        digest: [UInt8],
        accountPolicy: AccountPolicy,
        digester: any NumberDigester,
        address: ClientAddress?,
        author: Operator? = nil,
        now: Timestamp
    ) {
        (self.digest, self.accountPolicy, self.digester) = (digest, accountPolicy, digester)
        (self.address, self.author, self.now) = (address, author, now)
    }

    public func apply(to state: inout State) throws -> Result<Account, PhoneFailure> {
        guard let change = state.change, change.isUndoable(at: now), let old = change.oldNumber,
            var account = state.account, account.id == change.accountID
        else { return .failure(.numberChangeNotFound) }
        // A client is known by nothing but the link: it acts on behalf of the session that made the change.
        let owner = author?.owner ?? .session(change.sessionID)
        let auditor = Auditor(digester: digester, owner: owner, address: address, reason: author?.reason)
        if let holder = state.holder, holder.id != account.id {
            // An account created since may well be this very person's, who was shut out and signed up anew. Any other
            // has proven the number since, and the client may have an older notice.
            guard holder.createdAt >= change.changedAt else { return .failure(.numberTaken) }
            state.unlinked = holder.unlinked(at: now, policy: accountPolicy)
            state.audit.append(try auditor.entry(.unlink, old, change.verificationID, at: now))
        }
        state.audit.append(try auditor.entry(.undoChange, old, change.verificationID, at: now))
        if let left = account.phoneNumber, left != old {
            state.audit.append(try auditor.entry(.leaveNumber, left, change.verificationID, at: now))
        }
        account.take(old, at: now)
        account.recordSignIn(at: now)
        account.endSessions()
        state.account = account
        state.changes.close(since: change.changedAt, at: now)
        return .success(account)
    }
}

/// Makes the secrets by which changes of number are undone: 22 characters of base64url, some 130 bits, since they go
/// into a link in a text message. Every method throws what the ports throw.
public struct UndoTokens: Sendable {
    public static let length = 22
    private let deriver: any SecretDeriver
    private let vault: any TokenVault
    public init(deriver: any SecretDeriver, vault: any TokenVault) { (self.deriver, self.vault) = (deriver, vault) }

    public func make(for id: NumberChange.ID) throws -> (token: SecretToken, digest: [UInt8]) {
        let token = try all(of: id)[0]
        return (token, try vault.digest(of: token))
    }

    /// The secret of a change once more, or nil if it was made under a key that is gone.
    public func token(of change: NumberChange) throws -> SecretToken? {
        try all(of: change.id).first { try vault.matches($0, digest: change.undoDigest) }
    }

    /// The digest by which the change is found; nil for what is not a well-formed secret.
    public func digest(of token: SecretToken) throws -> [UInt8]? {
        token.text.utf8.count == Self.length ? try vault.digest(of: token) : nil
    }

    private func all(of id: NumberChange.ID) throws -> [SecretToken] {
        try deriver.derive(.undo, from: [id.description]).map { SecretToken(Self.text(of: $0)) }
    }

    /// Ends in a letter or digit: phones leave other characters out of a link that they find in a text.
    private static func text(of derived: String) -> String {
        let last: Character =
            switch derived.dropFirst(length - 1).first {
            case "-": "A"
            case "_": "B"
            case let other: other ?? "A"
            }
        return derived.prefix(length - 1) + String(last)
    }
}
