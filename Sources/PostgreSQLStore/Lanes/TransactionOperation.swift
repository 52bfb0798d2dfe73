import PhoneDomain

/// An operation that is done in a transaction of its own.
struct TransactionOperation: Sendable {
    private static let maxAttempts = 8

    /// Does the operation, and returns how to tell the caller of its success: that may be told only after the commit.
    let work: @Sendable (Transaction) throws -> @Sendable () -> Void
    /// Tells the caller that nothing of the operation was kept, or that nobody knows.
    let fail: @Sendable (any Error) -> Void

    /// - Returns: whether there is a server.
    func perform(_ worker: Worker, plans: NumberingPlans, observer: (any StoreObserver)?) -> Bool {
        do {
            let answer = try observer.measuring(.write, operations: 1) { try commit(worker, plans: plans) }
            answer()
            return true
        } catch {
            fail(error)
            return (error as? PostgreSQLStoreError)?.isOfServer != true
        }
    }

    private func commit(_ worker: Worker, plans: NumberingPlans) throws -> @Sendable () -> Void {
        var attempt = 1
        while true {
            do {
                return try worker.perform { connection in
                    let transaction = Transaction(on: connection, plans: plans)
                    do {
                        let answer = try work(transaction)
                        try transaction.commit()
                        return answer
                    } catch {
                        transaction.rollBack()
                        throw error
                    }
                }
            } catch let error as PostgreSQLStoreError where error.isWorthAnotherTry && attempt < Self.maxAttempts {
                attempt += 1
            }
        }
    }
}
