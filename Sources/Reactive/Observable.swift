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
    @inlinable
    init(source: @escaping @Sendable (@escaping @Sendable (Element) -> Void) -> Disposable) {
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
            let outlet = Outlet(observer)
            let upstream = subscribe(outlet.send)
            return Disposable.idempotent {
                outlet.close()
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
        let outlet = Outlet(onNext)
        let upstream = source(outlet.send)
        return Disposable {
            outlet.close()
            upstream.dispose()
        }
    }

    /// What `make` returns, made anew for each subscription, so that a relay created inside belongs to that subscription
    /// alone.
    @inlinable
    public static func deferred(_ make: @escaping @Sendable () -> Observable) -> Observable {
        Observable(source: { observer in make().source(observer) })
    }

    /// Emits `element` at subscription and nothing after it.
    @inlinable
    public static func just(_ element: Element) -> Observable {
        Observable(source: { observer in
            observer(element)
            return Disposable()
        })
    }
}

/// A closure to call with elements.
///
/// A bare closure that moves into or out of an optional or a tuple is wrapped, with an allocation each time; as the field
/// of a struct it is not.
@usableFromInline
struct Observer<Element: Sendable>: Sendable {
    @usableFromInline let receive: @Sendable (Element) -> Void

    @inlinable
    init(_ receive: @escaping @Sendable (Element) -> Void) { self.receive = receive }
}

/// A gate in front of one observer: delivers elements one at a time in the order they were sent, from any thread, and none
/// once it is closed.
// Sendable: adds no stored properties to `Locked`.
@usableFromInline
final class Outlet<Element: Sendable>: Locked<OutletState<Element>>, @unchecked Sendable {
    @inlinable
    init(_ observer: @escaping @Sendable (Element) -> Void) {
        super.init(OutletState(observer: Observer(observer)))
    }

    @inlinable
    func send(_ element: Element) {
        guard let observer = withLock({ $0.enqueue(element) }) else { return }
        observer.receive(element)
        while let (element, observer) = withLock({ $0.next() }) {
            observer.receive(element)
        }
    }

    @inlinable
    func close() {
        // The old state is released here, outside the lock, because a deinitialiser may send.
        _ = withLock { state in
            defer { state = OutletState(observer: nil) }
            return state
        }
    }
}

@usableFromInline
struct OutletState<Element: Sendable>: Sendable {
    /// `nil` once closed.
    @usableFromInline var observer: Observer<Element>?
    @usableFromInline var queue = SerialQueue<Element>()

    @inlinable
    init(observer: Observer<Element>?) { self.observer = observer }

    /// - Returns: the observer, if the caller is to call it with `element` now and then with what ``next()`` returns.
    @inlinable
    mutating func enqueue(_ element: Element) -> Observer<Element>? {
        guard let observer, queue.enqueue(element) else { return nil }
        return observer
    }

    @inlinable
    mutating func next() -> (Element, Observer<Element>)? {
        guard let observer, let element = queue.next() else { return nil }
        return (element, observer)
    }
}
