public import Synchronization

/// The way to one observer: elements go to it one at a time, in the order in which they were sent, whichever threads
/// they come from, and none goes to it once the outlet is closed.
@usableFromInline
final class Outlet<Element: Sendable>: Sendable {
    @usableFromInline
    typealias Observer = @Sendable (Element) -> Void

    @usableFromInline
    struct State: Sendable {
        /// `nil` once closed.
        @usableFromInline var observer: Observer?
        @usableFromInline var turns = Turns<Element>()

        @inlinable
        init(observer: Observer?) {
            self.observer = observer
        }
    }

    @usableFromInline let state: Mutex<State>

    @inlinable
    init(_ observer: @escaping Observer) {
        state = Mutex(State(observer: observer))
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
    func claim(_ element: Element) -> Observer? {
        state.withLock { state in
            guard let observer = state.observer, state.turns.enter(element) else { return nil }
            return observer
        }
    }

    @inlinable
    func deliver(_ element: Element, to observer: Observer) {
        observer(element)
        while let (element, observer) = next() {
            observer(element)
        }
    }

    @inlinable
    func next() -> (Element, Observer)? {
        state.withLock { state in
            guard let observer = state.observer, let element = state.turns.next() else { return nil }
            return (element, observer)
        }
    }

    /// Releases the observer, and returns the elements that will never reach it.
    @discardableResult
    @inlinable
    func close() -> [Element] {
        // What was there is released by the caller, not under the lock: a deinitialiser may well send.
        let closed = state.withLock { state in
            defer { state = State(observer: nil) }
            return state
        }
        return closed.turns.waiting
    }
}
