public import Synchronization

/// A value that several closures share, each access being whole.
@usableFromInline
final class Protected<Value: Sendable>: Sendable {
    @usableFromInline let mutex: Mutex<Value>

    @inlinable
    init(_ value: Value) {
        mutex = Mutex(value)
    }

    @inlinable
    var value: Value {
        mutex.withLock { $0 }
    }

    /// The older value is handed out because its deinitialiser must not run under the lock: it may well send.
    @discardableResult
    @inlinable
    func exchange(_ new: Value) -> Value {
        mutex.withLock { value in
            defer { value = new }
            return value
        }
    }
}
