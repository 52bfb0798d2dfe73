public import Synchronization

/// A source that passes on what it is given, and remembers nothing.
///
/// An element goes to those who are subscribed when it is sent, in order of their subscription. A send made while another
/// is being delivered, by a subscriber or by another thread, returns at once, and is delivered right after by whoever
/// is delivering; so all subscribers see one and the same order. No lock is held while a subscriber runs.
public final class PublishRelay<Element: Sendable>: Sendable {
    /// An element on its way to those who were subscribed when it was sent.
    @usableFromInline
    struct Delivery: Sendable {
        @usableFromInline let element: Element
        @usableFromInline let outlets: [Outlet<Element>]

        @inlinable
        init(element: Element, outlets: [Outlet<Element>]) {
            self.element = element
            self.outlets = outlets
        }
    }

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var outlets: [Outlet<Element>] = []
        @usableFromInline var turns = Turns<Delivery>()

        @inlinable
        init() {}
    }

    @usableFromInline let state = Mutex(State())

    /// A relay without subscribers.
    @inlinable
    public init() {}

    /// Sends `element` to every subscriber.
    @inlinable
    public func accept(_ element: Element) {
        if let delivery = claim(element) {
            deliver(delivery)
        }
    }

    /// What this relay sends from the moment of subscription.
    ///
    /// The observable keeps the relay; the relay keeps its subscribers until they dispose.
    @inlinable
    public func asObservable() -> Observable<Element> {
        Observable(source: attach)
    }

    /// Fixes the place of `element` among all others. The caller must `deliver` what is returned; it may do so later,
    /// when it has left its own lock.
    @inlinable
    func claim(_ element: Element) -> Delivery? {
        state.withLock { state in
            guard !state.outlets.isEmpty else { return nil }
            let delivery = Delivery(element: element, outlets: state.outlets)
            return state.turns.enter(delivery) ? delivery : nil
        }
    }

    @inlinable
    func deliver(_ delivery: Delivery) {
        var current: Delivery? = delivery
        while let delivery = current {
            for outlet in delivery.outlets {
                outlet.send(delivery.element)
            }
            current = state.withLock { $0.turns.next() }
        }
    }

    @inlinable
    func attach(_ observer: @escaping @Sendable (Element) -> Void) -> Disposable {
        attach(Outlet(observer))
    }

    @inlinable
    func attach(_ outlet: Outlet<Element>) -> Disposable {
        state.withLock { $0.outlets.append(outlet) }
        return Disposable {
            outlet.close()
            self.state.withLock { state in
                state.outlets.removeAll { $0 === outlet }
            }
        }
    }
}
