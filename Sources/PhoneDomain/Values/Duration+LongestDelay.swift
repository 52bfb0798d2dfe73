extension Duration {
    /// How much later than a request others may have been applied before it, with every clock right: whoever waited for
    /// the store, or in a program that was halted, comes with the time of its arrival. Nobody waits for as long as this.
    ///
    /// A moment that a request finds further ahead of its own, a clock has left behind that was ahead.
    static let longestDelay: Duration = .seconds(60)
}
