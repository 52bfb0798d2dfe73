extension Observable {
    /// The same elements, by one subscription to this for all subscribers together. A later subscriber begins with the
    /// latest element since the first of them subscribed, if there is one.
    ///
    /// The first subscriber starts the subscription. The last to dispose ends it and forgets the element; another after that
    /// starts anew.
    @inlinable
    public func shareReplayingLatest() -> Observable {
        let shared = SharedSource(self)
        return Observable(source: shared.attach)
    }
}

/// One subscription to a source on behalf of many subscribers.
// Sendable: adds only a Sendable constant to `Locked`.
@usableFromInline
final class SharedSource<Element: Sendable>: Locked<SharedConnection<Element>>, @unchecked Sendable {
    @usableFromInline let source: Observable<Element>

    @inlinable
    init(_ source: Observable<Element>) {
        self.source = source
        super.init(SharedConnection())
    }

    @inlinable
    func attach(_ observer: @escaping @Sendable (Element) -> Void) -> Disposable {
        let (hub, isFirst) = withLock { $0.join() }
        let id = hub.add(observer)
        if isFirst {
            // The source retains the hub and the subscribers retain this. A source that retained its own subscription would
            // never be released.
            let upstream = source.source(hub.send)
            withLock { $0.upstream = upstream }
        }
        return Disposable.idempotent {
            guard hub.remove(id) else { return }
            let abandoned = self.withLock { $0.leave() }
            abandoned?.upstream.dispose()
        }
    }
}

@usableFromInline
struct SharedConnection<Element: Sendable>: Sendable {
    /// Each connection has a hub of its own, so that a late element of an earlier one does not reach the subscribers of the
    /// next.
    @usableFromInline var hub: Hub<Element>?
    @usableFromInline var upstream = Disposable()
    @usableFromInline var subscribers = 0

    @inlinable
    init() {}

    /// Counts one more subscriber. The first has to subscribe the hub to the source.
    @inlinable
    mutating func join() -> (hub: Hub<Element>, isFirst: Bool) {
        let joined = hub ?? Hub(.latest)
        hub = joined
        subscribers += 1
        return (joined, subscribers == 1)
    }

    /// Counts one subscriber less.
    ///
    /// - Returns: after the last, the connection, for the caller to end.
    @inlinable
    mutating func leave() -> SharedConnection? {
        subscribers -= 1
        guard subscribers == 0 else { return nil }
        defer { self = SharedConnection() }
        return self
    }
}
