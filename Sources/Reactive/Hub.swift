public import Synchronization

/// A value behind a lock: the only way in which this module locks.
///
/// It is not a `Mutex<Value>` because that has no fixed layout inside a generic class: to release such an object the
/// runtime looks up three types by their arguments, which takes longer than everything else a subscription costs.
// Sendable: `value` is Sendable, and only `withLock` touches it, one thread at a time. For the same reason its exclusivity
// needs no check at run time; a re-entrant call deadlocks or traps in the lock, as with any `Mutex`.
@usableFromInline
class Locked<Value: Sendable>: @unchecked Sendable {
    @usableFromInline let lock = Mutex<Void>(())
    @exclusivity(unchecked) @usableFromInline var value: Value

    @inlinable init(_ value: Value) { self.value = value }

    @inlinable final func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        lock.withLock { _ in body(&value) }
    }

    @inlinable final var current: Value { withLock { $0 } }

    /// - Returns: the previous value, for the caller to release outside the lock: its deinitialiser may send.
    @discardableResult
    @inlinable final func exchange(_ new: Value) -> Value {
        withLock { value in
            defer { value = new }
            return value
        }
    }
}

/// What waits for the element that is being delivered.
@usableFromInline
struct SerialQueue<Item: Sendable>: Sendable {
    @usableFromInline var isDelivering = false
    @usableFromInline var arrived: [Item] = []
    /// In reverse, so that taking the next one moves nothing.
    @usableFromInline var upNext: [Item] = []

    @inlinable init() {}

    /// - Returns: whether the caller is to deliver `item` now, and then all that ``next()`` returns; otherwise it waits.
    @inlinable mutating func enqueue(_ item: Item) -> Bool {
        if isDelivering { arrived.append(item) }
        defer { isDelivering = true }
        return !isDelivering
    }

    /// Oldest first.
    @inlinable var waiting: [Item] { upNext.reversed() + arrived }

    /// The next item, or `nil` if all are delivered.
    @inlinable mutating func next() -> Item? {
        if upNext.isEmpty {
            isDelivering = !arrived.isEmpty
            guard isDelivering else { return nil }
            upNext = arrived.reversed()
            arrived = []
        }
        return upNext.popLast()
    }
}

/// A ``Hub`` for one observer, without the bookkeeping for many: each subscription has one. It passes no element once it is
/// closed.
// Sendable: adds no stored properties to `Locked`.
@usableFromInline
final class Gate<Element: Sendable>: Locked<GateState<Element>>, @unchecked Sendable {
    @inlinable init(_ observer: @escaping @Sendable (Element) -> Void) {
        super.init(GateState(observer: GateState.Observer(receive: observer)))
    }

    @inlinable func send(_ element: Element) {
        if let observer = withLock({ $0.enqueue(element) }) { deliver(element, to: observer) }
    }

    /// Makes this delivery, and all that are enqueued meanwhile.
    @inlinable func deliver(_ first: Element, to observer: GateState<Element>.Observer) {
        observer.receive(first)
        while let (element, observer) = withLock({ $0.next() }) { observer.receive(element) }
    }

    /// - Returns: what it had, for the caller to release.
    @discardableResult
    @inlinable func close() -> GateState<Element> { exchange(GateState(observer: nil)) }
}

@usableFromInline
struct GateState<Element: Sendable>: Sendable {
    /// A closure that moves into or out of an optional by itself is wrapped, with an allocation; as a field it is not.
    @usableFromInline
    struct Observer: Sendable {
        @usableFromInline let receive: @Sendable (Element) -> Void

        @inlinable init(receive: @escaping @Sendable (Element) -> Void) { self.receive = receive }
    }

    /// `nil` once closed.
    @usableFromInline var observer: Observer?
    @usableFromInline var queue = SerialQueue<Element>()

    @inlinable init(observer: Observer?) { self.observer = observer }

    /// - Returns: the observer, if the caller is to call it with `element` now, and then with all that ``next()`` returns.
    @inlinable mutating func enqueue(_ element: Element) -> Observer? {
        guard let observer, queue.enqueue(element) else { return nil }
        return observer
    }

    @inlinable mutating func next() -> (Element, Observer)? {
        guard let element = queue.next(), let observer else { return nil }
        return (element, observer)
    }
}

/// A source's subscribers: what is sent to it goes to all of them, one element at a time.
///
/// A caller that finds the hub idle delivers its own element and then what has arrived meanwhile. So a send from within a
/// delivery never recurses, and a send from another thread never waits.
// Sendable: adds no stored properties to `Locked`.
@usableFromInline
final class Hub<Element: Sendable>: Locked<HubState<Element>>, @unchecked Sendable {
    /// - Parameter isReplaying: whether a subscriber begins with the latest element, if there is one.
    @inlinable init(isReplaying: Bool) { super.init(HubState(isReplaying: isReplaying)) }

    @inlinable func send(_ element: Element) {
        // The replaced element is part of the result so that it is released outside the lock: its deinitialiser may send.
        let enqueued = withLock { $0.enqueue(element) }
        if let delivery = enqueued.delivery { deliver(delivery) }
    }

    /// Sends `element` unless another has been sent since there were `sent`.
    ///
    /// - Returns: whether it was sent.
    @inlinable func send(_ element: Element, ifStill sent: Int) -> Bool {
        let enqueued = withLock { $0.sent == sent ? $0.enqueue(element) : nil }
        if let delivery = enqueued?.delivery { deliver(delivery) }
        return enqueued != nil
    }

    /// Makes this delivery, and all that are enqueued meanwhile.
    @inlinable func deliver(_ first: HubState<Element>.Delivery) {
        var current: HubState<Element>.Delivery? = first
        while let delivery = current {
            var id = 0
            while let subscriber = withLock({ $0.next(of: delivery, after: id) }) {
                id = subscriber.id
                subscriber.receive(delivery.element)
            }
            current = withLock { $0.queue.next() }
        }
    }

    @inlinable func asObservable() -> Observable<Element> {
        Observable(source: { observer in
            let id = self.add(observer)
            return Disposable.idempotent { _ = self.remove(id) }
        })
    }

    /// - Returns: the subscriber's ID.
    @inlinable func add(_ observer: @escaping @Sendable (Element) -> Void) -> Int {
        let (id, latest) = withLock { $0.add(observer) }
        if let latest {
            observer(latest)
            while let element = withLock({ $0.nextOfBacklog(id) }) { observer(element) }
        }
        return id
    }

    /// - Returns: whether there was such a subscriber.
    @inlinable func remove(_ id: Int) -> Bool {
        // The subscriber is part of the result so that it is released outside the lock: a deinitialiser may send.
        let removed = withLock { $0.remove(id) }
        return removed != nil
    }
}

/// The bookkeeping of a ``Hub``: its subscribers and the elements on their way to them.
///
/// Subscriber IDs count up in order of subscription. So an element that was sent when the youngest subscriber had ID `n` is
/// for those up to `n` who are still there, whatever has happened meanwhile.
@usableFromInline
struct HubState<Element: Sendable>: Sendable {
    @usableFromInline
    struct Subscriber: Sendable {
        @usableFromInline let id: Int
        @usableFromInline let receive: @Sendable (Element) -> Void
        /// What was sent while the subscriber is being called with the latest element, or `nil` once it has caught up.
        @usableFromInline var backlog: [Element]?

        @inlinable init(_ id: Int, _ receive: @escaping @Sendable (Element) -> Void, backlog: [Element]?) {
            self.id = id
            self.receive = receive
            self.backlog = backlog
        }
    }

    /// An element on its way to those up to `lastID`.
    @usableFromInline typealias Delivery = (element: Element, lastID: Int)

    @usableFromInline let isReplaying: Bool
    /// In order of their IDs.
    @usableFromInline var subscribers: [Subscriber] = []
    @usableFromInline var lastID = 0
    /// How many elements were sent: shows whether the latest one is still the latest.
    @usableFromInline var sent = 0
    /// One at most. An array because releasing an optional of a generic type is as slow as releasing a `Mutex` of one
    /// (see ``Locked``).
    @usableFromInline var latest: [Element] = []
    @usableFromInline var queue = SerialQueue<Delivery>()

    @inlinable init(isReplaying: Bool) { self.isReplaying = isReplaying }

    /// - Returns: the subscriber's ID, and the latest element if it begins with that. Then the caller calls the subscriber with
    ///   it, and after it with everything that ``nextOfBacklog(_:)`` returns.
    @inlinable mutating func add(_ observer: @escaping @Sendable (Element) -> Void) -> (id: Int, latest: Element?) {
        lastID += 1
        if subscribers.isEmpty {
            // Most sources have a few subscribers, and growing to four one by one takes three allocations.
            subscribers.reserveCapacity(4)
        }
        subscribers.append(Subscriber(lastID, observer, backlog: latest.isEmpty ? nil : []))
        return (lastID, latest.first)
    }

    @inlinable mutating func remove(_ id: Int) -> Subscriber? { index(of: id).map { subscribers.remove(at: $0) } }

    /// Fixes the place of `element` among all others.
    ///
    /// - Returns: the delivery, if the caller is to make it now together with all that the queue has after it; and
    ///   the element that was the latest before.
    @inlinable mutating func enqueue(_ element: Element) -> (delivery: Delivery?, replaced: Element?) {
        let replaced = isReplaying ? latest.popLast() : nil
        if isReplaying { latest.append(element) }
        sent += 1
        guard !subscribers.isEmpty, queue.enqueue((element, lastID)) else { return (nil, replaced) }
        return ((element, lastID), replaced)
    }

    /// Whom to call with the element after the subscriber `id`. For those that are still catching up it is put into their
    /// backlog.
    @inlinable mutating func next(of delivery: Delivery, after id: Int) -> Subscriber? {
        for index in subscribers.indices where subscribers[index].id > id && subscribers[index].id <= delivery.lastID {
            guard subscribers[index].backlog?.append(delivery.element) != nil else { return subscribers[index] }
        }
        return nil
    }

    /// What a subscriber that was called with the latest element is to be called with next, or `nil` if it has caught up.
    @inlinable mutating func nextOfBacklog(_ id: Int) -> Element? {
        guard let index = index(of: id), let backlog = subscribers[index].backlog else { return nil }
        if backlog.isEmpty {
            subscribers[index].backlog = nil
            return nil
        }
        return subscribers[index].backlog?.removeFirst()
    }

    @inlinable func index(of id: Int) -> Int? { subscribers.firstIndex { $0.id == id } }
}
