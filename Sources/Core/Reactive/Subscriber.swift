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

/// Deliveries that run one at a time, in order, and not at all once it is closed.
///
/// A caller that finds it idle runs its own delivery and then what has arrived meanwhile. So a send from within a
/// delivery never recurses, and a send from another thread never waits. It knows nothing of elements: what depends on
/// their type is looked up at run time, again and again, where another module chose it.
final class DeliveryQueue: Sendable {
    private struct State: Sendable {
        var isClosed = false
        var isDelivering = false
        var arrived: [@Sendable () -> Void] = []
        /// The last one first, so that taking the next one moves nothing.
        var upNext: [@Sendable () -> Void] = []
    }

    private let state = Locked(State())

    /// - Returns: whether the caller is to call ``deliver()``; otherwise somebody else is delivering.
    func enqueue(_ delivery: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.arrived.append(delivery)
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            if state.upNext.isEmpty { (state.upNext, state.arrived) = (state.arrived.reversed(), []) }
            state.isDelivering = !state.upNext.isEmpty
            return state.upNext.popLast()
        }
    }

    func deliver() { while let delivery = next() { delivery() } }

    /// Drops what was waiting.
    func close() { state.exchange(State(isClosed: true)) }
}

/// An observer that is called with one element at a time, and with none once it is closed.
final class Subscriber<Element: Sendable>: Sendable {
    let deliveries = DeliveryQueue()
    /// Nil once closed.
    private let observer: Locked<(@Sendable (Element) -> Void)?>

    init(_ observer: @escaping @Sendable (Element) -> Void) { self.observer = Locked(observer) }

    func receive(_ element: Element) { if enqueue(element) { deliveries.deliver() } }

    func enqueue(_ element: Element) -> Bool { deliveries.enqueue { self.observer.value?(element) } }

    func close() {
        deliveries.close()
        observer.exchange(nil)
    }
}

/// The subscribers of a source: what is sent to it goes to all of them, one element at a time and in one order.
final class Hub<Element: Sendable>: Sendable {
    private struct State: Sendable {
        var subscribers: [Subscriber<Element>] = []
        /// How many elements were sent: shows whether the latest one is still the latest.
        var sentCount = 0
        var latest: Element?
    }

    private let isReplaying: Bool
    private let state = Locked(State())
    /// Each element with those who were subscribed when it was sent.
    private let deliveries = DeliveryQueue()

    /// - Parameter isReplaying: whether a subscriber begins with the latest element, if there is one.
    init(isReplaying: Bool) { self.isReplaying = isReplaying }

    /// The element sent last and how many were sent; nil where there is none.
    var latest: (element: Element, sentCount: Int)? {
        state.withLock { state in state.latest.map { ($0, state.sentCount) } }
    }

    func send(_ element: Element) { _ = send(element, ifStill: nil) }

    /// - Parameter count: sends nothing unless that many values were sent by now.
    /// - Returns: whether it was sent.
    func send(_ element: Element, ifStill count: Int?) -> Bool {
        // The replaced element leaves the lock before it is released: its deinitialiser may send.
        var (replaced, isToBeDelivered): (Element?, Bool) = (isReplaying ? element : nil, false)
        let isSent = state.withLock { state in
            guard count == nil || count == state.sentCount else { return false }
            swap(&state.latest, &replaced)
            state.sentCount += 1
            isToBeDelivered = deliveries.enqueue { [subscribers = state.subscribers] in
                for subscriber in subscribers { subscriber.receive(element) }
            }
            return true
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
        if hasLatest { subscriber.deliveries.deliver() }
        return Disposable {
            subscriber.close()
            self.state.withLock { $0.subscribers.removeAll { $0 === subscriber } }
        }
    }

    func asObservable() -> Observable<Element> { Observable(subscribe) }
}
