import PhoneDomain
import PhoneNumbers
import Synchronization
import Testing

@testable import PhoneDelivery

@Suite("Failures of gateways")
struct GatewayFailureTests {
    @Test("what a vendor calls a code may be a number, and is not kept")
    func codes() {
        #expect(GatewayFailure.refused("no such number", code: 21211).text == "no such number (21211)")
        #expect(GatewayFailure.failover("refused", code: -201).code == -201)
        #expect(GatewayFailure.busy("busy", code: 999_999).code == 999_999)
        for code in [1_000_000, -1_000_000, 821_012_345_678, Int.min, Int.max] {
            #expect(GatewayFailure.retry("down", code: code).code == nil)
            #expect(GatewayFailure.ambiguous("nobody knows", code: code).text == "nobody knows")
        }
    }

    @Test("an ID with the number in it, in either format, is recognised")
    func quotes() throws {
        let number = try PhoneNumber(e164: "+821012345678")
        for id in ["821012345678", "a-01012345678-7", "m1012345678", "82 10-1234-5678"] {
            #expect(GatewayMessageID(id).quotes(number), "\(id)")
        }
        for id in ["", "1", "20260102-012345678", "82101234567"] {
            #expect(!GatewayMessageID(id).quotes(number), "\(id)")
        }
    }
}

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
