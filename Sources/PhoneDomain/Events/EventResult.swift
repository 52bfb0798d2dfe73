/// What came of an attempt to tell an event. Failures are in a few words that are always the same and never the
/// receiver's own.
public enum EventResult: Hashable, Sendable {
    /// The receiver took it.
    case delivered
    /// It did not, but may at this moment.
    case retry(at: Timestamp, failure: String)
    /// It will not, or was asked often enough.
    case failed(String)
}
