/// What came of an attempt to send a message.
///
/// Failures are told in a few words that are always the same and never a gateway's own, which quote number and text.
public enum DeliveryResult: Hashable, Sendable {
    /// A gateway took it, or may have: then it has no name there, since nobody was told. How it fared is known at once of few.
    case sent(gateway: String, gatewayMessageID: String?, outcome: RecordReceipt.Outcome? = nil)
    /// No gateway took it, but one may at this moment.
    case retry(at: Timestamp, failure: String)
    /// No gateway was asked, since none can be reached; one may be at this moment. The attempt does not count.
    case postponed(until: Timestamp)
    /// No gateway will.
    case failed(String)
    /// It was no longer worth sending.
    case dropped
    /// It was not to be sent.
    case withheld
}
