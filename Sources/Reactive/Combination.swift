/// One subscription to the latest elements of two sources.
@usableFromInline
struct Combination<A: Sendable, B: Sendable>: Sendable {
    @usableFromInline var a: A?
    @usableFromInline var b: B?

    @inlinable
    init() {}

    @inlinable
    var pair: (A, B)? {
        guard let a, let b else { return nil }
        return (a, b)
    }
}
