import Synchronization

/// Whether any of the work it tracks is under way. Work may overlap: the indicator counts.
public final class ActivityIndicator: Sendable {
    private let count = Mutex(0)
    @usableFromInline let hub = Hub<Bool>(.latest)
    private let whole: ActivityIndicator?

    /// An indicator at rest.
    ///
    /// - Parameter whole: Of whose work this one's is a part: it is active as long as this is, and a little longer.
    public init(partOf whole: ActivityIndicator? = nil) {
        self.whole = whole
        hub.send(false)
    }

    /// Whether work is under way at this moment.
    public var isActive: Bool {
        count.withLock { $0 > 0 }
    }

    /// Emits whether work is under way: at subscription, and then whenever that changes.
    @inlinable
    public func asObservable() -> Observable<Bool> {
        hub.asObservable()
    }

    /// Counts a piece of work as begun.
    ///
    /// - Returns: Ends that piece of work when disposed, and must be disposed.
    public func begin() -> Disposable {
        let part = whole?.begin()
        add(1)
        return Disposable {
            self.add(-1)
            part?.dispose()
        }
    }

    private func add(_ difference: Int) {
        // A change takes its place under the same lock that made it: otherwise an older one could overtake a newer one.
        let delivery = count.withLock { count in
            let wasActive = count > 0
            count += difference
            let isActive = count > 0
            return isActive == wasActive ? nil : hub.withLock { $0.claim(isActive).delivery }
        }
        if let delivery {
            hub.deliver(delivery)
        }
    }
}
