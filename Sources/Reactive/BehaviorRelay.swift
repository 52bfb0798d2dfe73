/// A source that remembers its latest element, and begins every subscription with it.
///
/// Delivers as ``PublishRelay`` does. A subscriber receives the value that is current when it subscribes, exactly once and
/// before `subscribe` returns, and then every later one in order, even if others send at the same moment.
public final class BehaviorRelay<Element: Sendable>: Sendable {
    /// It has a latest element from the first.
    @usableFromInline let hub = Hub<Element>(.latest)

    /// A relay whose current value is `value`.
    @inlinable
    public init(value: Element) {
        hub.send(value)
    }

    /// The element accepted last. It is current as soon as it is accepted, even if its delivery has to wait for another.
    @inlinable
    public var value: Element {
        hub.withLock { $0.latest[0] }
    }

    /// Makes `element` the current value and sends it to every subscriber.
    @inlinable
    public func accept(_ element: Element) {
        hub.send(element)
    }

    /// Makes another value of the current one and sends it, as one step: what others send is never lost in between.
    ///
    /// - Parameter change: Run with no lock held, and run again on the newer value if another thread has sent one meanwhile:
    ///   so it has no effect but on the value, which it does not let go of to where it might send.
    @inlinable
    public func update(_ change: (inout Element) -> Void) {
        while true {
            var (value, sent) = hub.withLock { ($0.latest[0], $0.sent) }
            change(&value)
            if hub.send(value, ifStill: sent) { return }
        }
    }

    /// The current value, and from then on what this relay sends.
    @inlinable
    public func asObservable() -> Observable<Element> {
        hub.asObservable()
    }
}
