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
            return GatewayReceipt(messageID: taken.sid)
        } catch {
            throw Self.failure(of: error)
        }
    }

    /// What a Twilio error code means for the message. Source: https://www.twilio.com/docs/api/errors.
    private static func failure(of refusal: StubRefusal) -> GatewayFailure {
        switch refusal.errorCode {
        case 21211: .refused("no such number", code: 21211)
        case 21610: .refused("the recipient wants no messages", code: 21610)
        case 21612: .refused("the number cannot be reached", code: 21612)
        case 21614: .refused("the number cannot receive text messages", code: 21614)
        // The stub hung: a sender cannot know what a carrier that does not answer has done.
        case 20503 where Task.isCancelled: .ambiguous("no answer in time")
        case 20429, 20500, 20503, 21611: .retry("the stub is busy", code: refusal.errorCode)
        default: .failover("refused by the stub", code: refusal.errorCode)
        }
    }
}
