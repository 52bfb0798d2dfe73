import Glibc

/// How many files, connections among them, this process may have open at a time.
enum OpenFiles {
    /// What is kept for everything but connections from outside: the database, gateways, the log.
    private static let reserve = 128

    /// Raises the limit as far as the system lets it, since what shells start with, mostly 1024, is for programs that
    /// use select(2) (https://0pointer.net/blog/file-descriptor-limits.html).
    ///
    /// - Returns: how many connections from outside that leaves room for, at least one.
    static func raiseLimit() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 - reserve }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 - reserve }
        return max(1, Int(clamping: limit.rlim_cur) - reserve)
    }
}
