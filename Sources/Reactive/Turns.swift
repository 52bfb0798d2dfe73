/// A queue of which one item at a time is being handled. It holds the bookkeeping only: its owner keeps it under a lock,
/// and handles the items with that lock released.
///
/// Whoever finds the queue idle handles its own item and then everything that has arrived meanwhile. So a send from
/// within a delivery never recurses, and a send from another thread never waits.
@usableFromInline
struct Turns<Item: Sendable>: Sendable {
    @usableFromInline var isTaken = false
    @usableFromInline var arrived: [Item] = []
    /// In reverse, so that taking the next one moves nothing.
    @usableFromInline var upNext: [Item] = []

    @inlinable
    init() {}

    /// Whether the caller is to handle `item` now, and everything that ``next()`` returns after it.
    /// Otherwise the item waits for whoever is at it.
    @inlinable
    mutating func enter(_ item: Item) -> Bool {
        guard isTaken else {
            isTaken = true
            return true
        }
        arrived.append(item)
        return false
    }

    /// The item to handle after the one just handled; `nil` ends the caller's turn.
    @inlinable
    mutating func next() -> Item? {
        if upNext.isEmpty {
            guard !arrived.isEmpty else {
                isTaken = false
                return nil
            }
            upNext = arrived.reversed()
            arrived = []
        }
        return upNext.popLast()
    }

    /// The items that nobody has begun to handle, oldest first.
    @inlinable
    var waiting: [Item] {
        upNext.reversed() + arrived
    }
}
