public import PhoneDomain

/// Hands messages to an SMS stub within the program, as a real gateway hands them to a carrier.
public struct StubGateway: MessageGateway {
    public let name = "stub"
    public let receipts: AsyncStream<DeliveryReceipt>?

    private let inbox: any StubInbox
    private let sender: String

    /// A gateway to this stub.
    ///
    /// - Parameters:
    ///   - inbox: where messages go.
    ///   - sender: the number or name that they come from.
    ///   - receipts: what the stub says of them later (``SMSStub/receipts``); nil if nobody wants to know.
    public init(inbox: any StubInbox, sender: String, receipts: AsyncStream<DeliveryReceipt>? = nil) {
        self.inbox = inbox
        self.receipts = receipts
        self.sender = sender
    }

    public func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        do {
            let taken = try await inbox.accept(to: message.to.e164, from: sender, body: message.body)
            // At its end by now, unless the stub was told to take its time.
            return GatewayReceipt(messageID: taken.sid, outcome: await inbox.message(sid: taken.sid)?.outcome)
        } catch {
            throw Self.failure(of: error)
        }
    }

    private static func failure(of refusal: StubRefusal) -> GatewayFailure {
        // The stub hung: a sender cannot know what a carrier that does not answer has done.
        if refusal.errorCode == 20503, Task.isCancelled { return .ambiguous("no answer in time") }
        return .refusal(twilioCode: refusal.errorCode)
    }
}
