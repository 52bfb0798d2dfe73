/// Waits that double from one failure to the next, up to a longest one.
struct BackOff: Hashable, Sendable {
    /// The wait after the first failure.
    let first: Duration
    /// The longest wait.
    let longest: Duration

    /// The wait after the `count`th failure in a row, counted from 1.
    func wait(after count: Int) -> Duration {
        // Doubled 20 times, a millisecond is over a quarter of an hour; more would only risk an overflow.
        min(longest, first * (1 << min(max(count, 1) - 1, 20)))
    }

    /// A part of ``wait(after:)``, so that what failed together does not come back together (full jitter:
    /// https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
    ///
    /// - Parameter jitter: which part, 0 to 1.
    func wait(after count: Int, jitter: Double) -> Duration {
        wait(after: count) * min(max(jitter, 0), 1)
    }
}
