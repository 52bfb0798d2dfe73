/// One subscription to the results of asynchronous work, of which no more than one piece counts at a time.
@usableFromInline
final class WorkSlot<Result: Sendable>: Locked<WorkSlotState>, @unchecked Sendable {
    /// Which piece of work counts when another is to start.
    @usableFromInline
    enum Policy: Sendable {
        case firstWins
        case latestWins
    }

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

    @usableFromInline let policy: Policy
    @usableFromInline let indicator: ActivityIndicator?
    @usableFromInline let outlet: Outlet<Finished>

    @inlinable
    init(_ policy: Policy, trackingIn indicator: ActivityIndicator?, _ observer: @escaping @Sendable (Result) -> Void) {
        self.policy = policy
        self.indicator = indicator
        outlet = Outlet { finished in
            observer(finished.result)
            finished.activity?.dispose()
        }
        super.init(WorkSlotState())
    }

    @inlinable
    func start(_ work: @escaping @Sendable () async -> Result) {
        guard let (id, replaced) = reserve() else { return }
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
        let current = withLock { state in
            defer { state = WorkSlotState(isClosed: true) }
            return state.current
        }
        current?.cancel()
        outlet.close().forEach { $0.activity?.dispose() }
    }

    @inlinable
    func reserve() -> (id: Int, replaced: WorkSlotState.Work?)? {
        withLock { state in
            if state.isClosed || (policy == .firstWins && state.current != nil) { return nil }
            let replaced = state.current
            state.lastID += 1
            state.current = WorkSlotState.Work(id: state.lastID)
            return (state.lastID, replaced)
        }
    }

    @inlinable
    func finish(_ id: Int, _ result: Result) {
        // The result takes its place under the lock: otherwise that of a later work could overtake it. The slot is
        // free before the result goes out, since whoever receives it may answer from another thread at once.
        let (finished, observer) = withLock { state -> (Finished?, Observer<Finished>?) in
            guard let current = state.current, current.id == id else { return (nil, nil) }
            state.current = nil
            let finished = Finished(result: result, activity: current.activity)
            return (finished, outlet.claim(finished))
        }
        if let finished, let observer {
            outlet.deliver(finished, to: observer)
        }
    }
}
