extension Observable {
    /// Sends every element to `relay`, until disposed.
    @inlinable
    public func bind(to relay: PublishRelay<Element>) -> Disposable { subscribe(relay.accept) }

    /// Sends every element to `relay`, until disposed.
    @inlinable
    public func bind(to relay: BehaviorRelay<Element>) -> Disposable { subscribe(relay.accept) }

    /// Changes the value of `relay` by each element and emits nothing: a chain for ``running(_:)``.
    ///
    /// - Parameters:
    ///   - relay: Contains the value.
    ///   - change: Run as ``BehaviorRelay/update(_:)`` does.
    @inlinable
    public func reduce<Value>(
        into relay: BehaviorRelay<Value>,
        _ change: @escaping @Sendable (_ value: inout Value, _ element: Element) -> Void
    ) -> Observable<Never> {
        Observable<Never>(source: { [source] _ in
            source { element in
                relay.update { change(&$0, element) }
            }
        })
    }

    /// Emits what this emits, and runs `chains` for their effects as long as there is a subscription. Subscribes to them
    /// first, in the order given.
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

    /// The elements as an asynchronous sequence, for one consumer.
    ///
    /// Subscribes when it is made, not at the first `await`, and loses nothing: what the consumer has not asked for yet is
    /// buffered, without bound. The sequence ends by cancellation only. The subscription ends when the consuming task is
    /// cancelled, or when the sequence and its iterators are released.
    @inlinable
    public var values: AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .unbounded)
        let subscription = subscribe { continuation.yield($0) }
        continuation.onTermination = { _ in subscription.dispose() }
        return stream
    }
}
