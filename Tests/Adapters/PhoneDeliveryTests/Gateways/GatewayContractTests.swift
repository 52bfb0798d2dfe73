import PhoneDomain
import PhoneNumbers
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

/// The gateways to vendors, each with everything that its vendor may answer.
enum Vendor: String, CaseIterable, Sendable {
    case twilio, sns, aws, vonage, sens, solapi, json, form

    func gateway(port: Int) throws -> any MessageGateway {
        switch self {
        case .twilio: try TwilioGatewayTests.gateway(port: port)
        case .sns: try SNSGatewayTests.gateway(port: port, token: "AQoDYXdz")
        case .aws: try AWSGatewayTests.gateway(port: port)
        case .vonage: try VonageGatewayTests.gateway(port: port)
        case .sens: try SENSGatewayTests.gateway(port: port)
        case .solapi: try SolapiGatewayTests.gateway(port: port)
        case .json: try HTTPGatewayExample.json(port: port)
        case .form: try HTTPGatewayExample.form(port: port)
        }
    }

    /// What no log may show.
    var secrets: [String] {
        switch self {
        case .twilio: ["t0ken", "dDBrZW4", "no\""]
        case .sns: [SNSGatewayTests.secret, "AQo"]
        case .aws: [SNSGatewayTests.secret]
        case .vonage: ["s3cret", "YWJjZDE"]
        case .sens: ["SKDEMO", "AKDEMO"]
        case .solapi: ["SECRETDEMO"]
        case .json: ["s3cret", "account=7"]
        case .form: ["k+e=y", "k%2Be"]
        }
    }

    var answers: [VendorAnswer] {
        switch self {
        case .twilio: TwilioGatewayTests.answers
        case .sns: SNSGatewayTests.answers + VendorAnswer.unreadable + [.notFound]
        case .aws: AWSGatewayTests.answers
        case .vonage: VonageGatewayTests.answers + VendorAnswer.unreadable + [.notFound]
        case .sens: SENSGatewayTests.answers
        case .solapi: SolapiGatewayTests.answers + VendorAnswer.unreadable + [.notFound]
        case .json: HTTPGatewayTests.jsonAnswers + VendorAnswer.unreadable + [.notFound]
        case .form: HTTPGatewayTests.formAnswers
        }
    }
}

@Suite("Every gateway", .hangLimit)
struct GatewayContractTests {
    static let answers = Vendor.allCases.flatMap { vendor in
        (vendor.answers + VendorAnswer.proxies).map { (vendor, $0) }
    }

    @Test("a response determines what may be done next, and the message is sent once", arguments: answers)
    func failure(of kind: Vendor, answer: VendorAnswer) async throws {
        try await FakeVendor.with(answer.behavior) { vendor in
            let (gateway, message) = (try kind.gateway(port: vendor.port), try vendorMessage())
            await #expect(throws: answer.failure) { try await gateway.send(message) }
            #expect([vendor.requests.count, vendor.connections] == [1, 1])
        }
    }

    @Test("and the dispatcher does it, and logs no secret", arguments: answers)
    func result(of kind: Vendor, answer: VendorAnswer) async throws {
        try await FakeVendor.with(answer.behavior) { vendor in
            let world = try World()
            try await world.queue()
            let (a, b) = (try kind.gateway(port: vendor.port), ScriptedGateway("b"))

            try await world.dispatcher([a, b]).drain()

            let outcome =
                switch answer.failure.kind {
                case .refused: "failed, attempt 1"
                case .retry, .failover: "sent by b as b-1, attempt 1"
                case .ambiguous: "unknown at \(a.name), attempt 1"
                }
            #expect(await world.outbox == [outcome])
            #expect(vendor.requests.count == 1)
            for secret in kind.secrets + ["482913", "1012345"] {
                #expect(world.log.lines.filter { $0.contains(secret) } == [], "\(secret)")
            }
        }
    }

    @Test("without a response until the timeout, the result is unknown", arguments: Vendor.allCases)
    func silence(of kind: Vendor) async throws {
        try await FakeVendor.with(.hang) { vendor in
            let (gateway, message) = (try kind.gateway(port: vendor.port), try vendorMessage())
            let sending = Task { try await gateway.send(message) }
            try await vendor.hasRead(1)
            sending.cancel()
            await #expect(throws: GatewayFailure.ambiguous("no response in time")) { try await sending.value }
        }
    }
}

/// A message for a vendor.
func vendorMessage(
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
