import PhoneDomain
import Records

/// An operation that waits to be done together with others, and the caller who waits for its outcome.
struct BatchedOperation: Sendable {
    /// What it needs, as far as that is known beforehand.
    let keys: RecordKeys
    /// Does the operation, and returns how to tell the caller of its success: that may be told only after the commit. It may be
    /// called again, on another unit of work, if nothing came of it.
    let work: @Sendable (UnitOfWork) throws -> @Sendable () -> Void
    /// Tells the caller that nothing of the operation was kept, or that nobody knows.
    let fail: @Sendable (any Error) -> Void
}

/// Does operations together in one transaction (group commit): load and lock what all of them need, apply each in memory
/// to what those before it left, keep what came of it. That is two ways to the server, however many there are.
///
/// What one operation fails of is undone and does not concern the others. A caller is answered after the commit and not
/// before.
struct BatchRunner: Sendable {
    private static let maxAttempts = 8

    let plans: NumberingPlans
    let announcing: Set<Event.Kind>
    let observer: (any StoreObserver)?

    /// Does the operations and tells their callers.
    ///
    /// - Returns: whether there is a server.
    func serve(_ operations: [BatchedOperation], _ worker: Worker) -> Bool {
        do {
            for answer in try perform(operations, worker) { answer() }
            return true
        } catch {
            // What the server does not take of one must not cost the others.
            let mayBeOfOne = (error as? PostgreSQLStoreError)?.mayBeOfOneOperation ?? (error is UnreadableRecord)
            if operations.count > 1, mayBeOfOne {
                return serveEach(operations, worker)
            }
            for operation in operations { operation.fail(error) }
            return (error as? PostgreSQLStoreError)?.isOfServer != true
        }
    }

    /// Does operations one by one, until it is clear that it is not one of them alone that waits for too long.
    private func serveEach(_ operations: [BatchedOperation], _ worker: Worker) -> Bool {
        var waitsLeft = 2
        // Why none of the rest is tried any more.
        var end: PostgreSQLStoreError?
        for operation in operations {
            if let end {
                operation.fail(end)
                continue
            }
            do {
                for answer in try perform([operation], worker) { answer() }
            } catch {
                operation.fail(error)
                guard let error = error as? PostgreSQLStoreError else { continue }
                if error == .waitedTooLong { waitsLeft -= 1 }
                if error.isOfServer || waitsLeft == 0 { end = error }
            }
        }
        return end?.isOfServer != true
    }

    /// Does the operations in one transaction, and tells the observer of it.
    ///
    /// - Returns: how to tell the callers.
    private func perform(
        _ operations: [BatchedOperation],
        _ worker: Worker
    ) throws -> [@Sendable () -> Void] {
        let (answers, entries) = try observer.measuring(.write, operations: operations.count) {
            try commit(operations, worker)
        }
        if let observer { for entry in entries { observer.observe(entry) } }
        return answers
    }

    private func commit(
        _ operations: [BatchedOperation],
        _ worker: Worker
    ) throws -> (answers: [@Sendable () -> Void], entries: [AuditEntry]) {
        var attempt = 1
        while true {
            do {
                return try worker.perform { connection in
                    let batch = Batch(operations, on: connection, plans: plans, announcing: announcing)
                    return (try batch.commit(), batch.auditEntries)
                }
            } catch let error as PostgreSQLStoreError where error.isWorthAnotherTry {
                guard attempt < Self.maxAttempts else {
                    if case .failed = error { throw PostgreSQLStoreError.conflict }
                    throw error
                }
                attempt += 1
            }
        }
    }
}
