/// A stream of elements to which one can subscribe: ordered, synchronous, never failing, without an end.
///
/// An observable is a recipe. Each subscription runs it anew and makes exactly one subscription to each of its sources.
/// A subscriber is called with one element at a time. Streams do not complete and do not fail: a subscription ends when
/// it is disposed, and errors travel as elements. See <doc:Reactive> for all guarantees.
public struct Observable<Element: Sendable>: Sendable {
    private let connect: @Sendable (@escaping @Sendable (Element) -> Void) -> Disposable
    /// The latest element of a relay that remembers it, as soon as the relay has accepted it; nil for other streams.
    let latest: (@Sendable () -> Element)?

    /// An observable made from a closure.
    ///
    /// - Parameter connect: Run at each subscription with the observer to call for each element, on any thread: calls
    ///   that overlap, or come from within each other, are queued. Returns how to stop. Once the subscription is
    ///   disposed, the observer ignores calls and has released the subscriber.
    public init(_ connect: @escaping @Sendable (_ observer: @escaping @Sendable (Element) -> Void) -> Disposable) {
        self.init(connect, latest: nil)
    }

    init(
        _ connect: @escaping @Sendable (@escaping @Sendable (Element) -> Void) -> Disposable,
        latest: (@Sendable () -> Element)?
    ) {
        (self.connect, self.latest) = (connect, latest)
    }

    /// Begins to call `onNext` with the elements of this stream.
    ///
    /// - Parameter onNext: Called with one element at a time. It may send, subscribe and dispose.
    /// - Returns: Ends the subscription when disposed. Releasing it does not.
    public func subscribe(_ onNext: @escaping @Sendable (Element) -> Void) -> Disposable {
        let subscriber = Subscriber(onNext)
        let upstream = connect(subscriber.receive)
        return Disposable {
            subscriber.close()
            upstream.dispose()
        }
    }

    /// Sends every element to `relay`, until disposed.
    public func bind(to relay: BehaviorRelay<Element>) -> Disposable { subscribe(relay.accept) }

    /// The elements as an asynchronous sequence, for one consumer.
    ///
    /// Subscribes when it is made and loses nothing: what the consumer has not asked for yet is buffered, without
    /// bound. The subscription ends when the consuming task is cancelled, or when the sequence and its iterators are
    /// released.
    public var values: AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .unbounded)
        let subscription = subscribe { continuation.yield($0) }
        continuation.onTermination = { _ in subscription.dispose() }
        return stream
    }

    /// Calls `onNext` on the main actor, for a user interface: with every element, in order, some time after it was
    /// sent. After disposing on the main actor it is not called any more.
    public func subscribeOnMainActor(_ onNext: @escaping @MainActor @Sendable (Element) -> Void) -> Disposable {
        let values = values
        let task = Task { @MainActor in
            for await value in values {
                if Task.isCancelled { return }
                onNext(value)
            }
        }
        return Disposable { task.cancel() }
    }

    /// The same elements, by one subscription to this for all subscribers together. A later subscriber begins with the
    /// latest element, if there is one. The first starts the subscription; the last to dispose ends it and forgets the
    /// element.
    public func shareReplayingLatest() -> Observable {
        // A hub for each connection, so that a late element of one does not reach the subscribers of the next.
        let current = Locked<(hub: Hub<Element>, upstream: DisposeBag, subscriberCount: Int)?>(nil)
        return Observable { observer in
            let (hub, upstream, earlierCount) = current.withLock { current in
                let (hub, upstream, count) = current ?? (Hub(isReplaying: true), DisposeBag(), 0)
                current = (hub, upstream, count + 1)
                return (hub, upstream, count)
            }
            let subscription = hub.subscribe(observer)
            // An element may make all subscribers leave again, before this is in the bag that the last one disposes.
            if earlierCount == 0 { subscribe(hub.send).disposed(by: upstream) }
            return Disposable {
                subscription.dispose()
                let isLast = current.withLock { current in
                    current?.subscriberCount -= 1
                    guard current?.subscriberCount == 0 else { return false }
                    current = nil
                    return true
                }
                if isLast { upstream.dispose() }
            }
        }
    }
}
