import PhoneDomain
import Testing

@testable import PhoneDelivery

/// Tests a gateway's failure for a response, and the dispatcher's result.
enum GatewayTrial {
    static func message(
        _ body: String = "482913 is your code",
        to number: String = "+821012345678",
        isNotice: Bool = true
    ) throws -> GatewayMessage {
        GatewayMessage(
            dedupeKey: "msg_1",
            to: try PhoneNumber(e164: number),
            body: body,
            language: .english,
            variables: isNotice ? nil : MessageVariables(code: "482913", service: "Acme", minutes: 3)
        )
    }

    /// Sends by it to a vendor with this response: the failure is the expected one, the message is sent once, and no
    /// secret is logged.
    static func expect(
        _ answer: VendorResponses.Case,
        secrets: [String],
        of gateway: (_ port: Int) throws -> any MessageGateway
    ) async throws {
        try await FakeVendor.with(answer.behavior) { vendor in
            let gateway = try gateway(vendor.port)
            let message = try message()
            await #expect(throws: answer.failure, "\(answer.name)") { try await gateway.send(message) }
            #expect(vendor.requests.count == 1, "\(answer.name)")
        }
        try await FakeVendor.with(answer.behavior) { vendor in
            let world = try World()
            try await world.queue()
            let (a, b) = (try gateway(vendor.port), ScriptedGateway("b"))

            try await world.dispatcher([a, b]).drain()

            let words = ["failed": "failed, attempt 1", "b": "sent by b as b-1, attempt 1"]
            let wanted = words[answer.outcome] ?? "unknown at \(a.name), attempt 1"
            #expect(await world.outbox == [wanted], "\(answer.name)")
            #expect(vendor.requests.count == 1, "\(answer.name)")
            for secret in secrets + ["482913", "1012345"] {
                #expect(world.log.lines.filter { $0.contains(secret) } == [], "\(secret)")
            }
        }
    }

    /// Sends by it to a vendor that does not respond, until the timeout.
    static func expectSilenceIsAmbiguous(of gateway: (_ port: Int) throws -> any MessageGateway) async throws {
        try await FakeVendor.with(.hang) { vendor in
            let gateway = try gateway(vendor.port)
            let message = try message()
            let sending = Task { try await gateway.send(message) }
            try await vendor.hasRead(1)
            sending.cancel()
            await #expect(throws: GatewayFailure.ambiguous("no response in time")) { try await sending.value }
        }
    }
}
