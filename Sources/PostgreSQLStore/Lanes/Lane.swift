import Synchronization

/// Work that waits for a connection, and the workers who take it: whoever is free takes all that waits, up to a limit.
///
/// While one batch is at the server the next one gathers: alone a caller waits for no one, and the more callers there
/// are, the less each of them costs.
final class Lane<Work: Sendable>: Sendable {
    private struct State {
        var waiting: [Work] = []
        var idle: [Worker]
        var isClosed = false
    }

    private let state: Mutex<State>
    private let workers: [Worker]
    private let batchLimit: Int
    private let waitingLimit: Int
    private let serve: @Sendable ([Work], Worker) -> Bool
    private let refuse: @Sendable (Work, PostgreSQLStoreError) -> Void

    /// - Parameters:
    ///   - batchLimit: the most that is taken at once, so that nobody waits for long.
    ///   - waitingLimit: the most that waits; whatever comes beyond is refused at once, so that a database that hangs
    ///     costs neither memory nor, when it is back, the time for what nobody waits for any more.
    ///   - serve: does the work with a worker, on its thread, and tells the callers. It returns whether there is a server:
    ///     where none is, what has gathered meanwhile has waited for it as well, and is refused.
    ///   - refuse: tells a caller that its work was not done.
    init(
        workers: [Worker],
        batchLimit: Int,
        waitingLimit: Int = 10_000,
        serve: @escaping @Sendable ([Work], Worker) -> Bool,
        refuse: @escaping @Sendable (Work, PostgreSQLStoreError) -> Void
    ) {
        self.workers = workers
        self.batchLimit = batchLimit
        self.waitingLimit = waitingLimit
        self.serve = serve
        self.refuse = refuse
        state = Mutex(State(idle: workers))
    }

    func submit(_ work: Work) {
        let (worker, refusal): (Worker?, PostgreSQLStoreError?) = state.withLock { state in
            guard !state.isClosed else { return (nil, .closed) }
            guard state.waiting.count < waitingLimit else { return (nil, .overloaded(waiting: waitingLimit)) }
            state.waiting.append(work)
            return (state.idle.popLast(), nil)
        }
        if let refusal { refuse(work, refusal) }
        if let worker { worker.schedule { self.run(worker) } }
    }

    /// Takes nothing any more, does what waits, and closes the connections.
    func close() {
        state.withLock { $0.isClosed = true }
        for worker in workers { worker.close() }
    }

    private func run(_ worker: Worker) {
        while true {
            let batch = state.withLock { state in
                let batch = Array(state.waiting.prefix(batchLimit))
                state.waiting.removeFirst(batch.count)
                if batch.isEmpty { state.idle.append(worker) }
                return batch
            }
            guard !batch.isEmpty else { return }
            guard !serve(batch, worker) else { continue }
            let stranded = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            for work in stranded { refuse(work, .unreachable(reason: "it was not there for others either")) }
        }
    }
}
