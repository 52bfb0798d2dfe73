/// A key that has used some of its limit.
public struct MeterInUse: Hashable, Sendable {
    /// The key.
    public let key: LimitKey
    /// How far it has used it.
    public let meter: RateMeter

    /// The meter of this key.
    public init(key: LimitKey, meter: RateMeter) {
        self.key = key
        self.meter = meter
    }
}
