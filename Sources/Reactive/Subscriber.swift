import Synchronization

/// A value behind a lock, shared by closures: the only way in which this module locks.
final class Locked<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) { mutex = Mutex(value) }

    var value: Value { mutex.withLock { $0 } }

    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { mutex.withLock { body(&$0) } }

    /// - Returns: the previous value, for the caller to release outside the lock: its deinitialiser may send.
    @discardableResult
    func exchange(_ new: Value) -> Value {
        withLock { value in
            defer { value = new }
            return value
        }
    }
}

/// An observer that is called with one element at a time, and with none once it is closed.
///
/// A caller that finds it idle delivers its own element and then what has arrived meanwhile. So a send from within a
/// delivery never recurses, and a send from another thread never waits.
final class Subscriber<Element: Sendable>: Sendable {
    private struct State: Sendable {
        /// Nil once closed.
        var observer: (@Sendable (Element) -> Void)?
        var isDelivering = false
        var arrived: [Element] = []
        /// The elements to deliver, the last one first, so that taking the next one moves nothing.
        var upNext: [Element] = []

        mutating func enqueue(_ element: Element) -> Bool {
            guard observer != nil else { return false }
            arrived.append(element)
            defer { isDelivering = true }
            return !isDelivering
        }

        mutating func next() -> (observer: @Sendable (Element) -> Void, element: Element)? {
            if upNext.isEmpty { (upNext, arrived) = (arrived.reversed(), []) }
            isDelivering = !upNext.isEmpty
            guard let observer, let element = upNext.popLast() else { return nil }
            return (observer, element)
        }
    }

    private let state: Locked<State>

    init(_ observer: @escaping @Sendable (Element) -> Void) { state = Locked(State(observer: observer)) }

    func receive(_ element: Element) { if enqueue(element) { deliver() } }

    /// - Returns: whether the caller is to call ``deliver()``; otherwise somebody else is delivering.
    func enqueue(_ element: Element) -> Bool { state.withLock { $0.enqueue(element) } }

    func deliver() {
        while let next = state.withLock({ $0.next() }) { next.observer(next.element) }
    }

    /// - Returns: what was waiting, the oldest first.
    @discardableResult
    func close() -> [Element] {
        let closed = state.exchange(State(observer: nil))
        return closed.upNext.reversed() + closed.arrived
    }
}

/// The subscribers of a source: what is sent to it goes to all of them, one element at a time and in one order.
final class Hub<Element: Sendable>: Sendable {
    private struct State: Sendable {
        var subscribers: [Subscriber<Element>] = []
        var latest: Element?
        /// How many elements were sent: shows whether the latest one is still the latest.
        var sentCount = 0
    }

    private let isReplaying: Bool
    private let state = Locked(State())
    /// Each element with those who were subscribed when it was sent.
    private let deliveries = Subscriber<(element: Element, subscribers: [Subscriber<Element>])> { delivery in
        for subscriber in delivery.subscribers { subscriber.receive(delivery.element) }
    }

    /// - Parameter isReplaying: whether a subscriber begins with the latest element, if there is one.
    init(isReplaying: Bool) { self.isReplaying = isReplaying }

    /// The element sent last and how many were sent; nil where there is none.
    var latest: (element: Element, sentCount: Int)? {
        state.withLock { state in state.latest.map { ($0, state.sentCount) } }
    }

    func send(_ element: Element) { _ = send(element, ifStill: nil) }

    /// - Parameter count: sends nothing if not so many were sent by now.
    /// - Returns: whether it was sent.
    func send(_ element: Element, ifStill count: Int?) -> Bool {
        // The replaced element leaves the lock before it is released: its deinitialiser may send.
        let (isSent, isToBeDelivered, _) = state.withLock { state -> (Bool, Bool, Element?) in
            guard count == nil || count == state.sentCount else { return (false, false, nil) }
            let replaced = state.latest
            if isReplaying { state.latest = element }
            state.sentCount += 1
            return (true, deliveries.enqueue((element, state.subscribers)), replaced)
        }
        if isToBeDelivered { deliveries.deliver() }
        return isSent
    }

    func subscribe(_ observer: @escaping @Sendable (Element) -> Void) -> Disposable {
        let subscriber = Subscriber(observer)
        let hasLatest = state.withLock { state in
            state.subscribers.append(subscriber)
            return state.latest.map(subscriber.enqueue) ?? false
        }
        if hasLatest { subscriber.deliver() }
        return Disposable {
            subscriber.close()
            self.state.withLock { $0.subscribers.removeAll { $0 === subscriber } }
        }
    }

    func asObservable() -> Observable<Element> { Observable(subscribe) }
}
