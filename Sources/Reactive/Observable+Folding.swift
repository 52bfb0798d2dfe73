extension Observable {
    /// Changes the value of `relay` by each element, and emits nothing: for ``running(_:)``.
    ///
    /// - Parameters:
    ///   - relay: What has the value.
    ///   - change: As ``BehaviorRelay/update(_:)`` runs it.
    @inlinable
    public func folded<Value>(
        into relay: BehaviorRelay<Value>,
        _ change: @escaping @Sendable (_ value: inout Value, _ element: Element) -> Void
    ) -> Observable<Never> {
        Observable<Never>(source: { [source] _ in
            source { element in
                relay.update { change(&$0, element) }
            }
        })
    }

    /// Emits what this emits, while `chains` run for what they do. Subscribes to them first, in the order given.
    @inlinable
    public func running(_ chains: Observable<Never>...) -> Observable {
        Observable(source: { [source] observer in
            let upstreams = chains.map { $0.source { _ in } }
            let upstream = source(observer)
            return Disposable.idempotent {
                for upstream in upstreams { upstream.dispose() }
                upstream.dispose()
            }
        })
    }
}
