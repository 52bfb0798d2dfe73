/// A source that passes on what it is given, and remembers nothing.
///
/// An element goes to those who are subscribed when it is sent, in order of their subscription. A send made while another
/// is being delivered, by a subscriber or by another thread, returns at once, and is delivered right after by whoever
/// is delivering; so all subscribers see one and the same order. No lock is held while a subscriber runs.
public final class PublishRelay<Element: Sendable>: Sendable {
    @usableFromInline let hub = Hub<Element>(.none)

    /// A relay without subscribers.
    @inlinable
    public init() {}

    /// Sends `element` to every subscriber.
    @inlinable
    public func accept(_ element: Element) {
        hub.send(element)
    }

    /// What this relay sends from the moment of subscription.
    ///
    /// The observable keeps the relay; the relay keeps its subscribers until they dispose.
    @inlinable
    public func asObservable() -> Observable<Element> {
        hub.asObservable()
    }
}
