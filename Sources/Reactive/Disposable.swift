import Synchronization

/// The right to end something: a subscription, a piece of tracked work.
///
/// Letting go of a disposable does not dispose it; keep it in a ``DisposeBag`` to tie it to the lifetime of an owner.
public final class Disposable: Sendable {
    private let action: Mutex<(@Sendable () -> Void)?>

    /// A disposable that has nothing to end.
    public init() {
        action = Mutex(nil)
    }

    /// A disposable that ends something by running `action`, once at most.
    ///
    /// - Parameter action: Run by the first ``dispose()``, on its thread, with no lock held, and released thereafter.
    public init(_ action: @escaping @Sendable () -> Void) {
        self.action = Mutex(action)
    }

    /// Ends what this stands for. Every call but the first does nothing.
    ///
    /// Legal anywhere, also inside the delivery that it ends. When this returns, the subscriber receives nothing more on
    /// this thread; a delivery under way on another thread may still be finishing.
    public func dispose() {
        let action = self.action.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
    }

    /// Puts this into `bag`, which disposes it when the bag itself is disposed or released.
    public func disposed(by bag: DisposeBag) {
        bag.insert(self)
    }
}
