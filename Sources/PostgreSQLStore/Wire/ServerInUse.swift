import Synchronization

/// Which of the servers that a URL names the connections of a store lead to.
///
/// All to the same: a primary that was cut off and knows nothing of its successor would otherwise keep what comes over
/// one connection, and its successor what comes over the next. It is also the first that is tried when a connection is
/// lost, so that nobody goes back to one that has been replaced and is in its place again.
final class ServerInUse: Sendable {
    private let current = Mutex(0)

    /// Its place in ``ServerAddresses/all``.
    var index: Int { current.withLock(\.self) }

    /// Moves on to another, unless somebody has moved meanwhile.
    ///
    /// - Returns: whether `new` is the one in use now.
    func move(from old: Int, to new: Int) -> Bool {
        current.withLock { current in
            if current == old { current = new }
            return current == new
        }
    }
}
