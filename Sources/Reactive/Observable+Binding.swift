extension Observable {
    /// Sends every element to `relay`, until disposed.
    @inlinable
    public func bind(to relay: PublishRelay<Element>) -> Disposable {
        subscribe(relay.accept)
    }

    /// Sends every element to `relay`, until disposed.
    @inlinable
    public func bind(to relay: BehaviorRelay<Element>) -> Disposable {
        subscribe(relay.accept)
    }
}
