/// What came of an attempt to send a message.
public enum DeliveryResult: Hashable, Sendable {
    /// A gateway took it, or may have: then it has no name there, since nobody was told.
    case sent(gateway: String, gatewayMessageID: String?)
    /// No gateway took it, but one may at this moment.
    case retry(at: Timestamp)
    /// No gateway will.
    case failed
    /// It was no longer worth sending.
    case dropped
    /// It was not to be sent.
    case withheld
}
