/// A number and what it has been through.
public struct BusyNumber: Hashable, Sendable {
    /// The number in E.164; it is shown masked.
    public let e164: String
    /// What it has been through, as it was left by the last request: part of it may be past its time.
    public let activity: NumberActivity

    /// The activity of this number.
    public init(e164: String, activity: NumberActivity) {
        self.e164 = e164
        self.activity = activity
    }
}
