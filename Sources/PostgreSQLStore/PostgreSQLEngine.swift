import PhoneDomain
import Records

/// Loads and locks what all commands of a batch need, applies each in memory to what those before it left, and saves
/// the result in one transaction. That is two round trips to the server, however many commands there are; for requests
/// it is a third one to wait for their turn.
struct PostgreSQLEngine: Engine {
    let types: RecordTypes
    let announcing: Set<Event.Kind>

    /// Begins the transaction of the next batch of requests, once no other instance has one under way.
    ///
    /// They go one after the other in any case, since all of them change the counters of the service. One that waits
    /// here has not taken its operations yet: with three instances it then takes twice as many, and each costs a third
    /// less.
    func awaitTurn(on connection: PostgreSQLThread) throws {
        try connection.retrying { connection in
            do {
                _ = try connection.exchange([.begin, .requestLock])
                connection.hasBegun = true
            } catch {
                connection.rollBack()
                throw error
            }
        }
    }

    func commit(_ commands: [CommandOperation], on thread: PostgreSQLThread) throws -> [Answer] {
        try thread.retrying { connection in
            try Batch(commands, on: connection, records: types, announcing: announcing).commit()
        }
    }

    func scope(of error: any Error) -> FailureScope {
        guard let error = error as? PostgreSQLStoreError else { return error is UnreadableRecord ? .command : .batch }
        if error.isOfServer { return .queue }
        return error == .waitedTooLong ? .slowCommand : error.mayBeOfOneOperation ? .command : .batch
    }
}

/// One attempt to run a batch of operations: a transaction on one connection.
final class Batch {
    private let operations: [CommandOperation]
    private let connection: Connection
    private let types: RecordTypes
    private let announcing: Set<Event.Kind>
    private var unit: UnitOfWork
    private var answers: [Answer?]
    /// The last table of which rows have been locked, by its position in ``RecordTypes``.
    private var lastLock: Int?

    init(
        _ operations: [CommandOperation],
        on connection: Connection,
        records types: RecordTypes,
        announcing: Set<Event.Kind>
    ) {
        (self.operations, self.connection, self.types, self.announcing) = (operations, connection, types, announcing)
        unit = UnitOfWork(PreloadedSource(), of: types, announcing: announcing)
        answers = Array(repeating: nil, count: operations.count)
    }

    /// - Returns: how to answer the callers, in order.
    /// - Throws: ``PostgreSQLStoreError`` or `UnreadableRecord`; nothing was kept then, unless it is `outcomeUnknown`.
    func commit() throws -> [Answer] {
        let changes = ChangeCollector()
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
            try unit.save(to: changes)
        } catch {
            if isBegun || (error as? PostgreSQLStoreError)?.isOfStatement ?? true { connection.rollBack() }
            throw error
        }
        let queries = changes.takeQueries()
        // Nothing to commit: what the operations saw was locked.
        if queries.isEmpty { connection.rollBack() } else { try connection.commit(after: queries) }
        return answers.compactMap(\.self)
    }

    private func startAnew() {
        unit = UnitOfWork(PreloadedSource(), of: types, announcing: announcing)
        lastLock = nil
        answers = answers.map { _ in nil }
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
        for (index, operation) in operations.enumerated() where answers[index] == nil {
            do {
                answers[index] = try unit.attempt(operation)
            } catch let error as NotLoaded {
                missing = missing ?? RecordKeys()
                missing?.formUnion(error.keys)
            } catch {
                answers[index] = Answer(error, to: operation)
            }
        }
        return missing
    }
}
