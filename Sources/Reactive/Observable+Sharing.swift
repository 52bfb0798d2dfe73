extension Observable {
    /// The same elements, by one subscription to this for all subscribers together.
    ///
    /// The first subscriber starts it, and the last to dispose ends it; another thereafter starts anew. Nothing is
    /// replayed: who comes later receives later elements only.
    @inlinable
    public func share() -> Observable {
        let shared = SharedSource(self, .none)
        return Observable(source: shared.attach)
    }

    /// The same elements, by one subscription to this for all subscribers together, each of whom begins with the latest
    /// element there has been since the first of them subscribed.
    ///
    /// The first subscriber starts it, and the last to dispose ends it and forgets the element; another thereafter starts
    /// anew.
    @inlinable
    public func shareReplayingLatest() -> Observable {
        let shared = SharedSource(self, .latest)
        return Observable(source: shared.attach)
    }
}
