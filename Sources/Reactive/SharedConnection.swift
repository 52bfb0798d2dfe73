/// What a ``SharedSource`` keeps under its lock: the subscription that is shared, while there is one.
@usableFromInline
struct SharedConnection<Element: Sendable>: Sendable {
    /// Each connection has a hub of its own, so that no straggler of an earlier one reaches the subscribers of the next.
    @usableFromInline var hub: Hub<Element>?
    @usableFromInline var upstream = Disposable()
    @usableFromInline var subscribers = 0

    @inlinable
    init() {}

    /// Counts one more subscriber. The first has to subscribe the hub to the source.
    @inlinable
    mutating func join(_ memory: Subscribers<Element>.Memory) -> (hub: Hub<Element>, isFirst: Bool) {
        let joined = hub ?? Hub(memory)
        hub = joined
        subscribers += 1
        return (joined, subscribers == 1)
    }

    /// Counts one less.
    ///
    /// - Returns: after the last, what was between it and the source, for the caller to end.
    @inlinable
    mutating func leave() -> SharedConnection? {
        subscribers -= 1
        guard subscribers == 0 else { return nil }
        defer { self = SharedConnection() }
        return self
    }
}
