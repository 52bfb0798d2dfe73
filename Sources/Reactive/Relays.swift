/// A source that passes on what it is sent and remembers nothing.
///
/// An element goes to those who are subscribed when it is sent, in order of their subscription. A send made while another
/// is being delivered, by a subscriber or by another thread, returns at once and is delivered right after by the
/// thread that is delivering; so all subscribers see the same order. No lock is held while a subscriber runs.
public final class PublishRelay<Element: Sendable>: Sendable {
    @usableFromInline let hub = Hub<Element>(isReplaying: false)

    /// A relay without subscribers.
    @inlinable
    public init() {}

    /// Sends `element` to every subscriber.
    @inlinable
    public func accept(_ element: Element) { hub.send(element) }

    /// What this relay sends from the moment of subscription.
    ///
    /// The observable retains the relay; the relay retains its subscribers until they dispose.
    @inlinable
    public func asObservable() -> Observable<Element> { hub.asObservable() }
}

/// A source that remembers its latest element and begins every subscription with it.
///
/// Delivers as ``PublishRelay`` does. A subscriber receives the value that is current when it subscribes, exactly once and
/// before `subscribe` returns, and then every later one in order, even if others send at the same moment.
public final class BehaviorRelay<Element: Sendable>: Sendable {
    @usableFromInline let hub = Hub<Element>(isReplaying: true)

    /// A relay whose current value is `value`.
    @inlinable
    public init(value: Element) { hub.send(value) }

    /// The element accepted last. It is current as soon as it is accepted, even if its delivery has to wait for another.
    @inlinable
    public var value: Element { hub.withLock { $0.latest[0] } }

    /// Makes `element` the current value and sends it to every subscriber.
    @inlinable
    public func accept(_ element: Element) { hub.send(element) }

    /// Changes the current value and sends the result, as one step: what others send meanwhile is not lost.
    ///
    /// - Parameter change: Run with no lock held, and run again on the newer value if another thread has sent one meanwhile.
    ///   So it must have no effect but on the value, and must not release anything whose deinitialiser sends.
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
    public func asObservable() -> Observable<Element> { hub.asObservable() }
}
