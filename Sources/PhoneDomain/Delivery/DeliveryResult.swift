/// What came of an attempt to send a message.
///
/// Failures are told in a few words that are always the same and never a gateway's own, which quote number and text.
public enum DeliveryResult: Hashable, Sendable {
    /// A gateway took it. How it fared is known at once of few.
    case sent(gateway: String, gatewayMessageID: String?, outcome: RecordReceipt.Outcome? = nil)
    /// A gateway may have taken it, and a repeat is unsafe, or was tried too often or for too long.
    case unknown(gateway: String, failure: String)
    /// It is to be tried again at this moment: by `gateway` alone if that is idempotent and may have taken it already, or by
    /// any if none did.
    case retry(at: Timestamp, failure: String, gateway: String? = nil)
    /// No gateway was asked, since none can be reached; one may be at this moment. The attempt does not count.
    case postponed(until: Timestamp)
    /// No gateway will.
    case failed(String)
    /// It was no longer worth sending.
    case dropped
    /// It was not to be sent.
    case withheld
}
