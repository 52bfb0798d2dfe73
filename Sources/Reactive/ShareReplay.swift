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
final class SharedSource<Element: Sendable>: Locked<SharedConnection<Element>?>, @unchecked Sendable {
    @usableFromInline let source: Observable<Element>

    @inlinable init(_ source: Observable<Element>) {
        self.source = source
        super.init(nil)
    }

    @inlinable func attach(_ observer: @escaping @Sendable (Element) -> Void) -> Disposable {
        let connection = withLock { current in
            var connection = current ?? SharedConnection()
            connection.subscribers += 1
            current = connection
            return connection
        }
        let hub = connection.hub
        let id = hub.add(observer)
        if connection.subscribers == 1 {
            // The source retains the hub and the subscribers retain this. A source that retained its own subscription would
            // never be released.
            let upstream = source.source(hub.send)
            withLock { $0?.upstream = upstream }
        }
        return Disposable.idempotent {
            guard hub.remove(id) else { return }
            let abandoned = self.withLock { current -> SharedConnection<Element>? in
                current?.subscribers -= 1
                guard let connection = current, connection.subscribers == 0 else { return nil }
                current = nil
                return connection
            }
            abandoned?.upstream.dispose()
        }
    }
}

/// Each connection has a hub of its own, so that a late element of an earlier one does not reach the subscribers of the
/// next.
@usableFromInline
struct SharedConnection<Element: Sendable>: Sendable {
    @usableFromInline let hub = Hub<Element>(isReplaying: true)
    @usableFromInline var upstream = Disposable()
    @usableFromInline var subscribers = 0

    @inlinable init() {}
}
