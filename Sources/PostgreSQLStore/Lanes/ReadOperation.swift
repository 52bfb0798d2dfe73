import PhoneDomain

/// A query that changes nothing. Those that wait together are sent together, and each is of its own.
struct ReadOperation: Sendable {
    let query: Query
    /// Reads the result and tells the caller.
    let finish: @Sendable (QueryResult) -> Void
    let fail: @Sendable (any Error) -> Void

    /// - Returns: whether there is a server.
    static func serve(_ operations: [ReadOperation], _ worker: Worker, _ observer: (any StoreObserver)?) -> Bool {
        for isLastAttempt in [false, true] {
            do {
                let results = try observer.measuring(.read, operations: operations.count) {
                    try worker.perform { connection in
                        let results = try connection.exchange(operations.map { [$0.query] })
                        for case .failure(let error) in results where error.isWorthAnotherTry && !isLastAttempt {
                            throw error
                        }
                        return results
                    }
                }
                for (operation, result) in zip(operations, results) {
                    switch result {
                    case .success(let rows):
                        if let row = rows.first { operation.finish(row) }
                    case .failure(let error):
                        operation.fail(error)
                    }
                }
                return true
            } catch {
                let storeError = error as? PostgreSQLStoreError
                // It was read of a connection that had gone; nothing is lost by asking again.
                if !isLastAttempt, storeError?.isWorthAnotherTry == true { continue }
                for operation in operations { operation.fail(error) }
                return storeError?.isOfServer != true
            }
        }
        return true
    }
}

extension Optional where Wrapped == any StoreObserver {
    /// Does a batch and tells how it fared, if anyone is there to be told.
    ///
    /// - Throws: what the work throws; the batch is then one that failed.
    func measuring<Value>(
        _ kind: StoreBatch.Kind,
        operations: Int,
        _ work: () throws -> Value
    ) rethrows -> Value {
        guard let observer = self else { return try work() }
        let start = ContinuousClock.now
        var isFailed = true
        defer {
            observer.observe(
                StoreBatch(kind: kind, operations: operations, duration: .now - start, isFailed: isFailed)
            )
        }
        let value = try work()
        isFailed = false
        return value
    }
}
