import PhoneDomain

/// Shows messages instead of sending them, code and all: for development, where one person is all there is.
public struct ConsoleGateway: MessageGateway {
    public let name = "console"

    private let write: @Sendable (String) -> Void

    /// A gateway that writes to a sink.
    ///
    /// - Parameter write: gets each message in one call, as lines without a line break at the end.
    public init(write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    public func send(_ message: GatewayMessage) -> GatewayReceipt {
        let body = message.body.split(separator: "\n", omittingEmptySubsequences: false).map { "  | \($0)" }
        write((["[SMS, not sent] to \(message.to.masked)"] + body).joined(separator: "\n"))
        return GatewayReceipt(messageID: message.dedupeKey)
    }
}
