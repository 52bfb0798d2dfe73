import PhoneDomain

/// One attempt at a batch of operations: a transaction on one connection.
final class Batch {
    private let operations: [BatchedOperation]
    private let connection: Connection
    private let plans: NumberingPlans
    private let announcing: Set<Event.Kind>
    private var rows: Rows
    private var answers: [(@Sendable () -> Void)?]
    /// The last table of which rows have been locked.
    private var lastLock: RowKeys.Lock?

    init(
        _ operations: [BatchedOperation],
        on connection: Connection,
        plans: NumberingPlans,
        announcing: Set<Event.Kind>
    ) {
        self.operations = operations
        self.connection = connection
        self.plans = plans
        self.announcing = announcing
        rows = Rows(announcing: announcing)
        answers = Array(repeating: nil, count: operations.count)
    }

    /// The audit entries that the operations have added.
    var auditEntries: [AuditEntry] { rows.auditEntries }

    /// - Returns: how to tell the callers, in order.
    /// - Throws: ``PostgreSQLStoreError``; nothing was kept then, unless it says that nobody knows.
    func commit() throws(PostgreSQLStoreError) -> [@Sendable () -> Void] {
        var keys = operations.reduce(into: RowKeys()) { $0.formUnion($1.keys) }
        var isBegun = false
        do throws(PostgreSQLStoreError) {
            try load(keys, after: [.begin])
            isBegun = true
            while let missing = apply() {
                keys.formUnion(missing)
                if let first = missing.locks.first, let lastLock, first <= lastLock {
                    // They would be locked out of order; so all of it once more, in order.
                    (rows, self.lastLock) = (Rows(announcing: announcing), nil)
                    answers = answers.map { _ in nil }
                    try load(keys, after: [.rollback, .begin])
                } else {
                    try load(missing, after: [])
                }
            }
        } catch {
            rollBack(isBegun || error.isOfStatement)
            throw error
        }
        try save()
        return answers.compactMap(\.self)
    }

    private func load(_ keys: RowKeys, after queries: [Query]) throws(PostgreSQLStoreError) {
        let loader = RowLoader(keys, plans: plans)
        let results = try connection.exchange(queries + loader.queries)
        try loader.load(results.dropFirst(queries.count), into: &rows)
        lastLock = keys.locks.last ?? lastLock
    }

    /// Applies the operations that have no answer yet.
    ///
    /// - Returns: the rows that some of them still need, or nil if all are done.
    private func apply() -> RowKeys? {
        var missing: RowKeys?
        for (index, operation) in operations.enumerated() where answers[index] == nil {
            let mark = rows.mark
            do {
                answers[index] = try operation.work(&rows)
            } catch let error as NotLoaded {
                rows.rollBack(to: mark)
                missing = missing ?? RowKeys()
                missing?.formUnion(error.keys)
            } catch {
                rows.rollBack(to: mark)
                answers[index] = { operation.fail(error) }
            }
        }
        return missing
    }

    private func save() throws(PostgreSQLStoreError) {
        let saves = rows.saves()
        guard !saves.isEmpty else {
            // Nothing to keep, so nothing to lose: what the operations saw was there and locked.
            rollBack(true)
            return
        }
        let result: Result<[QueryResult], PostgreSQLStoreError>?
        do throws(PostgreSQLStoreError) {
            result = try connection.exchange([saves + Query.commit]).first
        } catch {
            throw .outcomeUnknown(reason: error.description)
        }
        guard case .failure(let error) = result else { return }
        if error.leavesCommitOpen { throw .outcomeUnknown(reason: error.description) }
        rollBack(true)
        throw error
    }

    /// Ends the transaction; if that cannot be said, the connection is given up, and the server ends it.
    private func rollBack(_ isBegun: Bool) {
        guard isBegun, connection.isUsable else { return }
        _ = try? connection.exchange([.rollback])
    }
}

extension PostgreSQLStoreError {
    /// Whether it is a statement that failed, on a connection that stands.
    var isOfStatement: Bool {
        switch self {
        case .failed, .timedOut, .waitedTooLong, .readOnly, .unreadable: true
        default: false
        }
    }
}
