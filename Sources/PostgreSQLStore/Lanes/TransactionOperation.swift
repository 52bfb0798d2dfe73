import PhoneDomain

/// An operation that is done in a transaction of its own.
struct TransactionOperation: Sendable {
    private static let maxAttempts = 8

    /// Does the operation, and returns how to tell the caller of its success: that may be told only after the commit.
    let work: @Sendable (Transaction) throws -> @Sendable () -> Void
    /// Tells the caller that nothing of the operation was kept, or that nobody knows.
    let fail: @Sendable (any Error) -> Void

    /// - Returns: whether there is a server.
    func perform(_ worker: Worker, plans: NumberingPlans) -> Bool {
        var attempt = 1
        while true {
            do {
                let answer = try worker.perform { connection in
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
                answer()
                return true
            } catch {
                let storeError = error as? PostgreSQLStoreError
                if storeError?.isWorthAnotherTry == true, attempt < Self.maxAttempts {
                    attempt += 1
                    continue
                }
                fail(error)
                return storeError?.isOfServer != true
            }
        }
    }
}
