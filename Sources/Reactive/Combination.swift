public import Synchronization

/// One subscription to the latest elements of two sources.
@usableFromInline
final class Combination<A: Sendable, B: Sendable>: Sendable {
    @usableFromInline
    struct Latest: Sendable {
        @usableFromInline var a: A?
        @usableFromInline var b: B?
    }

    @usableFromInline let latest = Mutex(Latest())
    @usableFromInline let outlet: Outlet<(A, B)>

    @inlinable
    init(_ observer: @escaping @Sendable ((A, B)) -> Void) {
        outlet = Outlet(observer)
    }

    @inlinable
    func sendA(_ a: A) {
        send { $0.a = .some(a) }
    }

    @inlinable
    func sendB(_ b: B) {
        send { $0.b = .some(b) }
    }

    @inlinable
    func close() {
        outlet.close()
    }

    @inlinable
    func send(_ change: (inout Latest) -> Void) {
        // A pair takes its place under the same lock that made it: otherwise an older pair could overtake a newer one.
        // What it replaces is handed out because a deinitialiser must not run under the lock.
        let (_, pair, observer) = latest.withLock { latest -> (Latest, (A, B)?, Outlet<(A, B)>.Observer?) in
            let older = latest
            change(&latest)
            guard let a = latest.a, let b = latest.b else { return (older, nil, nil) }
            return (older, (a, b), outlet.claim((a, b)))
        }
        if let pair, let observer {
            outlet.deliver(pair, to: observer)
        }
    }
}
