/// An event taken for sending, with what is to be told.
public struct EventClaim: Hashable, Sendable {
    /// The event, as it stands after the claim.
    public let event: Event
    /// What it is about, as it is at the claim.
    public let content: EventContent

    /// A claim on this event.
    public init(event: Event, content: EventContent) {
        self.event = event
        self.content = content
    }
}
