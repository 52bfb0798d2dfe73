/// What time it is.
public protocol WallClock: Sendable {
    /// This moment.
    func now() -> Timestamp
}
