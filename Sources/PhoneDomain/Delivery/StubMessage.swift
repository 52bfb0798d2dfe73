/// A text message that the SMS stub was handed in place of a carrier.
public struct StubMessage: Hashable, Sendable {
    /// How the message fared. The raw values are those of Twilio's Messages API.
    public enum Status: String, Sendable {
        /// Accepted, on its way.
        case queued
        /// Arrived.
        case delivered
        /// Lost, with an error code.
        case undelivered
    }

    /// `SM` and 32 hexadecimal digits, as Twilio names messages.
    public let sid: String
    /// The number it was sent to, as the sender wrote it.
    public let to: String
    /// The number or name it was sent from.
    public let from: String
    /// The text.
    public let body: String
    /// How it fared.
    public let status: Status
    /// Why it was lost: a Twilio error code, or nil.
    public let errorCode: Int?
    /// Of how many parts it would consist on its way.
    public let segments: Int
    /// When the stub was handed it.
    public let createdAt: Timestamp

    /// A message of these parts.
    public init(
        sid: String,
        to: String,
        from: String,
        body: String,
        status: Status,
        errorCode: Int?,
        segments: Int,
        createdAt: Timestamp
    ) {
        self.sid = sid
        self.to = to
        self.from = from
        self.body = body
        self.status = status
        self.errorCode = errorCode
        self.segments = segments
        self.createdAt = createdAt
    }
}
