/// One subscription to the results of asynchronous work, of which no more than one piece counts at a time.
// Sendable by proof: it is a ``Locked``, whose proof stands there, and stores constants besides.
@usableFromInline
final class WorkSlot<Result: Sendable>: Locked<WorkSlotState<Result>>, @unchecked Sendable {
    /// Which piece of work counts when another is to start.
    @usableFromInline
    enum Policy: Sendable {
        case firstWins
        case latestWins
    }

    @usableFromInline let policy: Policy
    @usableFromInline let indicator: ActivityIndicator?

    @inlinable
    init(_ policy: Policy, trackingIn indicator: ActivityIndicator?, _ observer: @escaping @Sendable (Result) -> Void) {
        self.policy = policy
        self.indicator = indicator
        super.init(WorkSlotState(observer: Observer(observer)))
    }

    @inlinable
    func start(_ work: @escaping @Sendable () async -> Result) {
        guard let (id, replaced) = withLock({ $0.reserve(replacing: policy == .latestWins) }) else { return }
        let activity = indicator?.begin()
        // Only now: if the older work ended first, the indicator would flicker.
        replaced?.cancel()
        // The indicator has called its subscribers, and they may have closed the slot.
        guard withLock({ $0.keep(activity, of: id) }) else {
            activity?.dispose()
            return
        }
        let task = Task.immediate { self.finish(id, await work()) }
        // While work begins there is no task to cancel yet: who closed the slot meanwhile left that to us.
        let isClosed = withLock { $0.keep(task, of: id) }
        if isClosed {
            task.cancel()
        }
    }

    @inlinable
    func close() {
        // What was there is released here, not under the lock: a deinitialiser may well send.
        let closed = withLock { state in
            defer { state = WorkSlotState(observer: nil) }
            return state
        }
        closed.current?.cancel()
        for finished in closed.turns.waiting { finished.activity?.dispose() }
    }

    @inlinable
    func finish(_ id: Int, _ result: Result) {
        // The result takes its place under the lock: otherwise that of a later work could overtake it.
        var delivery = withLock { $0.finish(id, result) }
        while let (finished, observer) = delivery {
            observer.receive(finished.result)
            finished.activity?.dispose()
            delivery = withLock { $0.next() }
        }
    }
}
