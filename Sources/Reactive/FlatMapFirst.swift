extension Observable {
    /// Runs `work` for an element and emits its result; elements that come while it is running are ignored.
    ///
    /// Work that has returned is not running any more: an element sent in answer to its result is not ignored. The task is
    /// cancelled when the subscription is disposed.
    ///
    /// - Parameters:
    ///   - activity: Turns true before `work` begins, and false after its result has been passed on, or at once when
    ///     it is cancelled.
    ///   - work: Runs in a task of its own, which inherits the sender's task-local values and begins on the sender's thread,
    ///     up to its first suspension.
    /// - Returns: The results, in the order in which the work ended.
    @inlinable
    public func flatMapFirst<Result: Sendable>(
        trackingIn activity: ActivityIndicator? = nil,
        _ work: @escaping @Sendable (Element) async -> Result
    ) -> Observable<Result> {
        Observable<Result>(source: { [source] observer in
            let slot = WorkSlot(trackingIn: activity, observer)
            let upstream = source { element in
                slot.start { await work(element) }
            }
            return Disposable.idempotent {
                upstream.dispose()
                slot.close()
            }
        })
    }
}

/// Whether any of the work that it tracks is under way. Work may overlap: the indicator counts.
public final class ActivityIndicator: Sendable {
    private let count = Locked(0)
    @usableFromInline let hub = Hub<Bool>(isReplaying: true)

    /// An indicator at rest.
    public init() { hub.send(false) }

    /// Whether work is under way at this moment.
    public var isActive: Bool { count.current > 0 }

    /// Emits whether work is under way: at subscription, and then whenever that changes.
    @inlinable
    public func asObservable() -> Observable<Bool> { hub.asObservable() }

    /// Counts a piece of work as begun.
    ///
    /// - Returns: Ends that piece of work when disposed, and must be disposed.
    public func begin() -> Disposable {
        add(1)
        return Disposable { self.add(-1) }
    }

    private func add(_ difference: Int) {
        // A change is enqueued under the lock that made it: otherwise an older one could overtake a newer one.
        let delivery = count.withLock { count in
            let wasActive = count > 0
            count += difference
            let isActive = count > 0
            return isActive == wasActive ? nil : hub.withLock { $0.enqueue(isActive).delivery }
        }
        if let delivery { hub.deliver(delivery) }
    }
}

/// The work of one subscription, one piece at a time, and the way of its results to the observer.
// Sendable: adds only Sendable constants to `Locked`.
@usableFromInline
final class WorkSlot<Result: Sendable>: Locked<WorkSlotState>, @unchecked Sendable {
    @usableFromInline typealias Finished = (result: Result, activity: Disposable?)

    @usableFromInline let indicator: ActivityIndicator?
    @usableFromInline let results: Gate<Finished>

    @inlinable init(trackingIn indicator: ActivityIndicator?, _ observer: @escaping @Sendable (Result) -> Void) {
        self.indicator = indicator
        results = Gate { finished in
            observer(finished.result)
            finished.activity?.dispose()
        }
        super.init(WorkSlotState())
    }

    @inlinable func start(_ work: @escaping @Sendable () async -> Result) {
        guard let id = withLock({ $0.reserve() }) else { return }
        let activity = indicator?.begin()
        // The indicator has called its subscribers, and one of them may have closed the slot.
        let isClosed = withLock { state in
            state.current?.activity = activity
            return state.isClosed
        }
        guard !isClosed else {
            activity?.dispose()
            return
        }
        let task = Task.immediate { self.finish(await work()) }
        let isTooLate = withLock { state in
            // The work may have ended already, and other work have begun.
            if state.current?.id == id { state.current?.task = task }
            return state.isClosed
        }
        // If the slot was closed while work began, there was no task to cancel yet.
        if isTooLate { task.cancel() }
    }

    @inlinable func close() {
        let current = withLock { state in
            defer { state.current = nil }
            state.isClosed = true
            return state.current
        }
        current?.task?.cancel()
        current?.activity?.dispose()
        for dropped in results.close().queue.waiting { dropped.activity?.dispose() }
    }

    /// Frees the slot before the result goes out, since the subscriber may send the next element from another thread at once.
    @inlinable func finish(_ result: Result) {
        // The result is enqueued under the lock: otherwise that of later work could overtake it.
        let delivery = withLock { state -> (Finished, GateState<Finished>.Observer)? in
            guard let ended = state.current else { return nil }
            state.current = nil
            let finished = (result, ended.activity)
            return results.withLock { $0.enqueue(finished) }.map { (finished, $0) }
        }
        if let (finished, observer) = delivery { results.deliver(finished, to: observer) }
    }
}

@usableFromInline
struct WorkSlotState: Sendable {
    @usableFromInline var current: (id: Int, activity: Disposable?, task: Task<Void, Never>?)?
    @usableFromInline var lastID = 0
    @usableFromInline var isClosed = false

    @usableFromInline init() {}

    /// - Returns: the ID of the work to begin, or `nil` if none is to begin now.
    @usableFromInline mutating func reserve() -> Int? {
        guard !isClosed, current == nil else { return nil }
        lastID += 1
        current = (lastID, nil, nil)
        return lastID
    }
}
