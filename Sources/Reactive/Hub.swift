/// A source's subscribers, behind a lock: what is sent to it goes to all of them.
// Sendable by proof: it is a ``Locked``, whose proof stands there, and stores nothing besides.
@usableFromInline
final class Hub<Element: Sendable>: Locked<Subscribers<Element>>, @unchecked Sendable {
    @inlinable
    init(_ memory: Subscribers<Element>.Memory) {
        super.init(Subscribers(memory))
    }

    @inlinable
    func send(_ element: Element) {
        // What was the latest element is handed out because a deinitialiser must not run under the lock: it may well send.
        let claim = withLock { $0.claim(element) }
        if let delivery = claim.delivery {
            deliver(delivery)
        }
    }

    /// Sends `element` unless another has been sent since there were `sent`.
    ///
    /// - Returns: whether it was sent.
    @inlinable
    func send(_ element: Element, ifStill sent: Int) -> Bool {
        let claim = withLock { $0.sent == sent ? $0.claim(element) : nil }
        if let delivery = claim?.delivery {
            deliver(delivery)
        }
        return claim != nil
    }

    @inlinable
    func deliver(_ delivery: Subscribers<Element>.Delivery) {
        var current: Subscribers<Element>.Delivery? = delivery
        while let delivery = current {
            var progress = Subscribers<Element>.Progress()
            while let observer = withLock({ $0.next(of: delivery, &progress) }) {
                observer.receive(delivery.element)
            }
            current = withLock { $0.nextDelivery() }
        }
    }

    @inlinable
    func asObservable() -> Observable<Element> {
        Observable(source: attach)
    }

    @inlinable
    func attach(_ observer: @escaping @Sendable (Element) -> Void) -> Disposable {
        let number = add(observer)
        return Disposable.idempotent { _ = self.remove(number) }
    }

    /// - Returns: the subscriber's number.
    @inlinable
    func add(_ observer: @escaping @Sendable (Element) -> Void) -> Int {
        let (number, latest) = withLock { $0.add(Observer(observer)) }
        if let latest {
            observer(latest)
            while let element = withLock({ $0.nextOfBacklog(number) }) {
                observer(element)
            }
        }
        return number
    }

    /// Whether the subscriber was there.
    @inlinable
    func remove(_ number: Int) -> Bool {
        // Who has left is handed out because a deinitialiser must not run under the lock: it may well send.
        let removed = withLock { $0.remove(number) }
        return removed != nil
    }
}
