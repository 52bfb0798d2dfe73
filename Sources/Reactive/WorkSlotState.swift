/// What a ``WorkSlot`` keeps under its lock.
@usableFromInline
struct WorkSlotState: Sendable {
    @usableFromInline
    struct Work: Sendable {
        @usableFromInline let id: Int
        @usableFromInline var activity: Disposable?
        @usableFromInline var task: Task<Void, Never>?

        @inlinable
        init(id: Int, activity: Disposable? = nil, task: Task<Void, Never>? = nil) {
            self.id = id
            self.activity = activity
            self.task = task
        }

        @inlinable
        func cancel() {
            task?.cancel()
            activity?.dispose()
        }
    }

    @usableFromInline var current: Work?
    @usableFromInline var lastID = 0
    @usableFromInline var isClosed: Bool

    @inlinable
    init(isClosed: Bool = false) {
        self.isClosed = isClosed
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
        return isClosed
    }
}
