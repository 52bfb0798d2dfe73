import PhoneDomain

/// Which rows an operation needs. Those that it may change are locked when they are loaded.
struct RowKeys: Sendable {
    /// Numbers whose activity is needed, and every verification that may live since ``liveSince``.
    var begunNumbers: Set<String> = []
    /// The earliest of the moments before which no verification of ``begunNumbers`` that ended is of interest.
    var liveSince: Timestamp?
    /// Numbers whose activity is needed.
    var numbers: Set<String> = []
    /// Messages, with the verification of each.
    var messages: Set<String> = []
    /// Verifications.
    var verifications: Set<String> = []
    /// Verifications for which the activity of the number is needed as well.
    var checkedVerifications: Set<String> = []
    /// Verifications for which the account of the number is needed as well.
    var provenVerifications: Set<String> = []
    /// Numbers whose account is needed.
    var holders: Set<String> = []
    /// Accounts.
    var accounts: Set<String> = []
    /// Accounts of which every session is needed.
    var accountsWithSessions: Set<String> = []
    /// Accounts of which every change of number is needed.
    var accountsWithChanges: Set<String> = []
    /// Sessions, with the account of each.
    var sessions: Set<String> = []
    /// Sessions, with the account of each and every other session of it.
    var sessionsWithOthers: Set<String> = []
    var numberChanges: Set<String> = []
    var events: Set<String> = []
    var signups: Set<String> = []
    var requests: Set<String> = []
    var tenants: Set<String> = []
    var safeNumbers: Set<String> = []
    var meters: Set<String> = []
    var traffic: Set<String> = []
    var guardRules: Set<String> = []

    mutating func formUnion(_ other: RowKeys) {
        begunNumbers.formUnion(other.begunNumbers)
        liveSince = [liveSince, other.liveSince].compactMap(\.self).min()
        numbers.formUnion(other.numbers)
        messages.formUnion(other.messages)
        verifications.formUnion(other.verifications)
        checkedVerifications.formUnion(other.checkedVerifications)
        provenVerifications.formUnion(other.provenVerifications)
        holders.formUnion(other.holders)
        accounts.formUnion(other.accounts)
        accountsWithSessions.formUnion(other.accountsWithSessions)
        accountsWithChanges.formUnion(other.accountsWithChanges)
        sessions.formUnion(other.sessions)
        sessionsWithOthers.formUnion(other.sessionsWithOthers)
        numberChanges.formUnion(other.numberChanges)
        events.formUnion(other.events)
        signups.formUnion(other.signups)
        requests.formUnion(other.requests)
        tenants.formUnion(other.tenants)
        safeNumbers.formUnion(other.safeNumbers)
        meters.formUnion(other.meters)
        traffic.formUnion(other.traffic)
        guardRules.formUnion(other.guardRules)
    }

    mutating func need(meters rules: [LimitRule]) {
        for rule in rules { meters.insert(rule.key.description) }
    }

    mutating func need(trafficAround number: PhoneNumber) {
        for part in NumberTraffic(prefix: .none, country: .none, service: .none).parts(of: number) {
            traffic.insert(part.key.description)
        }
    }
}

extension RowKeys {
    /// The tables whose rows are locked, in the order in which every batch of every instance locks them. Whoever waits
    /// for a row holds only rows that come before it, so that no two wait for each other.
    ///
    /// The activity of a number is first: who has it has the number, and nobody begins a second verification beside one
    /// that is being begun. An account comes after the verification that is used for it, and before its sessions and changes
    /// of number: who has it has its number and adds to them, and nobody else does. What all requests share, the meters and the traffic of the whole service, is last and
    /// held for the shortest time.
    enum Lock: Int, Comparable {
        case activity, message, verification, account, session, numberChange, event, signup, request, tenant, safeNumber
        case meter, traffic

        static func < (one: Lock, other: Lock) -> Bool {
            one.rawValue < other.rawValue
        }
    }

    /// The tables of which it names rows to lock.
    var locks: [Lock] {
        var locks: [Lock] = []
        if !begunNumbers.isEmpty || !numbers.isEmpty || !checkedVerifications.isEmpty { locks.append(.activity) }
        if !messages.isEmpty { locks.append(.message) }
        if !allVerifications.isEmpty || !begunNumbers.isEmpty || !messages.isEmpty { locks.append(.verification) }
        if !allAccounts.isEmpty || !holders.isEmpty || !provenVerifications.isEmpty || !allSessions.isEmpty {
            locks.append(.account)
        }
        if !allSessions.isEmpty || !accountsWithSessions.isEmpty { locks.append(.session) }
        if !numberChanges.isEmpty || !accountsWithChanges.isEmpty { locks.append(.numberChange) }
        if !events.isEmpty { locks.append(.event) }
        if !signups.isEmpty { locks.append(.signup) }
        if !requests.isEmpty { locks.append(.request) }
        if !tenants.isEmpty { locks.append(.tenant) }
        if !safeNumbers.isEmpty { locks.append(.safeNumber) }
        if !meters.isEmpty { locks.append(.meter) }
        if !traffic.isEmpty { locks.append(.traffic) }
        return locks
    }

    var allVerifications: Set<String> {
        verifications.union(checkedVerifications).union(provenVerifications)
    }

    /// Those that are named.
    var allAccounts: Set<String> {
        accounts.union(accountsWithSessions).union(accountsWithChanges)
    }

    /// Those that are named.
    var allSessions: Set<String> {
        sessions.union(sessionsWithOthers)
    }
}

/// An operation has asked for rows that were not loaded. What it did is undone, and it is done anew once they are.
struct NotLoaded: Error {
    let keys: RowKeys

    init(_ keys: RowKeys) {
        self.keys = keys
    }
}
