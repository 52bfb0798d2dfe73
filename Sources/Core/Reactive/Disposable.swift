/// Ends something when disposed: a subscription, a piece of tracked work.
///
/// Releasing a disposable does not dispose it; put it into a ``DisposeBag`` to tie it to the lifetime of an owner.
public struct Disposable: Sendable {
    private let action: Locked<(@Sendable () -> Void)?>

    /// A disposable that runs `action` at the first ``dispose()``, with no lock held, and releases it.
    public init(_ action: @escaping @Sendable () -> Void) { self.action = Locked(action) }

    /// Ends what this stands for. Every call but the first does nothing.
    ///
    /// Legal anywhere, also inside the delivery that it ends. When this returns, the subscriber receives nothing more
    /// on this thread; a delivery under way on another thread may still be finishing.
    public func dispose() { action.exchange(nil)?() }

    /// Puts this into `bag`, which disposes it when the bag itself is disposed or released; a bag that was disposed
    /// before does so at once.
    public func disposed(by bag: DisposeBag) {
        if bag.contents.withLock({ $0?.append(self) }) == nil { dispose() }
    }
}

/// Disposables that end together: when the bag is released, or at ``dispose()`` if that comes first.
public final class DisposeBag: Sendable {
    /// Nil once disposed.
    fileprivate let contents = Locked<[Disposable]?>([])

    /// An empty bag.
    public init() {}

    deinit { dispose() }

    /// Disposes everything in the bag, in order of insertion, and everything that is put into it from now on.
    public func dispose() { contents.exchange(nil)?.forEach { $0.dispose() } }
}
