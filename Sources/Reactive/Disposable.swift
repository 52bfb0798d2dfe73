import Synchronization

/// The right to end something: a subscription, a piece of tracked work.
///
/// Letting go of a disposable does not dispose it; keep it in a ``DisposeBag`` to tie it to the lifetime of an owner.
public struct Disposable: Sendable {
    private let end: @Sendable () -> Void

    /// A disposable that has nothing to end.
    public init() {
        end = {}
    }

    /// A disposable that ends something by running `action`, once at most.
    ///
    /// - Parameter action: Run by the first ``dispose()``, on its thread, with no lock held, and released thereafter.
    public init(_ action: @escaping @Sendable () -> Void) {
        let once = Mutex<Disposable?>(Disposable(end: action))
        end = {
            let action = once.withLock { once in
                defer { once = nil }
                return once
            }
            action?.end()
        }
    }

    private init(end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    /// A disposable within a chain: running `end` twice comes to the same as once, and ``Observable/subscribe(_:)`` sees to
    /// it that all of them are released.
    @usableFromInline
    static func idempotent(_ end: @escaping @Sendable () -> Void) -> Disposable {
        Disposable(end: end)
    }

    /// Ends what this stands for. Every call but the first does nothing.
    ///
    /// Legal anywhere, also inside the delivery that it ends. When this returns, the subscriber receives nothing more on
    /// this thread; a delivery under way on another thread may still be finishing.
    public func dispose() {
        end()
    }

    /// Puts this into `bag`, which disposes it when the bag itself is disposed or released.
    public func disposed(by bag: DisposeBag) {
        bag.insert(self)
    }
}
