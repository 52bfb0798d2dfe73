import CoreEncodings
import PhoneDomain
import PhoneSignup
import Testing

@testable import PhoneDelivery
@testable import PhoneHTTP

/// Webhooks are as the document describes them.
@Suite struct EventContractTests {
    @Test(arguments: Event.Kind.ofWebhooks)
    func isSentAsDescribed(_ kind: Event.Kind) throws {
        let now = Timestamp(seconds: 1_767_225_600)
        let document = OpenAPIDocument.whole
        let schema = try #require(
            document["webhooks"]?[kind.rawValue]?["post"]?["requestBody"]?["content"]?["application/json"]?["schema"]
        )
        let validator = SchemaValidator(document: document, isClosed: true)
        for isExample in [true, false] {
            let payload = WebhookPayload(
                kind,
                occurredAt: now,
                try .example(of: kind, at: now),
                isExample: isExample
            )
            let body = try #require(Exchange.json(payload.body))
            #expect(validator.faults(of: body, by: schema) == [])
        }
        let other = Event.Kind.ofWebhooks.first { $0 != kind }
        let wrong = WebhookPayload(try #require(other), occurredAt: now, try .example(of: kind, at: now))
        #expect(validator.faults(of: try #require(Exchange.json(wrong.body)), by: schema) != [])
    }
}
