/// A stream of elements to which one can subscribe: ordered, synchronous, never failing, without an end.
///
/// An observable is a recipe. Each subscription runs it anew and makes exactly one subscription to each of its sources.
/// A subscriber is called with one element at a time. Streams do not complete and do not fail: a subscription ends when
/// it is disposed, and errors travel as elements. See <doc:Reactive> for all guarantees.
public struct Observable<Element: Sendable>: Sendable {
    /// Connects an observer and returns how to disconnect it. A source calls its observer with one element at a time
    /// and releases it when disposed; every operator relies on both.
    @usableFromInline let source: @Sendable (@escaping @Sendable (Element) -> Void) -> Disposable

    /// For sources that keep the rule of ``source`` themselves.
    @inlinable init(source: @escaping @Sendable (@escaping @Sendable (Element) -> Void) -> Disposable) {
        self.source = source
    }

    /// An observable made from a closure.
    ///
    /// - Parameter subscribe: Run at each subscription with the observer to call for each element, on any thread: calls
    ///   that overlap, or come from within each other, are queued. Returns how to stop. Once the subscription is
    ///   disposed, the observer ignores calls and has released the subscriber.
    @inlinable
    public init(_ subscribe: @escaping @Sendable (_ observer: @escaping @Sendable (Element) -> Void) -> Disposable) {
        source = { observer in
            let gate = Gate(observer)
            let upstream = subscribe(gate.send)
            return Disposable.idempotent {
                gate.close()
                upstream.dispose()
            }
        }
    }

    /// Begins to call `onNext` with the elements of this stream.
    ///
    /// - Parameter onNext: Called with one element at a time, on the thread that sent it or on one that was delivering
    ///   at that moment. It may send, subscribe and dispose.
    /// - Returns: Ends the subscription when disposed. Releasing it does not end the subscription.
    @inlinable
    public func subscribe(_ onNext: @escaping @Sendable (Element) -> Void) -> Disposable {
        // Sources guard their observers already, but an operator's closure may dispose the subscription while an element
        // is on its way through the chain.
        let gate = Gate(onNext)
        let upstream = source(gate.send)
        return Disposable {
            gate.close()
            upstream.dispose()
        }
    }

    /// Sends every element to `relay`, until disposed.
    @inlinable
    public func bind(to relay: BehaviorRelay<Element>) -> Disposable { subscribe(relay.accept) }

    /// What `make` returns, made anew for each subscription, so that a relay created inside belongs to that subscription
    /// alone.
    @inlinable
    public static func deferred(_ make: @escaping @Sendable () -> Observable) -> Observable {
        Observable(source: { observer in make().source(observer) })
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
