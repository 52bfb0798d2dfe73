import PhoneDomain
import PhoneNumbers
import Synchronization
import Testing

@testable import PhoneDelivery

@Suite("The console gateway")
struct ConsoleGatewayTests {
    @Test("a message is written in one go, marked as not sent, each of its lines set off")
    func writes() async throws {
        let written = Written()
        let gateway = ConsoleGateway { text in written.texts.withLock { $0.append(text) } }
        let message = GatewayMessage(
            dedupeKey: "msg_1",
            to: try PhoneNumber(e164: "+821012345678"),
            body: "[Acme] 482913\n\n@acme.test #482913",
            language: .korean
        )

        #expect(gateway.send(message) == GatewayReceipt(messageID: "msg_1"))

        #expect(
            written.texts.withLock { $0 } == [
                """
                [SMS, not sent] to +82 10-****-5678
                  | [Acme] 482913
                  |\u{20}
                  | @acme.test #482913
                """
            ]
        )
    }

    private final class Written: Sendable {
        let texts = Mutex<[String]>([])
    }
}
