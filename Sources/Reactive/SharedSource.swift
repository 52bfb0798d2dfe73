public import Synchronization

/// One subscription to a source on behalf of many.
@usableFromInline
final class SharedSource<Element: Sendable>: Sendable {
    /// What stands between the one subscription and the many.
    @usableFromInline
    struct Hub: Sendable {
        @usableFromInline let accept: @Sendable (Element) -> Void
        @usableFromInline let observable: Observable<Element>

        @inlinable
        init(accept: @escaping @Sendable (Element) -> Void, observable: Observable<Element>) {
            self.accept = accept
            self.observable = observable
        }

        /// Passes elements on, and remembers nothing.
        @inlinable
        static func passing() -> Hub {
            let relay = PublishRelay<Element>()
            return Hub(accept: relay.accept, observable: relay.asObservable())
        }

        /// Passes elements on, and begins every subscription with the latest one, if there is one.
        @inlinable
        static func replaying() -> Hub {
            let relay = BehaviorRelay<Element?>(value: .none)
            return Hub(accept: { relay.accept(.some($0)) }, observable: relay.asObservable().compactMap { $0 })
        }
    }

    @usableFromInline
    struct Connection: Sendable {
        @usableFromInline let hub: Hub
        @usableFromInline let bag = DisposeBag()
        @usableFromInline var subscribers = 0

        @inlinable
        init(hub: Hub) {
            self.hub = hub
        }
    }

    @usableFromInline let observable: Observable<Element>
    @usableFromInline let makeHub: @Sendable () -> Hub
    @usableFromInline let connection = Mutex<Connection?>(nil)

    @inlinable
    init(_ observable: Observable<Element>, through makeHub: @escaping @Sendable () -> Hub) {
        self.observable = observable
        self.makeHub = makeHub
    }

    @inlinable
    func attach(_ observer: @escaping @Sendable (Element) -> Void) -> Disposable {
        let joined = connection.withLock { connection in
            // Each connection has a hub of its own, so that no straggler of an earlier one reaches the subscribers
            // of the next.
            var joined = connection ?? Connection(hub: makeHub())
            joined.subscribers += 1
            connection = joined
            return joined
        }
        let subscription = joined.hub.observable.source(observer)
        if joined.subscribers == 1 {
            // If all have left meanwhile, the bag is disposed, and ends this at once.
            joined.bag.insert(observable.source(joined.hub.accept))
        }
        return Disposable {
            subscription.dispose()
            self.leave()
        }
    }

    @inlinable
    func leave() {
        let abandoned = connection.withLock { connection -> Connection? in
            connection?.subscribers -= 1
            guard connection?.subscribers == 0 else { return nil }
            defer { connection = nil }
            return connection
        }
        abandoned?.bag.dispose()
    }
}
