public import Synchronization

extension Observable {
    /// Emits what each of `sources` emits, one element at a time. Subscribes in the order given.
    @inlinable
    public static func merge(_ sources: [Observable]) -> Observable {
        Observable(source: { observer in
            let outlet = Outlet(observer)
            let upstreams = sources.map { $0.source(outlet.send) }
            return Disposable.idempotent {
                outlet.close()
                for upstream in upstreams { upstream.dispose() }
            }
        })
    }

    /// Emits what each of `sources` emits, one element at a time. Subscribes in the order given.
    @inlinable
    public static func merge(_ sources: Observable...) -> Observable {
        merge(sources)
    }

    /// Emits what this and each of `others` emit, one element at a time. Subscribes in the order given, this first.
    @inlinable
    public func merge(with others: Observable...) -> Observable {
        .merge([self] + others)
    }

    /// Emits the latest elements of both, at each element of either, once both have emitted.
    ///
    /// Subscribes in the order given.
    @inlinable
    public static func combineLatest<A, B>(
        _ a: Observable<A>,
        _ b: Observable<B>
    ) -> Observable where Element == (A, B) {
        Observable(source: { observer in
            let latest = Mutex(Combination<A, B>())
            let outlet = Outlet(observer)
            let first = a.source { a in
                latest.send(to: outlet) { $0.a = .some(a) }
            }
            let second = b.source { b in
                latest.send(to: outlet) { $0.b = .some(b) }
            }
            return Disposable.idempotent {
                outlet.close()
                first.dispose()
                second.dispose()
            }
        })
    }

    /// Emits the latest elements of all three, at each element of any, once all have emitted.
    ///
    /// Subscribes in the order given.
    @inlinable
    public static func combineLatest<A, B, C>(
        _ a: Observable<A>,
        _ b: Observable<B>,
        _ c: Observable<C>
    ) -> Observable where Element == (A, B, C) {
        Observable<((A, B), C)>.combineLatest(.combineLatest(a, b), c).map { ($0.0, $0.1, $1) }
    }

    /// Emits the latest elements of all four, at each element of any, once all have emitted.
    ///
    /// Subscribes in the order given.
    @inlinable
    public static func combineLatest<A, B, C, D>(
        _ a: Observable<A>,
        _ b: Observable<B>,
        _ c: Observable<C>,
        _ d: Observable<D>
    ) -> Observable where Element == (A, B, C, D) {
        Observable<((A, B), (C, D))>.combineLatest(.combineLatest(a, b), .combineLatest(c, d)).map {
            ($0.0, $0.1, $1.0, $1.1)
        }
    }
}

extension Mutex {
    /// Sends the pair that a change makes, if there is one.
    @inlinable
    func send<A, B>(
        to outlet: Outlet<(A, B)>,
        after change: (inout Combination<A, B>) -> Void
    ) where Value == Combination<A, B> {
        // A pair takes its place under the same lock that made it: otherwise an older pair could overtake a newer one.
        // What it replaces is handed out because a deinitialiser must not run under the lock.
        let (_, pair, observer) = withLock { latest -> (Combination<A, B>, (A, B)?, Observer<(A, B)>?) in
            let older = latest
            change(&latest)
            guard let pair = latest.pair else { return (older, nil, nil) }
            return (older, pair, outlet.claim(pair))
        }
        if let pair, let observer {
            outlet.deliver(pair, to: observer)
        }
    }
}
