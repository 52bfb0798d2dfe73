public import PhoneAccounts
public import PhoneDomain
public import PhoneNumbers
public import PhoneSignup

/// What an operator does to an account, in one transaction with the entry of the audit log.
public struct ActOnAccount: Command {
    public enum Act: Sendable {
        /// Ends all sessions.
        case signOut
        /// Ends all sessions, and nobody gets another until it is restored.
        case suspend
        case restore
        /// The closure must have no side effects, since it may be called again.
        case edit(@Sendable (AccountMetadata) throws(PhoneFailure) -> AccountMetadata)
        /// Ends all sessions; upkeep deletes it with its owner's data (``DeleteAccount``) within a minute.
        case delete
        /// Gives it another number without a proof, and ends all sessions. Nobody is notified: the operator answers for
        /// it, and the reason is on the audit log.
        case changeNumber(PhoneNumber)
    }

    public struct State: Sendable {
        public var account: Account?
        /// The account that has the new number, if one does.
        public let holder: Account?
        /// Another account that was due for deletion and still had the new number. It must be saved before ``account``.
        public var unlinked: Account?
        public var audit: [AuditEntry] = []
        public init(account: Account?, holder: Account?) { (self.account, self.holder) = (account, holder) }
    }

    public let id: Account.ID
    let act: Act
    let author: Operator
    let digester: any NumberDigester
    let accountPolicy: AccountPolicy
    public let now: Timestamp

    public init(
        _ act: Act,
        on id: Account.ID,
        by author: Operator,
        digester: any NumberDigester,
        accountPolicy: AccountPolicy = .standard,
        now: Timestamp
    ) {
        (self.act, self.id, self.author, self.digester) = (act, id, author, digester)
        (self.accountPolicy, self.now) = (accountPolicy, now)
    }

    public var newNumber: PhoneNumber? { if case .changeNumber(let number) = act { number } else { nil } }

    public func apply(to state: inout State) throws -> Result<Account, any Error> {
        guard var account = state.account, account.id == id else {
            return .failure(AdministrationFailure.notFound("there is no account \(id)"))
        }
        func fail(_ reason: String) -> Result<Account, any Error> {
            .failure(AdministrationFailure.conflict("account \(id) \(reason)"))
        }
        let action: AuditEntry.Action
        switch act {
        case .signOut:
            action = .signOut
            account.endSessions()
        case .suspend:
            guard account.suspendedAt == nil else { return fail("is suspended already") }
            (action, account.suspendedAt) = (.suspendAccount, now)
            account.endSessions()
        case .restore:
            guard account.suspendedAt != nil else { return fail("is not suspended") }
            (action, account.suspendedAt) = (.restoreAccount, nil)
        case .edit(let change):
            action = .updateAccount
            do {
                account.metadata = try change(account.metadata)
            } catch {
                return .failure(error)
            }
        case .delete:
            (action, account.deletionDueAt) = (.requestDeletion, now)
            account.endSessions()
        case .changeNumber(let number):
            guard account.phoneNumber != number else { return fail("has this number already") }
            if let holder = state.holder {
                guard holder.isDue(at: now) else { return .failure(PhoneFailure.numberTaken) }
                state.unlinked = holder.unlinked(at: now, policy: accountPolicy)
                state.audit.append(try author.entry(.unlink, number, digester: digester, at: now))
            }
            action = .changeNumber
            if let old = account.phoneNumber {
                state.audit.append(try author.entry(.leaveNumber, old, id.description, digester: digester, at: now))
            }
            account.take(number, at: now)
            account.endSessions()
        }
        state.audit.append(
            try author.entry(action, account.phoneNumber, id.description, digester: digester, at: now)
        )
        state.account = account
        return .success(account)
    }
}

/// What operators see of the keys by which people sign in in place of a code, and do with them. A dock that has such keys
/// keeps them.
public protocol SignInKeyDesk: Sendable {
    /// In order of creation.
    func keys(of account: Account) async throws -> [SignInKey]
    /// Removes a key, in one transaction with the entry of the audit log.
    ///
    /// - Returns: its name; nil if the account has no such key.
    func removeKey(_ id: String, of account: Account.ID, by author: Operator) async throws -> String?
}

/// A key on a device of a person's.
public struct SignInKey: Hashable, Sendable {
    /// Raw values are what operators read.
    public enum State: String, Sendable {
        /// It signs in.
        case active
        /// It signs in again once the person has said, after a code to their number, that it is still theirs.
        case asks
        case ended
    }

    public let id: String
    /// The name that its owner has given it.
    public let name: String
    public let createdAt: Timestamp
    public let lastUsedAt: Timestamp?
    public let state: State

    public init(id: String, name: String, createdAt: Timestamp, lastUsedAt: Timestamp?, state: State) {
        (self.id, self.name, self.createdAt) = (id, name, createdAt)
        (self.lastUsedAt, self.state) = (lastUsedAt, state)
    }
}

/// Why an operator's act or question is refused, in one line.
public enum AdministrationFailure: Error, Hashable, Sendable, CustomStringConvertible {
    case notFound(String)
    /// It does not apply to what is stored now.
    case conflict(String)
    /// The question is wrong; `field` names the part of it.
    case invalid(field: String, String)

    public var description: String {
        switch self {
        case .notFound(let line), .conflict(let line): line
        case .invalid(let field, let line): "\(field) \(line)"
        }
    }
}
