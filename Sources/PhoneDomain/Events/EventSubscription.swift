/// Which events a store keeps when something changes, and who is told that there are new ones.
public struct EventSubscription: Sendable {
    /// The kinds that somebody wants to hear of. No other is written.
    public let kinds: Set<Event.Kind>
    /// Called once what announced something is committed, from any thread.
    public let announced: @Sendable () -> Void

    /// A subscription to these.
    public init(to kinds: Set<Event.Kind>, announced: @escaping @Sendable () -> Void = {}) {
        self.kinds = kinds
        self.announced = announced
    }

    /// To nothing: nothing is written.
    public static let none = EventSubscription(to: [])
}
