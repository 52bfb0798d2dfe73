/// A source that passes on what it is sent and remembers nothing.
///
/// An element goes to those who are subscribed when it is sent, in order of their subscription. See <doc:Reactive>.
public final class PublishRelay<Element: Sendable>: Sendable {
    private let hub = Hub<Element>(isReplaying: false)

    /// A relay without subscribers.
    public init() {}

    /// Sends `element` to every subscriber.
    public func accept(_ element: Element) { hub.send(element) }

    /// What this relay sends from the moment of subscription. The relay retains its subscribers until they dispose.
    public func asObservable() -> Observable<Element> { hub.asObservable() }
}

/// A source that remembers its latest element and begins every subscription with it.
///
/// Delivers as ``PublishRelay`` does. A subscriber receives the value that is current when it subscribes, exactly once
/// and before `subscribe` returns, and then every later one in order, even if others send at the same moment.
public final class BehaviorRelay<Element: Sendable>: Sendable {
    private let hub = Hub<Element>(isReplaying: true)

    /// A relay whose current value is `value`.
    public init(value: Element) { hub.send(value) }

    /// The element accepted last. It is current as soon as it is accepted, even if its delivery has to wait for
    /// another.
    public var value: Element { latest.element }

    private var latest: (element: Element, sentCount: Int) {
        guard let latest = hub.latest else { preconditionFailure("init sends a value, which stays until the next") }
        return latest
    }

    /// Makes `element` the current value and sends it to every subscriber.
    public func accept(_ element: Element) { hub.send(element) }

    /// Changes the current value and sends the result, as one step: what others send meanwhile is not lost.
    ///
    /// - Parameter change: Run with no lock held, and run again on the newer value if another thread has sent one
    ///   meanwhile. So it must have no effect but on the value, and must not release anything whose deinitialiser
    ///   sends.
    public func update(_ change: (inout Element) -> Void) {
        while true {
            var (value, count) = latest
            change(&value)
            if hub.send(value, ifStill: count) { return }
        }
    }

    /// The current value, and from then on what this relay sends.
    public func asObservable() -> Observable<Element> {
        Observable(hub.subscribe, latest: { [self] in value })
    }
}

/// Whether any of the work that it tracks is under way. Work may overlap: the indicator counts.
public final class ActivityIndicator: Sendable {
    private let count = BehaviorRelay(value: 0)

    /// An indicator at rest.
    public init() {}

    /// Emits whether work is under way: at subscription, and then whenever that changes.
    public func asObservable() -> Observable<Bool> { count.asObservable().map { $0 > 0 }.distinctUntilChanged() }

    /// Counts a piece of work as begun, until what it returns is disposed.
    public func begin() -> Disposable {
        count.update { $0 += 1 }
        return Disposable { self.count.update { $0 -= 1 } }
    }
}
