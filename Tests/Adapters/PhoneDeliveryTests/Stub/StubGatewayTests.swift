import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneDelivery
@testable import SMSStub

@Suite("The gateway to the stub", .hangLimit)
struct StubGatewayTests {
    @Test("a message arrives at the stub, and the receipt names it")
    func delivers() async throws {
        let (stub, gateway) = make()

        let receipt = try await gateway.send(try vendorMessage())

        #expect(receipt == GatewayReceipt(messageID: "SM00000000000000000000000000000001", outcome: .delivered))
        let taken = await stub.messages(to: "+821012345678", limit: 10)
        #expect(taken.map(\.body) == ["482913 is your code"])
        #expect(taken.map(\.request.from) == ["Acme"])
    }

    @Test("a message that is lost in transit was accepted")
    func loses() async throws {
        let (stub, gateway) = make()
        await stub.setBehavior(StubBehavior(mode: .fail, delay: .zero, errorCode: nil, toPrefix: nil))

        let receipt = try await gateway.send(try vendorMessage())

        #expect(receipt.outcome == .undelivered(code: 30008))
        #expect(await stub.message(sid: receipt.messageID)?.status == .undelivered)
    }

    static let refusals: [(code: Int, failure: GatewayFailure)] = [
        (21211, .refused("no such number", code: 21211)),
        (21610, .refused("the recipient has opted out", code: 21610)),
        (21612, .failover("the sender cannot reach the number", code: 21612)),
        (21614, .refused("the number cannot receive text messages", code: 21614)),
        (20429, .busy("the gateway is busy", code: 20429)),
        (20500, .retry("the gateway is down", code: 20500)),
        (20503, .retry("the gateway is down", code: 20503)),
        (21611, .busy("the gateway is busy", code: 21611)),
        (21408, .failover("the gateway does not serve the country", code: 21408)),
        (99999, .failover("the gateway refused the message", code: 99999)),
    ]

    @Test("a refusal determines what may be done next", arguments: refusals)
    func refuses(code: Int, failure: GatewayFailure) async throws {
        let (stub, gateway) = make()
        await stub.setBehavior(StubBehavior(mode: .reject, delay: .zero, errorCode: code, toPrefix: nil))

        await #expect(throws: failure) { try await gateway.send(try vendorMessage()) }
    }

    @Test("a timeout of a stub that hangs is ambiguous")
    func hangs() async throws {
        let (stub, gateway) = make()
        await stub.setBehavior(StubBehavior(mode: .hang, delay: .zero, errorCode: nil, toPrefix: nil))
        let sending = Task { try await gateway.send(try vendorMessage()) }
        sending.cancel()

        await #expect(throws: GatewayFailure.ambiguous("no response in time")) { try await sending.value }
    }

    private func make() -> (SMSStub, StubGateway) {
        let stub = SMSStub(identifiers: CountingIdentifiers(), wallClock: ManualClock(), clock: ManualTimer())
        return (stub, StubGateway(stub: stub, sender: "Acme"))
    }
}
