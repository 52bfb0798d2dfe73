public import Synchronization

/// A value behind a lock: the base class of the objects in this module that threads share.
///
/// It is not a `Mutex<Value>` property because that has no fixed layout inside a generic class: to release such an object the
/// runtime looks up three types by their arguments, which takes longer than everything else a subscription costs.
// Sendable: `value` is Sendable, and only `withLock` touches it, one thread at a time. For the same reason its exclusivity
// needs no check at run time; a re-entrant call deadlocks or traps in the lock, as with any `Mutex`.
@usableFromInline
class Locked<Value: Sendable>: @unchecked Sendable {
    @usableFromInline let lock = Mutex<Void>(())
    @exclusivity(unchecked) @usableFromInline var value: Value

    @inlinable
    init(_ value: Value) { self.value = value }

    @inlinable
    final func withLock<Result>(_ body: (inout Value) -> Result) -> Result where Result: Sendable {
        lock.withLock { _ in body(&value) }
    }
}

// Operators capture a `Mutex` in their closures instead: specialised code knows the layout of a capture.
extension Mutex where Value: Sendable {
    @inlinable
    var current: Value { withLock { $0 } }

    /// - Returns: the previous value, for the caller to release outside the lock: its deinitialiser may send.
    @discardableResult
    @inlinable
    func exchange(_ new: Value) -> Value {
        withLock { value in
            defer { value = new }
            return value
        }
    }
}

/// The bookkeeping of a queue whose items are handled one at a time. Its owner keeps it under a lock and handles items
/// outside that lock.
///
/// A caller that finds the queue idle handles its own item and then drains what has arrived meanwhile. So a send from within a
/// delivery never recurses, and a send from another thread never waits.
@usableFromInline
struct SerialQueue<Item: Sendable>: Sendable {
    @usableFromInline var isBusy = false
    @usableFromInline var arrived: [Item] = []
    /// In reverse, so that taking the next item moves nothing.
    @usableFromInline var upNext: [Item] = []

    @inlinable
    init() {}

    /// - Returns: whether the caller is to handle `item` now, and then everything that ``next()`` returns. Otherwise the
    ///   item waits for the caller that is draining the queue.
    @inlinable
    mutating func enqueue(_ item: Item) -> Bool {
        guard isBusy else {
            isBusy = true
            return true
        }
        arrived.append(item)
        return false
    }

    /// The item to handle next, or `nil` if the caller has drained the queue.
    @inlinable
    mutating func next() -> Item? {
        if upNext.isEmpty {
            guard !arrived.isEmpty else {
                isBusy = false
                return nil
            }
            upNext = arrived.reversed()
            arrived = []
        }
        return upNext.popLast()
    }

    /// The items that nobody has begun to handle, oldest first.
    @inlinable
    var waiting: [Item] { upNext.reversed() + arrived }
}
