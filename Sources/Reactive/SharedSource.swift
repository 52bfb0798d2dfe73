import Synchronization

/// One subscription to a source on behalf of many.
final class SharedSource<Element: Sendable>: Sendable {
    /// What stands between the one subscription and the many.
    struct Hub: Sendable {
        let accept: @Sendable (Element) -> Void
        let observable: Observable<Element>

        /// Passes elements on, and remembers nothing.
        static func passing() -> Hub {
            let relay = PublishRelay<Element>()
            return Hub(accept: relay.accept, observable: relay.asObservable())
        }

        /// Passes elements on, and begins every subscription with the latest one, if there is one.
        static func replaying() -> Hub {
            let relay = BehaviorRelay<Element?>(value: .none)
            return Hub(accept: { relay.accept(.some($0)) }, observable: relay.asObservable().compactMap { $0 })
        }
    }

    private struct Connection {
        let hub: Hub
        let bag = DisposeBag()
        var subscribers = 0
    }

    private let observable: Observable<Element>
    private let makeHub: @Sendable () -> Hub
    private let connection = Mutex<Connection?>(nil)

    init(_ observable: Observable<Element>, through makeHub: @escaping @Sendable () -> Hub) {
        self.observable = observable
        self.makeHub = makeHub
    }

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

    private func leave() {
        let abandoned = connection.withLock { connection -> Connection? in
            connection?.subscribers -= 1
            guard connection?.subscribers == 0 else { return nil }
            defer { connection = nil }
            return connection
        }
        abandoned?.bag.dispose()
    }
}
