import Synchronization

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
    private let count = Mutex(0)
    @usableFromInline let hub = Hub<Bool>(.latest)

    /// An indicator at rest.
    public init() { hub.send(false) }

    /// Whether work is under way at this moment.
    public var isActive: Bool { count.withLock { $0 > 0 } }

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
        if let delivery {
            hub.deliver(delivery)
        }
    }
}

/// The work of one subscription, one piece at a time, and the way of its results to the observer.
// Sendable: adds only a Sendable constant to `Locked`.
@usableFromInline
final class WorkSlot<Result: Sendable>: Locked<WorkSlotState<Result>>, @unchecked Sendable {
    @usableFromInline let indicator: ActivityIndicator?

    @inlinable
    init(trackingIn indicator: ActivityIndicator?, _ observer: @escaping @Sendable (Result) -> Void) {
        self.indicator = indicator
        super.init(WorkSlotState(observer: Observer(observer)))
    }

    @inlinable
    func start(_ work: @escaping @Sendable () async -> Result) {
        guard let id = withLock({ $0.reserve() }) else { return }
        let activity = indicator?.begin()
        // The indicator has called its subscribers, and one of them may have closed the slot.
        guard withLock({ $0.keep(activity, of: id) }) else {
            activity?.dispose()
            return
        }
        let task = Task.immediate { self.finish(await work()) }
        // If the slot was closed while work began, there was no task to cancel yet.
        if withLock({ $0.keep(task, of: id) }) {
            task.cancel()
        }
    }

    @inlinable
    func close() {
        // The old state is released here, outside the lock, because a deinitialiser may send.
        let closed = withLock { state in
            defer { state = WorkSlotState(observer: nil) }
            return state
        }
        closed.current?.cancel()
        for finished in closed.queue.waiting { finished.activity?.dispose() }
    }

    @inlinable
    func finish(_ result: Result) {
        // The result is enqueued under the lock: otherwise that of later work could overtake it.
        var delivery = withLock { $0.finish(result) }
        while let (finished, observer) = delivery {
            observer.receive(finished.result)
            finished.activity?.dispose()
            delivery = withLock { $0.next() }
        }
    }
}

@usableFromInline
struct WorkSlotState<Result: Sendable>: Sendable {
    @usableFromInline
    struct Work: Sendable {
        @usableFromInline let id: Int
        @usableFromInline var activity: Disposable?
        @usableFromInline var task: Task<Void, Never>?

        @inlinable
        init(id: Int) { self.id = id }

        @inlinable
        func cancel() {
            task?.cancel()
            activity?.dispose()
        }
    }

    /// A result on its way, and the activity that ends once it has been passed on.
    @usableFromInline
    struct Finished: Sendable {
        @usableFromInline let result: Result
        @usableFromInline let activity: Disposable?

        @inlinable
        init(result: Result, activity: Disposable?) {
            self.result = result
            self.activity = activity
        }
    }

    @usableFromInline var current: Work?
    @usableFromInline var lastID = 0
    @usableFromInline var queue = SerialQueue<Finished>()
    /// `nil` once closed.
    @usableFromInline var observer: Observer<Result>?

    @inlinable
    init(observer: Observer<Result>?) { self.observer = observer }

    /// - Returns: the ID of the work to begin, or `nil` if none is to begin now.
    @inlinable
    mutating func reserve() -> Int? {
        guard observer != nil, current == nil else { return nil }
        lastID += 1
        current = Work(id: lastID)
        return lastID
    }

    /// - Returns: whether that work may begin.
    @inlinable
    mutating func keep(_ activity: Disposable?, of id: Int) -> Bool {
        guard current?.id == id else { return false }
        current?.activity = activity
        return true
    }

    /// - Returns: whether the slot is closed. The work may have ended, and other work have begun, before its task is known.
    @inlinable
    mutating func keep(_ task: Task<Void, Never>, of id: Int) -> Bool {
        if current?.id == id {
            current?.task = task
        }
        return observer == nil
    }

    /// Frees the slot before the result goes out, since the subscriber may send the next element from another thread at once.
    ///
    /// - Returns: what to deliver now, and to whom, if it is the caller's turn.
    @inlinable
    mutating func finish(_ result: Result) -> (Finished, Observer<Result>)? {
        guard let ended = current, let observer else { return nil }
        current = nil
        let finished = Finished(result: result, activity: ended.activity)
        return queue.enqueue(finished) ? (finished, observer) : nil
    }

    /// What to deliver next.
    @inlinable
    mutating func next() -> (Finished, Observer<Result>)? {
        guard let observer, let finished = queue.next() else { return nil }
        return (finished, observer)
    }
}
