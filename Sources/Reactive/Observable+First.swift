extension Observable {
    /// Begins something, and waits for the first element that satisfies a condition.
    ///
    /// Subscribes before it begins, so that nothing which comes of it is lost, and ends the subscription when it returns.
    ///
    /// - Parameters:
    ///   - isWanted: The condition.
    ///   - begin: Called once, after subscribing.
    /// - Returns: The element, or nil if the waiting task is cancelled before there is one.
    @inlinable
    public func first(
        where isWanted: @escaping @Sendable (Element) -> Bool,
        after begin: () -> Void
    ) async -> Element? {
        let promise = Promise<Element?>()
        let subscription = subscribe { element in
            if isWanted(element) {
                promise.keep(element)
            }
        }
        begin()
        let first = await withTaskCancellationHandler {
            await promise.kept
        } onCancel: {
            promise.keep(nil)
        }
        subscription.dispose()
        return first
    }
}
