/// Who has subscribed to a source, and what is on its way to them. It holds the bookkeeping only: its owner keeps it under a
/// lock, and calls the subscribers with that lock released.
///
/// Subscribers are numbered in order of their subscription. So an element that was sent when the last of them had the
/// number `n` is for those up to `n` who are still there, whatever has happened meanwhile.
@usableFromInline
struct Subscribers<Element: Sendable>: Sendable {
    /// What a source does for those who come later.
    @usableFromInline
    enum Memory: Sendable {
        case none
        /// They begin with the latest element, if there is one.
        case latest
    }

    @usableFromInline
    struct Subscriber: Sendable {
        @usableFromInline let number: Int
        @usableFromInline let observer: Observer<Element>
        /// What was sent while the subscriber is being called with the latest element, or nil once that is done.
        @usableFromInline var backlog: [Element]?

        @inlinable
        init(number: Int, observer: Observer<Element>, backlog: [Element]?) {
            self.number = number
            self.observer = observer
            self.backlog = backlog
        }
    }

    /// An element on its way to those who were subscribed when it was sent.
    @usableFromInline
    struct Delivery: Sendable {
        @usableFromInline let element: Element
        @usableFromInline let lastNumber: Int

        @inlinable
        init(element: Element, lastNumber: Int) {
            self.element = element
            self.lastNumber = lastNumber
        }
    }

    /// How far a delivery has come.
    @usableFromInline
    struct Progress: Sendable {
        /// The number of whoever was called last.
        @usableFromInline var number = 0
        /// Where the next one is, unless somebody has left meanwhile.
        @usableFromInline var index = 0

        @inlinable
        init() {}
    }

    /// In order of their numbers.
    @usableFromInline var all: [Subscriber] = []
    @usableFromInline var lastNumber = 0
    /// How many elements were sent: tells whether the latest one is still the latest.
    @usableFromInline var sent = 0
    @usableFromInline var turns: Turns<Delivery>
    @usableFromInline let memory: Memory
    /// One at most. An optional of a generic type is as dear to let go of as a `Mutex` of one (``Locked``).
    @usableFromInline var latest: [Element] = []

    @inlinable
    init(_ memory: Memory) {
        self.memory = memory
        turns = Turns()
    }

    /// - Returns: the subscriber's number, and the latest element, if it is to begin with that: then the caller calls the
    ///   subscriber with it, and thereafter with what ``nextOfBacklog(_:)`` returns.
    @inlinable
    mutating func add(_ observer: Observer<Element>) -> (number: Int, latest: Element?) {
        lastNumber += 1
        if all.isEmpty {
            // Few sources stay with one, and growing to four takes three allocations.
            all.reserveCapacity(4)
        }
        all.append(Subscriber(number: lastNumber, observer: observer, backlog: latest.isEmpty ? nil : []))
        return (lastNumber, latest.first)
    }

    /// - Returns: who has left, for the caller to release without the lock; nil if that one had left before.
    @inlinable
    mutating func remove(_ number: Int) -> Subscriber? {
        guard let index = index(of: number) else { return nil }
        return all.remove(at: index)
    }

    /// Fixes the place of `element` among all others. Whoever is given a delivery must see to it, and to all that
    /// ``nextDelivery()`` returns thereafter.
    ///
    /// - Returns: also what was the latest element before, for the caller to release without the lock.
    @inlinable
    mutating func claim(_ element: Element) -> (delivery: Delivery?, older: Element?) {
        let older = remember(element)
        sent += 1
        guard !all.isEmpty else { return (nil, older) }
        let delivery = Delivery(element: element, lastNumber: lastNumber)
        return (turns.enter(delivery) ? delivery : nil, older)
    }

    @inlinable
    mutating func remember(_ element: Element) -> Element? {
        guard memory == .latest else { return nil }
        guard let older = latest.first else {
            latest.append(element)
            return nil
        }
        latest[0] = element
        return older
    }

    @inlinable
    mutating func nextDelivery() -> Delivery? {
        turns.next()
    }

    /// Whom to call next with the element. For those who are still busy with the latest one it is put aside.
    @inlinable
    mutating func next(of delivery: Delivery, _ progress: inout Progress) -> Observer<Element>? {
        if progress.index > all.count || (progress.index > 0 && all[progress.index - 1].number != progress.number) {
            progress.index = all.firstIndex { $0.number > progress.number } ?? all.count
        }
        while progress.index < all.count, all[progress.index].number <= delivery.lastNumber {
            progress.number = all[progress.index].number
            progress.index += 1
            guard all[progress.index - 1].backlog?.append(delivery.element) != nil else {
                return all[progress.index - 1].observer
            }
        }
        return nil
    }

    /// What a subscriber that was called with the latest element is to be called with next, or nil if it has caught up.
    @inlinable
    mutating func nextOfBacklog(_ number: Int) -> Element? {
        guard let index = index(of: number), let backlog = all[index].backlog else { return nil }
        if backlog.isEmpty {
            all[index].backlog = nil
            return nil
        }
        return all[index].backlog?.removeFirst()
    }

    @inlinable
    func index(of number: Int) -> Int? {
        all.firstIndex { $0.number == number }
    }
}
