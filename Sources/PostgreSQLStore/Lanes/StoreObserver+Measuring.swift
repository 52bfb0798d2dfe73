import PhoneDomain

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
