extension Observable {
    /// Emits `transform` of each element.
    public func map<Result: Sendable>(_ transform: @escaping @Sendable (Element) -> Result) -> Observable<Result> {
        Observable<Result> { observer in subscribe { observer(transform($0)) } }
    }

    /// Runs `onNext` with each element before passing it on.
    public func `do`(onNext: @escaping @Sendable (Element) -> Void) -> Observable {
        map { element in
            onNext(element)
            return element
        }
    }

    /// Emits each element that does not equal the one emitted before it.
    public func distinctUntilChanged() -> Observable where Element: Equatable {
        Observable { observer in
            let previous = Locked<Element?>(.none)
            return subscribe { element in
                if previous.exchange(.some(element)) != .some(element) { observer(element) }
            }
        }
    }

    /// Runs `work` for an element and emits its result; elements that come while it is running are ignored.
    ///
    /// Work that has returned is not running any more: an element sent in answer to its result is not ignored. The task
    /// is cancelled when the subscription is disposed.
    ///
    /// - Parameters:
    ///   - activity: Turns true before `work` begins, and false after its result has been passed on or it is cancelled.
    ///   - work: Runs in a task of its own, which inherits the sender's task-local values and begins on its thread; on
    ///     Apple's systems before those of 2025 it begins on another one.
    public func flatMapFirst<Result: Sendable>(
        trackingIn activity: ActivityIndicator? = nil,
        _ work: @escaping @Sendable (Element) async -> Result
    ) -> Observable<Result> {
        Observable<Result> { observer in
            // What ends with the work that is under way: its activity, and its task.
            let current = Locked<DisposeBag?>(nil)
            let results = DeliveryQueue()
            let upstream = subscribe { element in
                let end = DisposeBag()
                let isFirst = current.withLock { current in
                    defer { current = current ?? end }
                    return current == nil
                }
                guard isFirst else { return }
                activity?.begin().disposed(by: end)
                // The activity has called its subscribers, and one of them may have disposed the subscription.
                guard current.value === end else { return }
                let task = Task.startingNow {
                    let result = await work(element)
                    let isToBeDelivered = current.withLock { current in
                        guard current === end else { return false }
                        // Before the result goes out, since the subscriber may send the next element at once; and the
                        // result is enqueued under the lock, or that of later work could overtake it.
                        current = nil
                        return results.enqueue {
                            observer(result)
                            end.dispose()
                        }
                    }
                    if isToBeDelivered { results.deliver() }
                }
                Disposable { task.cancel() }.disposed(by: end)
            }
            return Disposable {
                upstream.dispose()
                // One that never ends takes the place, so that no more work begins.
                current.exchange(DisposeBag())?.dispose()
                results.close()
            }
        }
    }
}

extension Task where Failure == Never {
    fileprivate static func startingNow(_ work: sending @escaping @isolated(any) () async -> Success) -> Task {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { return Task.immediate(operation: work) }
        return Task(operation: work)
    }
}
