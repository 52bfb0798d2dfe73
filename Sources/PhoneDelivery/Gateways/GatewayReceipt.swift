/// A gateway's word that it took a message.
public struct GatewayReceipt: Hashable, Sendable {
    /// The gateway's own name for the message, by which it reports on it later; where it has none, the dedupe key.
    public let messageID: String

    /// A receipt with this name.
    public init(messageID: String) {
        self.messageID = messageID
    }
}
