extension Observable {
    /// Emits what each of `sources` emits, one element at a time. Subscribes in the order given.
    @inlinable
    public static func merge(_ sources: [Observable]) -> Observable {
        Observable(source: { observer in
            let outlet = Outlet(observer)
            let upstreams = sources.map { $0.source(outlet.send) }
            return Disposable {
                outlet.close()
                upstreams.forEach { $0.dispose() }
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
            let combination = Combination<A, B>(observer)
            let upstreams = [a.source(combination.sendA), b.source(combination.sendB)]
            return Disposable {
                combination.close()
                upstreams.forEach { $0.dispose() }
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
