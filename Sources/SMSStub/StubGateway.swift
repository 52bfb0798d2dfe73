public import PhoneDelivery
import PhoneDomain

/// Sends messages to an SMS stub in the same process.
public struct StubGateway: MessageGateway {
    public let name = "stub"

    private let stub: SMSStub
    private let sender: String

    public init(stub: SMSStub, sender: String) { (self.stub, self.sender) = (stub, sender) }

    public var receipts: AsyncStream<DeliveryReceipt>? { stub.receipts }

    public func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        do {
            let accepted = try await stub.accept(to: message.to.e164, from: sender, body: message.body)
            // It has its final status by now, unless the stub is set to take its time.
            return GatewayReceipt(messageID: accepted.sid, outcome: await stub.message(sid: accepted.sid)?.outcome)
        } catch {
            // The stub hung: a sender cannot know what a carrier did that does not respond.
            if error.errorCode == 20503, Task.isCancelled { throw .ambiguous("no answer in time") }
            throw .refusal(twilioCode: error.errorCode)
        }
    }
}
