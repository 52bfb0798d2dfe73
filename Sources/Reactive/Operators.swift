public import Synchronization

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
                if let result = transform(element) {
                    observer(result)
                }
            }
        })
    }

    /// Emits the elements that satisfy `isIncluded`.
    @inlinable
    public func filter(_ isIncluded: @escaping @Sendable (Element) -> Bool) -> Observable {
        Observable(source: { [source] observer in
            source { element in
                if isIncluded(element) {
                    observer(element)
                }
            }
        })
    }

    /// Runs `onNext` with each element before passing it on.
    @inlinable
    public func `do`(onNext: @escaping @Sendable (Element) -> Void) -> Observable {
        Observable(source: { [source] observer in
            source { element in
                onNext(element)
                observer(element)
            }
        })
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
            let accumulated = Mutex(seed)
            return source { element in
                let result = accumulator(accumulated.current, element)
                accumulated.exchange(result)
                observer(result)
            }
        })
    }

    /// Emits each element that does not equal, by `areEqual`, the one emitted before it.
    @inlinable
    public func distinctUntilChanged(
        by areEqual: @escaping @Sendable (_ previous: Element, _ element: Element) -> Bool
    ) -> Observable {
        Observable(source: { [source] observer in
            let previous = Mutex<Element?>(.none)
            return source { element in
                if let previous = previous.current, areEqual(previous, element) { return }
                previous.exchange(.some(element))
                observer(element)
            }
        })
    }
}

extension Observable where Element: Equatable {
    /// Emits each element that does not equal the one emitted before it.
    @inlinable
    public func distinctUntilChanged() -> Observable { distinctUntilChanged(by: ==) }
}
