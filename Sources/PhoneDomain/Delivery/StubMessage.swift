/// A text message that the SMS stub was handed in place of a carrier.
public struct StubMessage: Hashable, Sendable {
    /// How the message fared. The raw values are those of Twilio's Messages API.
    public enum Status: String, Sendable, CaseIterable {
        /// Taken by a messaging service, which has not chosen a sender yet.
        case accepted
        /// Taken, and to be sent later.
        case scheduled
        /// Taken, waits to be sent.
        case queued
        /// On its way to the carrier.
        case sending
        /// The carrier has it.
        case sent
        /// Arrived.
        case delivered
        /// Lost, with an error code.
        case undelivered
        /// Never sent, with an error code.
        case failed
        /// Called back by its sender before it was sent.
        case canceled

        /// Whether it stays so.
        public var isFinal: Bool {
            switch self {
            case .delivered, .undelivered, .failed, .canceled: true
            case .accepted, .scheduled, .queued, .sending, .sent: false
            }
        }
    }

    /// `SM`, or `CA` for a phone call, and 32 hexadecimal digits, as Twilio has it.
    public let sid: String
    /// Whether it was a phone call (``StubOrder/isCall``).
    public var isCall: Bool { sid.hasPrefix("CA") }
    /// The place among all that the stub took, from 1.
    public let serial: Int
    /// The number it was sent to, as the sender wrote it.
    public let to: String
    /// The number or name it is sent from; nil while the messaging service has not chosen one.
    public internal(set) var from: String?
    /// The messaging service that it is sent by, or nil.
    public let messagingService: String?
    /// The text; empty once its sender had it forgotten.
    public internal(set) var body: String
    /// How it fared.
    public internal(set) var status: Status
    /// Why it was lost or not sent: a Twilio error code, or nil.
    public internal(set) var errorCode: Int?
    /// Of how many parts it would consist on its way.
    public let segments: Int
    /// When the stub was handed it.
    public let createdAt: Timestamp
    /// When something about it changed last.
    public internal(set) var updatedAt: Timestamp
    /// When it was sent; nil if it was not, or not yet.
    public internal(set) var sentAt: Timestamp?

    /// A message of these parts.
    public init(
        sid: String,
        serial: Int,
        to: String,
        from: String?,
        messagingService: String? = nil,
        body: String,
        status: Status,
        errorCode: Int? = nil,
        segments: Int,
        createdAt: Timestamp,
        updatedAt: Timestamp,
        sentAt: Timestamp?
    ) {
        self.sid = sid
        self.serial = serial
        self.to = to
        self.from = from
        self.messagingService = messagingService
        self.body = body
        self.status = status
        self.errorCode = errorCode
        self.segments = segments
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.sentAt = sentAt
    }

    /// Whom it comes from as far as is known: the number or name, or else the messaging service.
    public var sender: String { from ?? messagingService ?? "" }
}
