/// What a ``WorkSlot`` keeps under its lock.
@usableFromInline
struct WorkSlotState<Result: Sendable>: Sendable {
    @usableFromInline
    struct Work: Sendable {
        @usableFromInline let id: Int
        @usableFromInline var activity: Disposable?
        @usableFromInline var task: Task<Void, Never>?

        @inlinable
        init(id: Int) {
            self.id = id
        }

        @inlinable
        func cancel() {
            task?.cancel()
            activity?.dispose()
        }
    }

    /// A result on its way.
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
    @usableFromInline var turns = Turns<Finished>()
    /// `nil` once closed.
    @usableFromInline var observer: Observer<Result>?

    @inlinable
    init(observer: Observer<Result>?) {
        self.observer = observer
    }

    /// Makes room for other work.
    ///
    /// - Returns: the number of that work, and what it takes the place of; nil if it is not to be begun.
    @inlinable
    mutating func reserve(replacing: Bool) -> (id: Int, replaced: Work?)? {
        guard observer != nil, replacing || current == nil else { return nil }
        let replaced = current
        lastID += 1
        current = Work(id: lastID)
        return (lastID, replaced)
    }

    /// - Returns: whether that work still counts.
    @inlinable
    mutating func keep(_ activity: Disposable?, of id: Int) -> Bool {
        guard current?.id == id else { return false }
        current?.activity = activity
        return true
    }

    /// - Returns: whether the slot is closed.
    @inlinable
    mutating func keep(_ task: Task<Void, Never>, of id: Int) -> Bool {
        if current?.id == id {
            current?.task = task
        }
        return observer == nil
    }

    /// The slot is free before the result goes out, since whoever receives it may answer from another thread at once.
    ///
    /// - Returns: what to deliver now, and to whom, if it is the caller's turn.
    @inlinable
    mutating func finish(_ id: Int, _ result: Result) -> (Finished, Observer<Result>)? {
        guard let ended = current, ended.id == id, let observer else { return nil }
        current = nil
        let finished = Finished(result: result, activity: ended.activity)
        return turns.enter(finished) ? (finished, observer) : nil
    }

    /// What to deliver after the one just delivered.
    @inlinable
    mutating func next() -> (Finished, Observer<Result>)? {
        guard let observer, let finished = turns.next() else { return nil }
        return (finished, observer)
    }
}
