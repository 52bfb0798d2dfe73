/// Whether any of the work it tracks is under way. Work may overlap: the indicator counts.
public final class ActivityIndicator: Sendable {
    private let count = BehaviorRelay(value: 0)

    private let whole: ActivityIndicator?

    /// An indicator at rest.
    ///
    /// - Parameter whole: Of whose work this one's is a part: it is active as long as this is, and a little longer.
    public init(partOf whole: ActivityIndicator? = nil) {
        self.whole = whole
    }

    /// Whether work is under way at this moment.
    public var isActive: Bool {
        count.value > 0
    }

    /// Emits whether work is under way: at subscription, and then whenever that changes.
    public func asObservable() -> Observable<Bool> {
        count.asObservable().map { $0 > 0 }.distinctUntilChanged()
    }

    /// Counts a piece of work as begun.
    ///
    /// - Returns: Ends that piece of work when disposed, and must be disposed.
    public func begin() -> Disposable {
        let part = whole?.begin()
        count.replace { $0 + 1 }
        return Disposable { [count] in
            count.replace { $0 - 1 }
            part?.dispose()
        }
    }
}
