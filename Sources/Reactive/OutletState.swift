/// What an ``Outlet`` keeps under its lock.
@usableFromInline
struct OutletState<Element: Sendable>: Sendable {
    /// `nil` once closed.
    @usableFromInline var observer: Observer<Element>?
    @usableFromInline var turns = Turns<Element>()

    @inlinable
    init(observer: Observer<Element>?) {
        self.observer = observer
    }
}
