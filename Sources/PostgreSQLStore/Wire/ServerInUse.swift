import Synchronization

/// Which of the servers that a URL names the connections of a store lead to.
///
/// All to the same: a primary that was cut off and knows nothing of its successor would otherwise keep what comes over
/// one connection, and its successor what comes over the next. It is also the first that is tried when a connection is
/// lost, so that nobody goes back to one that has been replaced and is in its place again.
///
/// What one connection finds out holds for all: that nobody takes us in at the moment, and that somebody does again.
final class ServerInUse: Sendable {
    private struct State {
        var index = 0
        var failure: PostgreSQLStoreError?
        /// Until when it is not worth trying again.
        var pauseEnd = ContinuousClock.now
        var failuresInRun = 0
        var diskFailure: PostgreSQLStoreError?
    }

    private let state = Mutex(State())

    /// Its place in ``ServerAddresses/all``.
    var index: Int { state.withLock(\.index) }

    /// Moves on to another, unless somebody has moved meanwhile.
    ///
    /// - Returns: whether `new` is the one in use now.
    func move(from old: Int, to new: Int) -> Bool {
        state.withLock { state in
            if state.index == old { state.index = new }
            return state.index == new
        }
    }

    /// Why there is no server, if that was found a moment ago.
    var failure: PostgreSQLStoreError? {
        state.withLock { $0.pauseEnd > .now ? $0.failure : nil }
    }

    /// Has nobody try for a moment: a short one at first, so that a restart is over as soon as the server is back; not so
    /// short that a server that comes up is kept from it.
    func recordFailure(_ error: PostgreSQLStoreError) {
        state.withLock { state in
            state.failuresInRun += 1
            state.failure = error
            state.pauseEnd = .now + .milliseconds(min(1000, 50 << min(state.failuresInRun, 5)))
        }
    }

    /// That the server's disk was full, until ``PostgreSQLStore/ping()`` finds that it takes a batch again.
    var diskFailure: PostgreSQLStoreError? {
        get { state.withLock(\.diskFailure) }
        set { state.withLock { $0.diskFailure = newValue } }
    }

    /// Has everybody try again at once.
    func recordSuccess() {
        state.withLock { ($0.failure, $0.failuresInRun) = (nil, 0) }
    }
}
