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

    /// The current value, and from then on what this relay sends.
    @inlinable
    public func asObservable() -> Observable<Element> {
        Observable(source: hub.attach)
    }

    /// `next` runs under the lock: it must be the module's own code.
    @inlinable
    func replace(_ next: (Element) -> Element) {
        hub.send { next($0.latest[0]) }
    }
}
