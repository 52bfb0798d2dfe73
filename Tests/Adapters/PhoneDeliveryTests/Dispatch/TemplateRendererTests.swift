import PhoneDomain
import PhoneSignup
import Testing

@testable import PhoneDelivery

@Suite("Texts from templates")
struct TemplateRendererTests {
    @Test(
        "the text has the nearest minute, and at least one",
        arguments: [
            (600_000, 10), (599_990, 10), (570_000, 10), (569_999, 9), (90_000, 2), (89_999, 1), (1, 1),
            (6_000_000, 99),
        ]
    )
    func minutes(milliseconds: Int, minutes: Int) throws {
        let context = MessageContext(service: try #require(ServiceName("Acme")))
        let renderer = TemplateRenderer(templates: try MessageTemplates(context: context), context: context)
        let message = renderer.message(
            with: .of("482913"),
            language: .english,
            remaining: .milliseconds(milliseconds),
            wording: nil
        )
        #expect(message.body == "482913 is your Acme code. It expires in \(minutes) min. Do not share it.")
    }
}
