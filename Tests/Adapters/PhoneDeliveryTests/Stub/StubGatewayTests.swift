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
        await stub.setBehavior(StubBehavior(mode: .fail))

        let receipt = try await gateway.send(try vendorMessage())

        #expect(receipt.outcome == .undelivered(code: 30008))
        #expect(await stub.message(sid: receipt.messageID)?.status == .undelivered)
    }

    @Test("a refusal determines what may be done next, as by Twilio")
    func refuses() async throws {
        let (stub, gateway) = make()
        await stub.setBehavior(StubBehavior(mode: .reject, errorCode: 21211))

        await #expect(throws: GatewayFailure.refused("no such number", code: 21211)) {
            try await gateway.send(try vendorMessage())
        }
    }

    @Test("a timeout of a stub that hangs is ambiguous")
    func hangs() async throws {
        let (stub, gateway) = make()
        await stub.setBehavior(StubBehavior(mode: .hang))
        let sending = Task { try await gateway.send(try vendorMessage()) }
        sending.cancel()

        await #expect(throws: GatewayFailure.ambiguous("no response in time")) { try await sending.value }
    }

    private func make() -> (SMSStub, StubGateway) {
        let stub = SMSStub(identifiers: CountingIdentifiers(), wallClock: ManualClock(), clock: ManualTimer())
        return (stub, StubGateway(stub: stub, sender: "Acme"))
    }
}
