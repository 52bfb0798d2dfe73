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
        #expect(
            try body(.english, remaining: .milliseconds(milliseconds))
                == "482913 is your Acme code. It expires in \(minutes) min. Do not share it."
        )
    }

    @Test("the text is in the language asked for, or in that of the templates")
    func language() throws {
        let tags = ["ko-KR", "sv"].compactMap { LanguageTag($0) }

        #expect(
            try tags.map { try body($0, remaining: .seconds(600)) } == [
                "[Acme] 인증번호 482913 (타인 노출 금지)",
                "482913 is your Acme code. It expires in 10 min. Do not share it.",
            ]
        )
    }

    private func body(_ language: LanguageTag, remaining: Duration) throws -> String {
        let context = MessageContext(service: try #require(ServiceName("Acme")))
        let renderer = TemplateRenderer(templates: try MessageTemplates(context: context), context: context)
        return renderer.message(
            with: try #require(VerificationCode("482913")),
            language: language,
            remaining: remaining,
            wording: nil
        ).body
    }
}
