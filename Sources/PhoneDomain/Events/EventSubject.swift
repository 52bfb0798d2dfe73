/// What an ``Event`` is about.
public enum EventSubject: Hashable, Sendable {
    /// A verification.
    case verification(Verification.ID)
    /// A message.
    case message(OutboxMessage.ID)
    /// An account.
    case account(Account.ID)
    /// The numbers that begin so (``TrafficKey/prefix(_:)``).
    case prefix(String)
}

extension EventSubject: LosslessStringConvertible {
    /// As stores keep it: an identifier, or `+82101234`.
    public var description: String {
        switch self {
        case .verification(let id): id.description
        case .message(let id): id.description
        case .account(let id): id.description
        case .prefix(let prefix): prefix
        }
    }

    /// Reads what ``description`` wrote; nil for anything else.
    public init?(_ description: String) {
        if let id = Verification.ID(description) {
            self = .verification(id)
        } else if let id = OutboxMessage.ID(description) {
            self = .message(id)
        } else if let id = Account.ID(description) {
            self = .account(id)
        } else if case .prefix(let prefix)? = TrafficKey(description) {
            self = .prefix(prefix)
        } else {
            return nil
        }
    }
}
