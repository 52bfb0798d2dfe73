public import Synchronization

/// A value that is touched under a lock only: a `Mutex` for others to be made of.
///
/// A `Mutex` of a generic value has no layout of its own within a generic class. To let go of such an object the runtime has to
/// look up three types by their arguments, and that takes longer than all else that a subscription costs.
///
/// Sendable by proof, although the compiler cannot see that: the value is Sendable, and nobody but ``withLock(_:)`` comes near
/// it, one at a time. So exclusive access needs no check at run time either; who comes back from within waits for
/// ever or is stopped by the lock, as with any `Mutex`.
@usableFromInline
class Locked<Value: Sendable>: @unchecked Sendable {
    @usableFromInline let lock = Mutex<Void>(())
    @exclusivity(unchecked) @usableFromInline var value: Value

    @inlinable
    init(_ value: Value) {
        self.value = value
    }

    @inlinable
    final func withLock<Result>(_ body: (inout Value) -> Result) -> Result where Result: Sendable {
        lock.withLock { _ in body(&value) }
    }
}
