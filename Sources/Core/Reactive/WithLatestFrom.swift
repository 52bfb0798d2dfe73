extension Observable {
    /// Emits, at each element of this, `resultSelector` of it and the latest element of `second`.
    ///
    /// Subscribes to `second` first, then to this, at once. Until `second` has emitted, elements of this are dropped.
    /// An element of `second` emits nothing by itself. If both stem from one relay, `second` is ahead: at the relay's
    /// `7` both sides are `7`.
    ///
    /// A ``BehaviorRelay`` is asked for its value instead, which never lags: what it has accepted is its latest element,
    /// even while its delivery waits for another.
    public func withLatestFrom<Second, Result: Sendable>(
        _ second: Observable<Second>,
        resultSelector: @escaping @Sendable (_ element: Element, _ latest: Second) -> Result
    ) -> Observable<Result> {
        if let latest = second.latest { return map { resultSelector($0, latest()) } }
        return Observable<Result> { observer in
            let latest = Locked<Second?>(.none)
            let sampled = second.subscribe { latest.exchange(.some($0)) }
            // Only elements of this are passed on, and they come one at a time, so there is nothing to queue.
            let sampler = subscribe { element in
                if let latest = latest.value { observer(resultSelector(element, latest)) }
            }
            return Disposable {
                sampled.dispose()
                sampler.dispose()
            }
        }
    }

    /// Emits the latest element of `second` at each element of this.
    public func withLatestFrom<Second>(_ second: Observable<Second>) -> Observable<Second> {
        withLatestFrom(second) { $1 }
    }
}
