extension Observable {
    /// Emits, at each element of this, `resultSelector` of it and the latest element of `second`.
    ///
    /// Subscribes to `second` first, then to this, at once. Until `second` has emitted, elements of this are dropped.
    /// An element of `second` emits nothing by itself. If both stem from one relay, `second` is ahead: at the relay's
    /// `7` both sides are `7`.
    public func withLatestFrom<Second, Result: Sendable>(
        _ second: Observable<Second>,
        resultSelector: @escaping @Sendable (_ element: Element, _ latest: Second) -> Result
    ) -> Observable<Result> {
        Observable<Result> { observer in
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

    /// Emits, at each element of this, `resultSelector` of it and the value that `second` has at that moment.
    /// Unlike the relay's observable it never lags: what the relay has accepted is its value at once.
    public func withLatestFrom<Second, Result: Sendable>(
        _ second: BehaviorRelay<Second>,
        resultSelector: @escaping @Sendable (_ element: Element, _ latest: Second) -> Result
    ) -> Observable<Result> {
        map { resultSelector($0, second.value) }
    }
}
