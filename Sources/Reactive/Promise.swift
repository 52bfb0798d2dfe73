/// A value that is yet to come, for one who waits for it.
@usableFromInline
final class Promise<Value: Sendable>: Locked<PromiseState<Value>>, @unchecked Sendable {
    @inlinable
    init() {
        super.init(.open)
    }

    /// Gives the value; every call but the first does nothing.
    @inlinable
    func keep(_ value: Value) {
        let waiting = withLock { $0.keep(value) }
        waiting?.resume(returning: value)
    }

    /// The value, as soon as there is one.
    @inlinable
    var kept: Value {
        get async {
            if let value = withLock({ $0.value }) { return value }
            return await withCheckedContinuation { continuation in
                if let value = withLock({ $0.wait(continuation) }) {
                    continuation.resume(returning: value)
                }
            }
        }
    }
}
