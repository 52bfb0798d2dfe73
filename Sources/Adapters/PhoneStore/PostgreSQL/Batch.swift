import PhoneDomain

/// One attempt to run a batch of commands: loads and locks what all of them need, applies each in memory to what those
/// before it left, and saves the result in one transaction. That is two round trips to the server, however many
/// commands there are; for requests it is a third one to wait for their turn (``PostgreSQLThread/awaitTurn()``).
final class Batch {
    private let operations: [CommandOperation]
    private let connection: Connection
    private let types: RecordTypes
    private let kinds: Set<Event.Kind>
    private var unit: UnitOfWork
    private var session: CommandSession
    private var completions: [Completion?]
    /// The last table of which rows have been locked, by its position in ``RecordTypes``.
    private var lastLock: Int?

    init(
        _ operations: [CommandOperation],
        on connection: Connection,
        records types: RecordTypes,
        announcing kinds: Set<Event.Kind>
    ) {
        (self.operations, self.connection, self.types, self.kinds) = (operations, connection, types, kinds)
        unit = UnitOfWork(of: types)
        session = CommandSession(.postgreSQL(unit), announcing: kinds)
        completions = Array(repeating: nil, count: operations.count)
    }

    /// - Parameter notify: called once all is committed.
    /// - Throws: ``PostgreSQLStoreError`` or `UnreadableRecord`; nothing was kept then, unless it is `outcomeUnknown`.
    func commit(_ notify: @escaping @Sendable (StoreEffects) -> Void = { _ in }) throws -> [Completion] {
        var isBegun = connection.hasBegun
        connection.hasBegun = false
        do {
            // What the operations need is what they ask for and find missing.
            var keys = apply() ?? RecordKeys()
            try load(keys, after: isBegun ? [] : [.begin])
            isBegun = true
            while let missing = apply() {
                keys.formUnion(missing)
                if let first = missing.locks(in: types)?.lowerBound, let lastLock, first <= lastLock {
                    // They would be locked out of order: begin again and lock all of them in order.
                    startAnew()
                    try load(keys, after: [.rollback, .begin])
                } else {
                    try load(missing, after: [])
                }
            }
        } catch {
            if isBegun || (error as? PostgreSQLStoreError)?.isOfStatement ?? true { connection.rollBack() }
            throw error
        }
        let (changes, effects) = (ChangeCollector(announcesAudit: kinds.contains(.auditRecorded)), session.effects)
        unit.save(to: changes)
        changes.append(effects.auditEntries)
        let queries = changes.takeQueries()
        // Nothing to commit: what the operations saw was locked.
        if queries.isEmpty { connection.rollBack() } else { try connection.commit(after: queries) }
        return [{ notify(effects) }] + completions.compactMap(\.self)
    }

    private func startAnew() {
        unit = UnitOfWork(of: types)
        session = CommandSession(.postgreSQL(unit), announcing: kinds)
        lastLock = nil
        completions = completions.map { _ in nil }
    }

    private func load(_ keys: RecordKeys, after queries: [Query]) throws {
        let loader = RowLoader(keys, of: types)
        let results = try connection.exchange(queries + loader.queries)
        try loader.load(results.dropFirst(queries.count), into: unit)
        lastLock = keys.locks(in: types)?.upperBound ?? lastLock
    }

    /// Applies the operations that have no answer yet.
    ///
    /// - Returns: the records that some of them still need, or nil if all are done.
    private func apply() -> RecordKeys? {
        var missing: RecordKeys?
        for (index, operation) in operations.enumerated() where completions[index] == nil {
            session.begin(operation)
            do {
                completions[index] = try operation.work(session)
            } catch {
                session.undo()
                if let error = error as? NotLoaded {
                    missing = missing ?? RecordKeys()
                    missing?.formUnion(error.keys)
                } else {
                    completions[index] = { operation.fail(error) }
                }
            }
        }
        return missing
    }
}
