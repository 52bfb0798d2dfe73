public import PhoneAdministration
public import PhoneDomain
import PhoneSignup

extension SQLStore {
    /// The log lies in the order of time, and an index of anything else would cost every request: a search reads a
    /// stretch of time, from the newest entry on.
    public func entries(_ query: AuditQuery) async throws -> AuditPage {
        // A verification's entries come after it; the clock that it was made by may have been a little ahead.
        let begun = query.verificationID.map { $0.moment - AuditSearch.tolerance }
        var conditions: SQL = "TRUE"
        if let digests = query.numberDigests { conditions += " AND \(.isAny(of: digests, "number_digest"))" }
        if let id = query.verificationID { conditions += " AND verification_id = \(id)" }
        if let owner = query.owner { conditions += " AND owner = \(owner.rawValue)" }
        if let action = query.action {
            conditions += " AND action = \(action.rawValue)"
            if !AuditRecord.frequent.contains(action) { conditions += " AND \(raw: AuditRecord.fewActions)" }
        }
        if query.hasOperatorsOnly {
            conditions += " AND \(raw: AuditRecord.operatorsActs) AND \(raw: AuditRecord.fewActions)"
        }
        for since in [query.since, begun].compactMap(\.self) {
            conditions += " AND id >= \(AuditRecord.serial(at: since, 0))"
        }
        if let until = query.until { conditions += " AND id < \(AuditRecord.serial(at: until, 0))" }
        if let before = query.before { conditions += " AND id < \(before)" }
        let newest: SQL = "WHERE \(conditions) ORDER BY id DESC LIMIT \(limit: query.limit + 1)"
        let found = try await all(AuditRecord.self, newest)
        return AuditPage(found.map { ($0.serial, $0.entry) }, limit: query.limit)
    }

    public func verdicts(prefix: [NumberDigest], limit: Int) async throws -> [AuditEntry] {
        let condition: SQL = "\(.isAny(of: prefix, "prefix_digest")) AND verdict IS NOT NULL"
        return try await all(AuditRecord.self, "WHERE \(condition) ORDER BY id DESC LIMIT \(limit: limit)").map(\.entry)
    }

    /// Does work in a transaction with what the audit log has of a person. All of a long log is read for that; so it is
    /// read before, a stretch at a time, and the transaction, which others wait for, reads only what came since.
    func transact<Value: Sendable>(
        isReadOnly: Bool = false,
        auditing person: @escaping @Sendable (any SQLSession) throws -> AuditSearch,
        _ work: @escaping @Sendable (any SQLSession, AuditSearch) throws -> Value
    ) async throws -> Value {
        while true {
            var search = try await run(isReadOnly: true, person)
            while let end = try await auditKeys("TRUE ORDER BY id LIMIT 1 OFFSET 10000", after: search.end).first {
                search.found.formUnion(try await auditKeys("id <= \(end) AND \(search.condition)", after: search.end))
                search.end = end
            }
            do {
                return try await transact(isReadOnly: isReadOnly) { [search] in try work($0, search) }
            } catch is AuditSearch.Outdated {}
        }
    }

    private func auditKeys(_ condition: SQL, after key: Int64) async throws -> [Int64] {
        try await read("SELECT id FROM audit_entry WHERE id > \(key) AND \(condition)", of: AuditRecord.table) {
            try $0.integer()
        }
    }
}

/// The entries of the audit log that are about a person: those of verifications, and those with digests.
struct AuditSearch: Sendable {
    /// There are verifications or digests that were not searched for.
    struct Outdated: Error {}

    /// How far the clocks of those who write the log may be apart.
    static let tolerance: Duration = .seconds(600)

    let verifications: Set<Verification.ID>
    let digests: Set<NumberDigest>
    /// Keys of entries up to ``end``.
    var found: Set<Int64> = []
    var end: Int64

    init(of verifications: Set<Verification.ID>, _ digests: [NumberDigest], after end: Int64 = .min) {
        (self.verifications, self.digests, self.end) = (verifications, Set(digests), end)
    }

    var condition: SQL {
        "(\(.isAny(of: digests, "number_digest")) OR \(.isAny(of: verifications, "verification_id")))"
    }

    /// The key from which on an entry may have been written after those that were found.
    var rest: Int64 {
        let tolerance = Self.tolerance.wholeMilliseconds * AuditRecord.serialsPerMillisecond
        return max(end, .min + tolerance) - tolerance
    }
}

extension SQL {
    fileprivate static func isAny(of digests: some Sequence<NumberDigest>, _ column: String) -> SQL {
        isAny(of: digests.map { .text($0.description) }, column)
    }

    fileprivate static func isAny(of ids: Set<Verification.ID>, _ column: String) -> SQL {
        isAny(of: ids.map(\.value), column)
    }

    private static func isAny(of values: [SQLValue], _ column: String) -> SQL {
        var list: SQL = "\(raw: column) IN (NULL"
        for value in values { list += ", \(value)" }
        list += ")"
        return list
    }
}

extension SQLSession {
    /// What the log may have of an account: it is about this one as far as a command covers it.
    func auditSearch(
        of id: Account.ID,
        _ digests: (Account) throws -> [NumberDigest]
    ) throws -> AuditSearch {
        guard let account = try find(Account.self, id) else { return AuditSearch(of: [], [], after: .max) }
        let verifications = Set(try verifications(of: account).map(\.id)).union([account.createdBy].compactMap(\.self))
        let first = verifications.map(\.moment).reduce(account.phoneNumberSince, min) - AuditSearch.tolerance
        return AuditSearch(of: verifications, try digests(account), after: AuditRecord.serial(at: first, 0))
    }

    /// Every entry of one of these verifications or with one of these digests, in order.
    func auditRecords(
        of verifications: Set<Verification.ID>,
        _ digests: [NumberDigest],
        _ search: AuditSearch
    ) throws -> ReadableRows<AuditRecord> {
        guard verifications.isSubset(of: search.verifications), search.digests.isSuperset(of: digests) else {
            throw AuditSearch.Outdated()
        }
        let rest: [Int64] = try keys(
            "SELECT id FROM audit_entry WHERE id > \(search.rest) AND \(search.condition)"
        )
        let all = search.found.union(rest).sorted().map(\.value)
        var rows = ReadableRows<AuditRecord>()
        try forEach(AuditRecord.select(), in: AuditRecord.table, where: "id", isAnyOf: all, locking: false) {
            try rows.add($0, of: AuditRecord.table) { try AuditRecord(from: &$0) }
        }
        report(rows.unreadable, of: AuditRecord.table)
        return rows
    }

    /// - Parameter unreadable: the keys of entries that cannot be read, from which all personal data is removed.
    func unlink(_ records: [AuditRecord], unreadable: [SQLValue]) throws {
        for (owner, key) in records.map({ ($0.entry.unlinked.owner?.rawValue, $0.key.value) })
            + unreadable.map({ (nil, $0) })
        {
            try run(
                """
                UPDATE audit_entry
                SET owner = \(.text(owner)), address = NULL, masked_number = NULL, number_digest = NULL, prefix_digest = NULL,
                    reason = NULL, reference = NULL, tags = NULL
                WHERE id = \(key)
                """
            )
        }
    }

    func append(_ entry: AuditEntry) throws {
        try append([entry])
        effects.auditEntries.append(entry)
    }
}
