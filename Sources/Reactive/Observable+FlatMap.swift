extension Observable {
    /// Runs `work` for each element and emits its result, unless a newer element has come first: that cancels the task,
    /// and whatever it still returns is not emitted.
    ///
    /// The task is also cancelled when the subscription is disposed.
    ///
    /// - Parameters:
    ///   - activity: Turns true before `work` begins, and false after its result has been passed on, or at once when
    ///     it is cancelled.
    ///   - work: Runs in a task of its own, which inherits the task-local values of whoever sent the element, and begins
    ///     on that one's thread: it is there until it first has to wait.
    /// - Returns: The results, in the order in which the work ended.
    @inlinable
    public func flatMapLatest<Result: Sendable>(
        trackingIn activity: ActivityIndicator? = nil,
        _ work: @escaping @Sendable (Element) async -> Result
    ) -> Observable<Result> {
        flatMap(.latestWins, trackingIn: activity, work)
    }

    /// Runs `work` for an element and emits its result; elements that come while it is running are ignored.
    ///
    /// The work is over when it has returned: an element sent in answer to its result is not ignored. The task is
    /// cancelled when the subscription is disposed.
    ///
    /// - Parameters:
    ///   - activity: Turns true before `work` begins, and false after its result has been passed on, or at once when
    ///     it is cancelled.
    ///   - work: Runs in a task of its own, which inherits the task-local values of whoever sent the element, and begins
    ///     on that one's thread: it is there until it first has to wait.
    /// - Returns: The results, in the order in which the work ended.
    @inlinable
    public func flatMapFirst<Result: Sendable>(
        trackingIn activity: ActivityIndicator? = nil,
        _ work: @escaping @Sendable (Element) async -> Result
    ) -> Observable<Result> {
        flatMap(.firstWins, trackingIn: activity, work)
    }

    @inlinable
    func flatMap<Result: Sendable>(
        _ policy: WorkSlot<Result>.Policy,
        trackingIn activity: ActivityIndicator?,
        _ work: @escaping @Sendable (Element) async -> Result
    ) -> Observable<Result> {
        Observable<Result>(source: { [source] observer in
            let slot = WorkSlot(policy, trackingIn: activity, observer)
            let upstream = source { element in
                slot.start { await work(element) }
            }
            return Disposable.idempotent {
                upstream.dispose()
                slot.close()
            }
        })
    }
}
