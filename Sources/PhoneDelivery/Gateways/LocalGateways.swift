public import PhoneDomain

/// Prints messages, code and all, instead of sending them: for development.
public struct ConsoleGateway: MessageGateway {
    public let name = "console"

    private let write: @Sendable (String) -> Void

    /// - Parameter write: gets each message in one call, as lines without a line break at the end.
    public init(write: @escaping @Sendable (String) -> Void) { self.write = write }

    public func send(_ message: GatewayMessage) -> GatewayReceipt {
        let body = message.body.split(separator: "\n", omittingEmptySubsequences: false).map { "  | \($0)" }
        write((["[SMS, not sent] to \(message.to.masked)"] + body).joined(separator: "\n"))
        return GatewayReceipt(messageID: message.dedupeKey)
    }
}

/// Sends messages to an SMS stub in the same process.
public struct StubGateway: MessageGateway {
    public let name = "stub"
    public let receipts: AsyncStream<DeliveryReceipt>?

    private let inbox: any StubInbox
    private let sender: String

    /// - Parameters:
    ///   - sender: the number or name that messages come from.
    ///   - receipts: the stub's receipts (``SMSStub/receipts``); nil to ignore them.
    public init(inbox: any StubInbox, sender: String, receipts: AsyncStream<DeliveryReceipt>? = nil) {
        self.inbox = inbox
        self.receipts = receipts
        self.sender = sender
    }

    public func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        do {
            let accepted = try await inbox.accept(to: message.to.e164, from: sender, body: message.body)
            // It has its final status by now, unless the stub is set to take its time.
            return GatewayReceipt(messageID: accepted.sid, outcome: await inbox.message(sid: accepted.sid)?.outcome)
        } catch {
            // The stub hung: a sender cannot know what a carrier did that does not respond.
            if error.errorCode == 20503, Task.isCancelled { throw .ambiguous("no answer in time") }
            throw .refusal(twilioCode: error.errorCode)
        }
    }
}
