/// A stream of elements to which one can subscribe: ordered, synchronous, never failing, without an end.
///
/// An observable is a recipe. Each subscription runs it anew and makes exactly one subscription to each of its sources.
/// A subscriber is called with one element at a time. Streams do not complete and do not fail: a subscription ends when
/// it is disposed, and errors travel as elements. See <doc:Reactive> for the whole law.
public struct Observable<Element: Sendable>: Sendable {
    /// Connects an observer, and returns how to disconnect it. A source calls its observer with one element at a time,
    /// and releases it when disposed; every operator relies on both.
    @usableFromInline let source: @Sendable (@escaping @Sendable (Element) -> Void) -> Disposable

    /// For sources that keep the rule of ``source`` themselves.
    @inlinable
    init(source: @escaping @Sendable (@escaping @Sendable (Element) -> Void) -> Disposable) {
        self.source = source
    }

    /// An observable of one's own.
    ///
    /// - Parameter subscribe: Run at each subscription with the observer to call for each element, on any thread: calls
    ///   that come at the same time, or from within each other, are put in order. Returns how to stop. The observer is
    ///   deaf, and lets go of the subscriber, from the moment the subscription is disposed.
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
    ///   just then. It may send, subscribe and dispose as it likes.
    /// - Returns: Ends the subscription. The subscription does not end by letting go of this.
    @inlinable
    public func subscribe(_ onNext: @escaping @Sendable (Element) -> Void) -> Disposable {
        // An outlet of its own, although sources have theirs: an operator's closure may dispose the subscription while
        // an element is on its way.
        let outlet = Outlet(onNext)
        let upstream = source(outlet.send)
        return Disposable {
            outlet.close()
            upstream.dispose()
        }
    }

    /// What `make` returns, made anew for each subscription: so that what a chain remembers outside its operators, in a
    /// relay of its own, is that subscription's alone.
    @inlinable
    public static func deferred(_ make: @escaping @Sendable () -> Observable) -> Observable {
        Observable(source: { observer in make().source(observer) })
    }

    /// Emits `element` at subscription, and is silent from then on.
    @inlinable
    public static func just(_ element: Element) -> Observable {
        Observable(source: { observer in
            observer(element)
            return Disposable()
        })
    }

    /// Emits nothing.
    @inlinable
    public static func never() -> Observable {
        Observable(source: { _ in Disposable() })
    }
}
