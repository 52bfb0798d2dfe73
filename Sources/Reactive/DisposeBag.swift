import Synchronization

/// Disposables that end together: when the bag is released, or at ``dispose()`` if that comes first.
public final class DisposeBag: Sendable {
    /// `nil` once disposed.
    private let contents: Mutex<[Disposable]?>

    /// An empty bag.
    public init() {
        contents = Mutex([])
    }

    deinit {
        dispose()
    }

    /// Keeps `disposable` until the bag ends; a bag that has ended already disposes it at once.
    public func insert(_ disposable: Disposable) {
        let isKept = contents.withLock { contents in
            contents?.append(disposable) != nil
        }
        if !isKept {
            disposable.dispose()
        }
    }

    /// Disposes everything in the bag, in order of insertion, and everything inserted from now on.
    public func dispose() {
        let disposables = contents.withLock { contents in
            defer { contents = nil }
            return contents
        }
        disposables?.forEach { $0.dispose() }
    }
}
