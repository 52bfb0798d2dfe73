/// The way to one observer: elements go to it one at a time, in the order in which they were sent, whichever threads
/// they come from, and none goes to it once the outlet is closed.
// Sendable by proof: it is a ``Locked``, whose proof stands there, and stores nothing besides.
@usableFromInline
final class Outlet<Element: Sendable>: Locked<OutletState<Element>>, @unchecked Sendable {
    @inlinable
    init(_ observer: @escaping @Sendable (Element) -> Void) {
        super.init(OutletState(observer: Observer(observer)))
    }

    @inlinable
    func send(_ element: Element) {
        if let observer = claim(element) {
            deliver(element, to: observer)
        }
    }

    /// Fixes the place of `element` among all others. The caller must `deliver` it if an observer is returned;
    /// it may do so later, when it has left its own lock.
    @inlinable
    func claim(_ element: Element) -> Observer<Element>? {
        withLock { state in
            guard let observer = state.observer, state.turns.enter(element) else { return nil }
            return observer
        }
    }

    @inlinable
    func deliver(_ element: Element, to observer: Observer<Element>) {
        observer.receive(element)
        while let (element, observer) = next() {
            observer.receive(element)
        }
    }

    @inlinable
    func next() -> (Element, Observer<Element>)? {
        withLock { state in
            guard let observer = state.observer, let element = state.turns.next() else { return nil }
            return (element, observer)
        }
    }

    /// Releases the observer, and returns the elements that will never reach it.
    @discardableResult
    @inlinable
    func close() -> [Element] {
        // What was there is released by the caller, not under the lock: a deinitialiser may well send.
        let closed = withLock { state in
            defer { state = OutletState(observer: nil) }
            return state
        }
        return closed.turns.waiting
    }
}
