import CoreEncodings
import OpenSSLCrypto
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

/// The gateways to vendors, each with everything that its vendor may answer.
enum Vendor: String, CaseIterable, Sendable {
    case twilio, sns, aws, vonage, sens, solapi, whatsapp, telegram, json, form

    func gateway(port: Int) throws -> any MessageGateway {
        switch self {
        case .twilio: try TwilioGatewayTests.gateway(port: port)
        case .sns: try SNSGatewayTests.gateway(port: port, token: "AQoDYXdz")
        case .aws: try AWSGatewayTests.gateway(port: port)
        case .vonage: try VonageGatewayTests.gateway(port: port)
        case .sens: try SENSGatewayTests.gateway(port: port)
        case .solapi: try SolapiGatewayTests.gateway(port: port)
        case .whatsapp: try WhatsAppGatewayTests.gateway(port: port)
        case .telegram: try TelegramGatewayTests.gateway(port: port)
        case .json: try HTTPGatewayExample.json(port: port)
        case .form: try HTTPGatewayExample.form(port: port)
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
        case .whatsapp: WhatsAppGatewayTests.answers
        case .telegram: TelegramGatewayTests.answers
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
            let (gateway, message) = (try kind.gateway(port: vendor.port), try vendorMessage(isNotice: false))
            await #expect(throws: answer.failure) { try await gateway.send(message) }
            #expect([vendor.requests.count, vendor.connections] == [1, 1])
        }
    }

    @Test("without a response until the timeout, the result is unknown", arguments: Vendor.allCases)
    func silence(of kind: Vendor) async throws {
        try await FakeVendor.with(.hang) { vendor in
            let (gateway, message) = (try kind.gateway(port: vendor.port), try vendorMessage(isNotice: false))
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

/// That the code of a vendor's message was entered.
func codeEntry(
    of messageID: String,
    at moment: Timestamp = Timestamp(seconds: 0),
    code: VerificationCode? = nil
) -> CodeEntry {
    CodeEntry(messageID: messageID, moment: moment) { code }
}

/// How a fake vendor is reached.
func vendorAccess(
    port: Int,
    path: String = "",
    authenticator: any RequestAuthenticator = OpenSSLRequestAuthenticator(),
    identifiers: any IdentifierSource = CountingIdentifiers(),
    clock: ManualClock = ManualClock()
) throws -> VendorAccess {
    VendorAccess(
        address: try #require(EndpointURL(base: "http://127.0.0.1:\(port)\(path)")),
        connectTimeout: .seconds(5),
        authenticator: authenticator,
        identifiers: identifiers,
        wallClock: clock
    )
}
