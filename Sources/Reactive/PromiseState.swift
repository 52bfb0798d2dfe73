/// What a ``Promise`` keeps under its lock.
@usableFromInline
enum PromiseState<Value: Sendable>: Sendable {
    case open
    case awaited(CheckedContinuation<Value, Never>)
    case kept(Value)

    /// - Returns: who is to be told, if somebody waits.
    @inlinable
    mutating func keep(_ value: Value) -> CheckedContinuation<Value, Never>? {
        switch self {
        case .open:
            self = .kept(value)
            return nil
        case .awaited(let continuation):
            self = .kept(value)
            return continuation
        case .kept:
            return nil
        }
    }

    /// - Returns: the value, if it is there; otherwise the continuation waits for it.
    @inlinable
    mutating func wait(_ continuation: CheckedContinuation<Value, Never>) -> Value? {
        guard case .kept(let value) = self else {
            self = .awaited(continuation)
            return nil
        }
        return value
    }

    /// The value, if it is there.
    @inlinable
    var value: Value? {
        guard case .kept(let value) = self else { return nil }
        return value
    }
}
