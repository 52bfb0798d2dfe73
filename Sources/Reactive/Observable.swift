/// A stream of elements to which one can subscribe: ordered, synchronous, never failing, without an end.
///
/// An observable is a recipe. Each subscription runs it anew and makes exactly one subscription to each of its sources.
/// A subscriber is called with one element at a time. Streams do not complete and do not fail: a subscription ends when
/// it is disposed, and errors travel as elements. See <doc:Reactive> for all guarantees.
public struct Observable<Element: Sendable>: Sendable {
    private let connect: @Sendable (@escaping @Sendable (Element) -> Void) -> Disposable

    /// An observable made from a closure.
    ///
    /// - Parameter connect: Run at each subscription with the observer to call for each element, on any thread: calls
    ///   that overlap, or come from within each other, are queued. Returns how to stop. Once the subscription is
    ///   disposed, the observer ignores calls and has released the subscriber.
    public init(_ connect: @escaping @Sendable (_ observer: @escaping @Sendable (Element) -> Void) -> Disposable) {
        self.connect = connect
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

    /// Emits each element where `run` runs it: `{ queue.async(execute: $0) }` for a serial queue.
    ///
    /// - Parameter run: Runs what it is given, one after another in the order in which it is called. What it runs after
    ///   the subscription was disposed does nothing.
    public func observe(
        on run: @escaping @Sendable (_ delivery: @escaping @Sendable () -> Void) -> Void
    ) -> Observable {
        Observable { observer in subscribe { element in run { observer(element) } } }
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
        let current = Locked<Connection<Element>?>(nil)
        return Observable { observer in
            let (hub, isFirst) = current.withLock { current in
                var connection = current ?? Connection<Element>()
                connection.subscriberCount += 1
                current = connection
                return (connection.hub, connection.subscriberCount == 1)
            }
            let subscription = hub.subscribe(observer)
            if isFirst {
                let upstream = subscribe(hub.send)
                let isConnected = current.withLock { current in
                    guard current?.hub === hub else { return false }
                    current?.upstream = upstream
                    return true
                }
                // An element has made all subscribers leave again.
                if !isConnected { upstream.dispose() }
            }
            return Disposable {
                subscription.dispose()
                let abandoned = current.withLock { current -> Connection<Element>? in
                    current?.subscriberCount -= 1
                    guard let connection = current, connection.subscriberCount == 0 else { return nil }
                    current = nil
                    return connection
                }
                abandoned?.upstream.dispose()
            }
        }
    }
}

/// A hub for each connection, so that a late element of one does not reach the subscribers of the next.
private struct Connection<Element: Sendable>: Sendable {
    let hub = Hub<Element>(isReplaying: true)
    var upstream = Disposable()
    var subscriberCount = 0
}
