public import PhoneDomain

/// A change of a message in the SMS stub, of which its sender is to be told.
public struct StubChange: Hashable, Sendable {
    /// The message as it was after the change.
    public let message: StubMessage
    /// Whom to tell.
    public let callback: StubCallback
}
