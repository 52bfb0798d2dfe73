/// A source's subscribers behind a lock: what is sent to it goes to all of them.
// Sendable: adds no stored properties to `Locked`.
@usableFromInline
final class Hub<Element: Sendable>: Locked<Subscribers<Element>>, @unchecked Sendable {
    @inlinable
    init(_ memory: Subscribers<Element>.Memory) { super.init(Subscribers(memory)) }

    @inlinable
    func send(_ element: Element) {
        // The replaced element is part of the result so that it is released outside the lock: its deinitialiser may send.
        let enqueued = withLock { $0.enqueue(element) }
        if let delivery = enqueued.delivery {
            deliver(delivery)
        }
    }

    /// Sends `element` unless another has been sent since there were `sent`.
    ///
    /// - Returns: whether it was sent.
    @inlinable
    func send(_ element: Element, ifStill sent: Int) -> Bool {
        let enqueued = withLock { $0.sent == sent ? $0.enqueue(element) : nil }
        if let delivery = enqueued?.delivery {
            deliver(delivery)
        }
        return enqueued != nil
    }

    /// Makes this delivery, and all that are enqueued meanwhile.
    @inlinable
    func deliver(_ delivery: Subscribers<Element>.Delivery) {
        var current: Subscribers<Element>.Delivery? = delivery
        while let delivery = current {
            var cursor = Subscribers<Element>.Cursor()
            while let observer = withLock({ $0.next(of: delivery, &cursor) }) {
                observer.receive(delivery.element)
            }
            current = withLock { $0.queue.next() }
        }
    }

    @inlinable
    func asObservable() -> Observable<Element> { Observable(source: attach) }

    @inlinable
    func attach(_ observer: @escaping @Sendable (Element) -> Void) -> Disposable {
        let id = add(observer)
        return Disposable.idempotent { _ = self.remove(id) }
    }

    /// - Returns: the subscriber's ID.
    @inlinable
    func add(_ observer: @escaping @Sendable (Element) -> Void) -> Int {
        let (id, latest) = withLock { $0.add(Observer(observer)) }
        if let latest {
            observer(latest)
            while let element = withLock({ $0.nextOfBacklog(id) }) {
                observer(element)
            }
        }
        return id
    }

    /// - Returns: whether there was such a subscriber.
    @inlinable
    func remove(_ id: Int) -> Bool {
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
struct Subscribers<Element: Sendable>: Sendable {
    /// What a source does for later subscribers.
    @usableFromInline
    enum Memory: Sendable {
        case none
        /// They begin with the latest element, if there is one.
        case latest
    }

    @usableFromInline
    struct Subscriber: Sendable {
        @usableFromInline let id: Int
        @usableFromInline let observer: Observer<Element>
        /// What was sent while the subscriber is being called with the latest element, or `nil` once it has caught up.
        @usableFromInline var backlog: [Element]?

        @inlinable
        init(id: Int, observer: Observer<Element>, backlog: [Element]?) {
            self.id = id
            self.observer = observer
            self.backlog = backlog
        }
    }

    /// An element on its way to those who were subscribed when it was sent.
    @usableFromInline
    struct Delivery: Sendable {
        @usableFromInline let element: Element
        @usableFromInline let lastID: Int

        @inlinable
        init(element: Element, lastID: Int) {
            self.element = element
            self.lastID = lastID
        }
    }

    /// How far a delivery has come.
    @usableFromInline
    struct Cursor: Sendable {
        /// The subscriber called last.
        @usableFromInline var id = 0
        /// Where the next one is, unless somebody has left meanwhile.
        @usableFromInline var index = 0

        @inlinable
        init() {}
    }

    /// In order of their IDs.
    @usableFromInline var all: [Subscriber] = []
    @usableFromInline var lastID = 0
    /// How many elements were sent: shows whether the latest one is still the latest.
    @usableFromInline var sent = 0
    @usableFromInline var queue = SerialQueue<Delivery>()
    @usableFromInline let memory: Memory
    /// One at most. An array because releasing an optional of a generic type is as slow as releasing a `Mutex` of one
    /// (see ``Locked``).
    @usableFromInline var latest: [Element] = []

    @inlinable
    init(_ memory: Memory) { self.memory = memory }

    /// - Returns: the subscriber's ID, and the latest element if it begins with that. Then the caller calls the subscriber with
    ///   it, and after it with everything that ``nextOfBacklog(_:)`` returns.
    @inlinable
    mutating func add(_ observer: Observer<Element>) -> (id: Int, latest: Element?) {
        lastID += 1
        if all.isEmpty {
            // Most sources have a few subscribers, and growing to four one by one takes three allocations.
            all.reserveCapacity(4)
        }
        all.append(Subscriber(id: lastID, observer: observer, backlog: latest.isEmpty ? nil : []))
        return (lastID, latest.first)
    }

    @inlinable
    mutating func remove(_ id: Int) -> Subscriber? {
        guard let index = index(of: id) else { return nil }
        return all.remove(at: index)
    }

    /// Fixes the place of `element` among all others.
    ///
    /// - Returns: the delivery, if the caller is to make it now together with all that `queue.next()` returns after it; and the
    ///   element that was the latest before.
    @inlinable
    mutating func enqueue(_ element: Element) -> (delivery: Delivery?, replaced: Element?) {
        let replaced = remember(element)
        sent += 1
        guard !all.isEmpty else { return (nil, replaced) }
        let delivery = Delivery(element: element, lastID: lastID)
        return (queue.enqueue(delivery) ? delivery : nil, replaced)
    }

    @inlinable
    mutating func remember(_ element: Element) -> Element? {
        guard memory == .latest else { return nil }
        guard let replaced = latest.first else {
            latest.append(element)
            return nil
        }
        latest[0] = element
        return replaced
    }

    /// Whom to call next with the element. For subscribers that are still catching up it is put into their backlog.
    @inlinable
    mutating func next(of delivery: Delivery, _ cursor: inout Cursor) -> Observer<Element>? {
        if cursor.index > all.count || (cursor.index > 0 && all[cursor.index - 1].id != cursor.id) {
            cursor.index = all.firstIndex { $0.id > cursor.id } ?? all.count
        }
        while cursor.index < all.count, all[cursor.index].id <= delivery.lastID {
            cursor.id = all[cursor.index].id
            cursor.index += 1
            guard all[cursor.index - 1].backlog?.append(delivery.element) != nil else {
                return all[cursor.index - 1].observer
            }
        }
        return nil
    }

    /// What a subscriber that was called with the latest element is to be called with next, or `nil` if it has caught up.
    @inlinable
    mutating func nextOfBacklog(_ id: Int) -> Element? {
        guard let index = index(of: id), let backlog = all[index].backlog else { return nil }
        if backlog.isEmpty {
            all[index].backlog = nil
            return nil
        }
        return all[index].backlog?.removeFirst()
    }

    @inlinable
    func index(of id: Int) -> Int? { all.firstIndex { $0.id == id } }
}
