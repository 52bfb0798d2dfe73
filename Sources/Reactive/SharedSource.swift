/// One subscription to a source on behalf of many.
@usableFromInline
final class SharedSource<Element: Sendable>: Locked<SharedConnection<Element>>, @unchecked Sendable {
    @usableFromInline let source: Observable<Element>
    @usableFromInline let memory: Subscribers<Element>.Memory

    @inlinable
    init(_ source: Observable<Element>, _ memory: Subscribers<Element>.Memory) {
        self.source = source
        self.memory = memory
        super.init(SharedConnection())
    }

    @inlinable
    func attach(_ observer: @escaping @Sendable (Element) -> Void) -> Disposable {
        let (hub, isFirst) = withLock { $0.join(memory) }
        let number = hub.add(observer)
        if isFirst {
            // The hub is held by the source, this by whoever has subscribed: a source that held its own subscription
            // would never be released.
            let upstream = source.source(hub.send)
            withLock { $0.upstream = upstream }
        }
        return Disposable.idempotent {
            guard hub.remove(number) else { return }
            let abandoned = self.withLock { $0.leave() }
            abandoned?.upstream.dispose()
        }
    }
}
