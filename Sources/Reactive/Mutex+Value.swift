public import Synchronization

// An operator keeps what it remembers in a `Mutex` that its closures capture: code that is specialised knows the layout of
// such a capture, and not that of a generic class (``Locked``).
extension Mutex where Value: Sendable {
    /// The value at this moment.
    @inlinable
    var present: Value {
        withLock { $0 }
    }

    /// The older value is handed out because its deinitialiser must not run under the lock: it may well send.
    @discardableResult
    @inlinable
    func exchange(_ new: Value) -> Value {
        withLock { value in
            defer { value = new }
            return value
        }
    }
}
