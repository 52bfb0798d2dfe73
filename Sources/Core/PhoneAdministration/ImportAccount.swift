public import PhoneAccounts
public import PhoneDomain
public import PhoneNumbers
public import PhoneSignup

/// A person who comes from another system, or from an export, without a proof of the number here: the operator answers
/// for it.
public struct ImportedPerson: Sendable {
    /// That of an export; nil for a new one.
    public var id: Account.ID?
    /// Nil only for an account of an export that lost its number and waits for its deletion.
    public var phoneNumber: PhoneNumber?
    public var externalID: ExternalID?
    public var createdAt: Timestamp?
    public var phoneNumberSince: Timestamp?
    /// Nil where the source does not know it: it counts as the time of the import, since an account that were dormant
    /// from the beginning might be given to somebody else.
    public var lastActiveAt: Timestamp?
    public var suspendedAt: Timestamp?
    public var deletionDueAt: Timestamp?
    public var consent: Consent?
    /// Merges the person's metadata into what there is. It may be called again, and must have no side effects.
    public var metadata: @Sendable (AccountMetadata) throws(PhoneFailure) -> AccountMetadata

    public init(
        metadata: @escaping @Sendable (AccountMetadata) throws(PhoneFailure) -> AccountMetadata = {
            metadata throws(PhoneFailure) in metadata
        }
    ) { self.metadata = metadata }
}

/// Makes an account of an imported person, in one transaction with the entry of the audit log. It does nothing where it
/// was done before, so that an import that was interrupted can begin anew.
public struct ImportAccount: Command {
    /// What happens to a person who is known already. Raw values are on the wire.
    public enum Conflict: String, Sendable, CaseIterable {
        case skip
        /// The metadata are merged, and a missing external ID is added. Number and times stay.
        case update
        case fail
    }

    public enum Outcome: Hashable, Sendable {
        case created(Account)
        case updated(Account)
        /// It was imported before, and is as it would be now.
        case unchanged(Account)
        case skipped(Account)

        public var account: Account {
            switch self {
            case .created(let account), .updated(let account), .unchanged(let account), .skipped(let account): account
            }
        }
    }

    public struct State: Sendable {
        /// The account that has the number, the one that has the external ID, and the one with the ID.
        public let holder, namesake, account: Account?
        /// What was made or changed.
        public var imported: Account?
        public var audit: [AuditEntry] = []

        public init(holder: Account?, namesake: Account?, account: Account?) {
            (self.holder, self.namesake, self.account) = (holder, namesake, account)
        }

        /// The person's account, if they are known.
        public var existing: Account? { holder ?? namesake ?? account }
    }

    public let person: ImportedPerson
    /// That of the person, or a new one.
    public let id: Account.ID
    let conflict: Conflict
    let isDryRun: Bool
    let author: Operator
    let digester: any NumberDigester
    public let now: Timestamp

    public init(
        _ person: ImportedPerson,
        as id: Account.ID,
        onConflict conflict: Conflict,
        isDryRun: Bool,
        by author: Operator,
        digester: any NumberDigester,
        now: Timestamp
    ) {
        (self.person, self.id, self.conflict, self.isDryRun) = (person, id, conflict, isDryRun)
        (self.author, self.digester, self.now) = (author, digester, now)
    }

    public func apply(to state: inout State) throws -> Result<Outcome, any Error> {
        do {
            guard let existing = state.existing else { return .success(.created(try make(&state))) }
            let found = Set([state.holder, state.namesake, state.account].compactMap { $0?.id })
            guard found.count == 1 else {
                throw AdministrationFailure.conflict("number, external_id and id are those of different accounts")
            }
            // Upkeep deletes it within a minute, and the person would be lost with it.
            guard !existing.isDue(at: now) || person.deletionDueAt != nil else {
                throw AdministrationFailure.conflict(
                    "account \(existing.id) is being deleted; import it again in a minute"
                )
            }
            return .success(try resolve(existing, &state))
        } catch let failure as AdministrationFailure {
            return .failure(failure)
        } catch let failure as PhoneFailure {
            return .failure(failure)
        }
    }

    private func make(_ state: inout State) throws -> Account {
        guard person.phoneNumber != nil || person.deletionDueAt != nil else {
            throw AdministrationFailure.invalid(field: "phone_number", "is missing")
        }
        let createdAt = person.createdAt ?? now
        for (field, moment) in [
            ("created_at", createdAt), ("phone_number_since", person.phoneNumberSince),
            ("last_active_at", person.lastActiveAt), ("suspended_at", person.suspendedAt),
        ] where moment.map({ $0 > now }) == true {
            throw AdministrationFailure.invalid(field: field, "is in the future")
        }
        let account = Account(
            id: id,
            phoneNumber: person.phoneNumber,
            phoneNumberSince: person.phoneNumberSince,
            createdAt: createdAt,
            createdBy: nil,
            lastActiveAt: person.lastActiveAt ?? now,
            metadata: try person.metadata(.empty),
            deletionDueAt: person.deletionDueAt,
            consent: person.consent,
            suspendedAt: person.suspendedAt,
            externalID: person.externalID
        )
        try keep(account, .importAccount, &state)
        return account
    }

    private func resolve(_ existing: Account, _ state: inout State) throws -> Outcome {
        switch conflict {
        case .skip: return try isImported(existing) ? .unchanged(existing) : .skipped(existing)
        case .fail:
            guard try isImported(existing) else {
                throw AdministrationFailure.conflict("account \(existing.id) is there already")
            }
            return .unchanged(existing)
        case .update:
            var account = existing
            account.metadata = try person.metadata(existing.metadata)
            if let external = person.externalID {
                guard existing.externalID ?? external == external else {
                    throw AdministrationFailure.conflict("account \(existing.id) has another external_id")
                }
                account.externalID = external
            }
            guard account != existing else { return .unchanged(existing) }
            try keep(account, .updateAccount, &state)
            return .updated(account)
        }
    }

    /// Whether this person was imported as this account. What the person or a program has changed since then does not
    /// matter where an ID says who it is.
    private func isImported(_ account: Account) throws -> Bool {
        if person.id == account.id { return account.phoneNumber == person.phoneNumber }
        guard person.id == nil, account.phoneNumber == person.phoneNumber, account.externalID == person.externalID
        else { return false }
        if person.externalID != nil { return true }
        return try account.createdBy == nil && account.createdAt == person.createdAt ?? account.createdAt
            && account.metadata == person.metadata(.empty)
    }

    private func keep(_ account: Account, _ action: AuditEntry.Action, _ state: inout State) throws {
        if isDryRun { return }
        state.imported = account
        state.audit.append(
            try author.entry(action, account.phoneNumber, account.id.description, digester: digester, at: now)
        )
    }
}

extension Administration {
    /// The most people of one call.
    public static let mostImported = 500

    /// What became of each person, in their order.
    public func importAccounts(
        _ people: [ImportedPerson],
        onConflict conflict: ImportAccount.Conflict,
        isDryRun: Bool = false,
        by author: Operator
    ) async throws -> [Result<ImportAccount.Outcome, any Error>] {
        let (digester, now) = (try makeDigester(), now)
        let identifiers = OrderedIdentifiers(random: keys.identifiers, clock: clock)
        let commands = try people.map { person in
            ImportAccount(
                person,
                as: try person.id ?? identifiers.makeIdentifier(),
                onConflict: conflict,
                isDryRun: isDryRun,
                by: author,
                digester: digester,
                now: now
            )
        }
        return try await store.importAccounts(commands)
    }

    /// A page of all accounts, for an import elsewhere. That it was exported is on the audit log before it is returned.
    public func exportAccounts(before id: Account.ID?, limit: Int, by author: Operator) async throws -> Page<Account> {
        let page = try await store.accounts(before: id, limit: limit)
        let entry = author.entry(.exportAccounts, "\(page.items.count) accounts", at: now)
        try await store.record(entry, within: .none)
        return page
    }
}
