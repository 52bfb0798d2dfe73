import PhoneDomain

/// The rows of a batch that are about accounts: who holds which number, who is signed in, which numbers were changed.
struct AccountRows {
    private var accounts = Image<AccountTable>()
    /// Which account holds a number.
    private var holders = Image<AccountNumberTable>()
    private var sessions = Image<SessionTable>()
    private var numberChanges = Image<NumberChangeTable>()
    /// The sessions that are known, by account.
    private var sessionsByAccount: [String: Set<String>] = [:]
    /// Accounts of which every session is known.
    private var accountsWithSessions: Set<String> = []
    /// The changes of accounts of which every one is known.
    private var changesByAccount: [String: Set<String>] = [:]

    // MARK: - What operations ask for and leave

    func account(_ id: Account.ID) throws(NotLoaded) -> Account? {
        try accounts.find(id.description)
    }

    func account(holding number: PhoneNumber) throws(NotLoaded) -> Account? {
        guard let holder = try holders.find(number.e164) else { return nil }
        return try account(holder)
    }

    func session(_ id: Session.ID) throws(NotLoaded) -> Session? {
        try sessions.find(id.description)
    }

    func signedIn(_ id: Session.ID) throws(NotLoaded) -> SignedIn? {
        guard let session = try session(id), let account = try account(session.accountID) else { return nil }
        return SignedIn(session: session, account: account)
    }

    /// Every session of the account.
    func sessions(of id: Account.ID) throws(NotLoaded) -> [Session] {
        guard accountsWithSessions.contains(id.description) else {
            var keys = RowKeys()
            keys.accountsWithSessions = [id.description]
            throw NotLoaded(keys)
        }
        return (sessionsByAccount[id.description] ?? []).sorted().compactMap(sessions.known)
    }

    func numberChange(_ id: NumberChange.ID) throws(NotLoaded) -> NumberChange? {
        try numberChanges.find(id.description)
    }

    /// Every change of number of the account.
    func numberChanges(of id: Account.ID) throws(NotLoaded) -> [NumberChange] {
        guard let changes = changesByAccount[id.description] else {
            var keys = RowKeys()
            keys.accountsWithChanges = [id.description]
            throw NotLoaded(keys)
        }
        return changes.sorted().compactMap(numberChanges.known)
    }

    /// Keeps an account, and who holds which number now. One that loses its number to another is kept before that.
    mutating func keep(_ account: Account, loaded: Account?) {
        accounts.keep(account, under: account.id.description)
        guard account.phoneNumber != loaded?.phoneNumber else { return }
        if let old = loaded?.phoneNumber { holders.keep(nil, under: old.e164) }
        if let new = account.phoneNumber { holders.keep(account.id, under: new.e164) }
    }

    mutating func keep(_ session: Session?, loaded: Session?) {
        guard let id = (session ?? loaded)?.id.description else { return }
        if let session { sessionsByAccount[session.accountID.description, default: []].insert(id) }
        sessions.keep(session, under: id)
    }

    mutating func keep(_ change: NumberChange) {
        changesByAccount[change.accountID.description]?.insert(change.id.description)
        numberChanges.keep(change, under: change.id.description)
    }

    // MARK: - What the server has

    /// Takes in accounts that the server returned for these keys and numbers. They hold the numbers that they have.
    mutating func load(
        _ rows: [(key: String, value: Account)],
        for keys: RowKeys,
        holding numbers: some Sequence<String>
    ) {
        accounts.load(rows, of: keys.allAccounts)
        holders.load(AccountNumberTable.rows(of: rows.lazy.map(\.value)), of: numbers)
    }

    mutating func load(_ rows: [(key: String, value: Session)], for keys: RowKeys) {
        for row in rows { sessionsByAccount[row.value.accountID.description, default: []].insert(row.key) }
        sessions.load(rows, of: keys.allSessions)
        accountsWithSessions.formUnion(keys.accountsWithSessions)
        for id in keys.sessionsWithOthers {
            if let session = sessions.known(id) { accountsWithSessions.insert(session.accountID.description) }
        }
    }

    mutating func load(_ rows: [(key: String, value: NumberChange)], for keys: RowKeys) {
        for id in keys.accountsWithChanges { changesByAccount[id] = [] }
        for row in rows { changesByAccount[row.value.accountID.description]?.insert(row.key) }
        numberChanges.load(rows, of: keys.numberChanges)
    }

    /// What the batch leaves, in the order in which the tables are locked.
    func saves() -> [Query] {
        accounts.saves() + holders.saves() + sessions.saves() + numberChanges.saves()
    }

    // MARK: - One operation of many

    /// Where ``rollBack(to:)`` goes back to.
    var marks: [Int] {
        [accounts.mark, holders.mark, sessions.mark, numberChanges.mark]
    }

    mutating func rollBack(to marks: ArraySlice<Int>) {
        let first = marks.startIndex
        accounts.rollBack(to: marks[first])
        holders.rollBack(to: marks[first + 1])
        sessions.rollBack(to: marks[first + 2])
        numberChanges.rollBack(to: marks[first + 3])
    }
}
