public import Synchronization

/// A source that remembers its latest element, and begins every subscription with it.
///
/// Delivers as ``PublishRelay`` does. A subscriber receives the value that is current when it subscribes, exactly once and
/// before `subscribe` returns, and then every later one in order, even if others send at the same moment.
public final class BehaviorRelay<Element: Sendable>: Sendable {
    /// Held while a value takes its place in the relay, so that the values have the same order here and there.
    @usableFromInline let current: Mutex<Element>
    @usableFromInline let relay = PublishRelay<Element>()

    /// A relay whose current value is `value`.
    @inlinable
    public init(value: Element) {
        current = Mutex(value)
    }

    /// The element accepted last. It is current as soon as it is accepted, even if its delivery has to wait for another.
    @inlinable
    public var value: Element {
        current.withLock { $0 }
    }

    /// Makes `element` the current value and sends it to every subscriber.
    @inlinable
    public func accept(_ element: Element) {
        replace { _ in element }
    }

    /// The current value, and from then on what this relay sends.
    @inlinable
    public func asObservable() -> Observable<Element> {
        Observable(source: attach)
    }

    /// `next` runs under the lock: it must be the module's own code.
    @inlinable
    func replace(_ next: (Element) -> Element) {
        // The older value is handed out because its deinitialiser must not run under the lock.
        let (_, delivery) = current.withLock { current in
            let older = current
            current = next(older)
            return (older, relay.claim(current))
        }
        if let delivery {
            relay.deliver(delivery)
        }
    }

    @inlinable
    func attach(_ observer: @escaping @Sendable (Element) -> Void) -> Disposable {
        let outlet = Outlet(observer)
        // The replay claims the outlet before anybody else can: whatever is sent meanwhile queues up behind it.
        let (value, claimed, subscription) = current.withLock { current in
            (current, outlet.claim(current), relay.attach(outlet))
        }
        if let claimed {
            outlet.deliver(value, to: claimed)
        }
        return subscription
    }
}
