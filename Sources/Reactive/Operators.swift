extension Observable {
    /// Emits `transform` of each element.
    @inlinable
    public func map<Result: Sendable>(_ transform: @escaping @Sendable (Element) -> Result) -> Observable<Result> {
        Observable<Result>(source: { [source] observer in
            source { observer(transform($0)) }
        })
    }

    /// Emits `transform` of each element, unless it is `nil`.
    @inlinable
    public func compactMap<Result: Sendable>(
        _ transform: @escaping @Sendable (Element) -> Result?
    ) -> Observable<Result> {
        Observable<Result>(source: { [source] observer in
            source { element in
                if let result = transform(element) { observer(result) }
            }
        })
    }

    /// Runs `onNext` with each element before passing it on.
    @inlinable
    public func `do`(onNext: @escaping @Sendable (Element) -> Void) -> Observable {
        map { element in
            onNext(element)
            return element
        }
    }

    /// Emits the running result of `accumulator` after each element; `seed` itself is not emitted.
    ///
    /// Each subscription begins at `seed`.
    @inlinable
    public func scan<Result: Sendable>(
        _ seed: Result,
        accumulator: @escaping @Sendable (_ result: Result, _ element: Element) -> Result
    ) -> Observable<Result> {
        Observable<Result>(source: { [source] observer in
            let accumulated = Locked(seed)
            return source { element in
                let result = accumulator(accumulated.current, element)
                accumulated.exchange(result)
                observer(result)
            }
        })
    }

    /// Changes the value of `relay` by each element and emits nothing: a chain for ``running(_:)``.
    ///
    /// - Parameters:
    ///   - relay: Contains the value.
    ///   - change: Run as ``BehaviorRelay/update(_:)`` does.
    @inlinable
    public func reduce<Value>(
        into relay: BehaviorRelay<Value>,
        _ change: @escaping @Sendable (_ value: inout Value, _ element: Element) -> Void
    ) -> Observable<Never> {
        Observable<Never>(source: { [source] _ in
            source { element in
                relay.update { change(&$0, element) }
            }
        })
    }

    /// Emits what this emits, and runs `chains` for their effects as long as there is a subscription. Subscribes to them
    /// first, in the order given.
    @inlinable
    public func running(_ chains: Observable<Never>...) -> Observable {
        Observable(source: { [source] observer in
            let upstreams = chains.map { $0.source { _ in } }
            let upstream = source(observer)
            return Disposable.idempotent {
                for upstream in upstreams { upstream.dispose() }
                upstream.dispose()
            }
        })
    }
}

extension Observable where Element: Equatable {
    /// Emits each element that does not equal the one emitted before it.
    @inlinable
    public func distinctUntilChanged() -> Observable {
        Observable(source: { [source] observer in
            let previous = Locked<Element?>(.none)
            return source { element in
                if previous.current == element { return }
                previous.exchange(.some(element))
                observer(element)
            }
        })
    }
}
