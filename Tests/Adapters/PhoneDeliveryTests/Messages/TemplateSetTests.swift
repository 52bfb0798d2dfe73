import PhoneSignup
import Testing
import Texts

@testable import PhoneDelivery
@testable import PhoneDomain

@Suite("Named sets of templates")
struct TemplateSetTests {
    private let acme: MessageContext

    init() throws {
        acme = MessageContext(service: try #require(ServiceName("Acme")))
    }

    @Test("they are listed by name, the service's own first, each text with what it leaves open")
    func listing() throws {
        let directory = try MessageDirectory([
            "fr/verification.txt": "{{code}} : {{friendly_name}}",
            "templates/order/ko/verification.txt": "주문 {{order_no}}\r\n인증번호 {{code}}\r\n\r\n",
            "templates/order/en-GB/verification.txt": "{{code}} for {{order_no}}",
            "templates/login2/en/verification.txt": "{{friendly_name}} {{minutes}} {{code}}",
            "templates/login2/.hidden": "",
            "templates/..data/x": "",
        ])
        let templates = try MessageTemplates(directory: directory.path, context: acme)

        let listed = TemplateRenderer(templates: templates, context: acme).templates.map { listing in
            let translations = listing.translations.filter { ["en", "en-GB", "fr", "ko"].contains($0.locale) }
            return MessageTemplateListing(name: listing.name, translations: translations)
        }
        #expect(
            listed == [
                MessageTemplateListing(
                    name: .standard,
                    translations: [
                        .init(
                            locale: "en",
                            text:
                                "{{code}} is your {{service}} code. It expires in {{minutes}} min. Do not share it.",
                            isDefault: true
                        ),
                        .init(locale: "fr", text: "{{code}} : {{service}}", isDefault: false),
                        .init(locale: "ko", text: "[{{service}}] 인증번호 {{code}} (타인 노출 금지)", isDefault: false),
                    ]
                ),
                MessageTemplateListing(
                    name: try #require(TemplateName("login2")),
                    translations: [
                        .init(locale: "en", text: "{{service}} {{minutes}} {{code}}", isDefault: true)
                    ]
                ),
                MessageTemplateListing(
                    name: try #require(TemplateName("order")),
                    translations: [
                        .init(locale: "en-GB", text: "{{code}} for {{order_no}}", isDefault: false),
                        .init(locale: "ko", text: "주문 {{order_no}}\n인증번호 {{code}}", isDefault: false),
                    ]
                ),
            ]
        )
        #expect(templates.setsWithoutDefault.map(\.description) == ["order"])
        #expect(
            templates.listings.map { templates.ownVariables(of: $0.name) } == [[], [], ["order_no"]]
        )
        #expect(templates.locales == Languages.builtIn.map(\.language.description).sorted())
    }

    @Test("a gateway with templates learns the set of a message, and the service's own where that one is gone")
    func sets() throws {
        let directory = try MessageDirectory(["templates/order/en/verification.txt": "{{code}} for an order"])
        let templates = try MessageTemplates(directory: directory.path, context: acme)
        let renderer = TemplateRenderer(templates: templates, context: acme)
        let code = try #require(VerificationCode("123456"))
        let sets = ([nil, "order", "gone"] as [String?]).map { name in
            let wording = MessageWording(template: name.flatMap { TemplateName($0) })
            let message = renderer.message(with: code, language: .english, remaining: .seconds(600), wording: wording)
            return message.variables?.template.description
        }
        #expect(sets == ["default", "order", "default"])
    }

    @Test(
        "a text is taken of the very locale, else of its language, else of the default locale",
        arguments: [
            ("pt-BR", "pt-BR 123456"), ("pt-br", "pt-BR 123456"), ("pt-PT", "pt 123456"), ("pt", "pt 123456"),
            ("ko-KR", "ko 123456"), ("fr", "ko 123456"), ("en", "ko 123456"), (nil, "ko 123456"),
        ]
    )
    func fallback(asked: String?, body: String) throws {
        let directory = try MessageDirectory([
            "templates/a/pt-BR/verification.txt": "pt-BR {{code}}",
            "templates/a/pt/verification.txt": "pt {{code}}",
            "templates/a/ko/verification.txt": "ko {{code}}",
        ])
        let templates = try MessageTemplates(directory: directory.path, context: acme, defaultLocale: "ko")
        let wording = MessageWording(template: TemplateName("a"))

        let message = templates.render(
            code: .of("123456"),
            locale: asked,
            minutes: 10,
            context: acme,
            wording: wording
        )
        #expect(message.body == body)
        #expect(message.fault == nil)
        #expect(templates.setsWithoutDefault == [])
    }

    @Test("the default locale of a set may be served by its language")
    func defaultByLanguage() throws {
        let directory = try MessageDirectory([
            "ko-KR/verification.txt": "{{code}}",
            "templates/a/ko/verification.txt": "ko {{code}}",
        ])
        let templates = try MessageTemplates(directory: directory.path, context: acme, defaultLocale: "ko-KR")

        #expect(templates.setsWithoutDefault == [])
        #expect(
            templates.render(
                code: .of("123456"),
                locale: "fr",
                minutes: 10,
                context: acme,
                wording: MessageWording(template: TemplateName("a"))
            ).body == "ko 123456"
        )
    }

    @Test(
        "a faulty set is refused with its file, line and fault",
        arguments: [
            (
                "Order/en/verification.txt", "{{code}}",
                "Order: is no name of a template: 1 to 16 lower-case letters, digits and hyphens, and no hyphen first"
            ),
            (
                "a234567890123456x/en/verification.txt", "{{code}}",
                "a234567890123456x: is no name of a template: "
                    + "1 to 16 lower-case letters, digits and hyphens, and no hyphen first"
            ),
            (
                "default/en/verification.txt", "{{code}}",
                "default: is how the texts in the folders of locales are called; choose another name"
            ),
            (
                "a/.keep", "",
                "a: has no text; put one into a folder named after its language, as in en/verification.txt"
            ),
            ("a", "{{code}}", "a: cannot be read: it is missing, of another kind, or may not be opened"),
            (
                "a/verification.txt", "{{code}}",
                "a/verification.txt: is not named after a language, such as ko or pt-BR"
            ),
            (
                "a/templates/verification.txt", "{{code}}",
                "a/templates: is not named after a language, such as ko or pt-BR"
            ),
            (
                "a/en/number-changed.txt", "{{link}}",
                "a/en/number-changed.txt: is no message; those of a locale are verification.txt"
            ),
            (
                "a/en/.keep", "",
                "a/en/verification.txt: cannot be read: it is missing, of another kind, or may not be opened"
            ),
            ("a/en/verification.txt", "{{cdoe}}", "a/en/verification.txt: lacks {{code}}"),
            (
                "a/en/verification.txt", "{{code}}\n{{Order}}",
                "a/en/verification.txt:2: {{Order}} can be no variable: "
                    + "a template's own are named by 1 to 20 lower-case letters, digits and underscores"
            ),
            (
                "a/en/verification.txt", "{{code}} {{a23456789012345678901}}",
                "a/en/verification.txt:1: {{a23456789012345678901}} can be no variable: "
                    + "a template's own are named by 1 to 20 lower-case letters, digits and underscores"
            ),
            (
                "a/en/verification.txt", "{{code}} {{}}",
                "a/en/verification.txt:1: {{}} can be no variable: "
                    + "a template's own are named by 1 to 20 lower-case letters, digits and underscores"
            ),
            (
                "a/en/verification.txt", "{{code}} {{link}}",
                "a/en/verification.txt:1: there is no variable {{link}}; there are {{code}}, {{service}}, {{minutes}}"
            ),
            (
                "a/ko/verification.txt", "{{code}} 🔑",
                "a/ko/verification.txt:1: CP949 lacks '🔑' (U+1F511); replace it, or allow long messages"
            ),
            (
                "a/ko/verification.txt", "{{code}}{{x}}" + String(repeating: "가", count: 41),
                "a/ko/verification.txt: may come to 92 bytes of CP949, and the limit is 90"
            ),
        ]
    )
    func faultySets(file: String, text: String, fault: String) throws {
        #expect(try templateError(["templates/\(file)": text], acme) == "templates/\(fault)")
    }

    @Test("two folders of one locale are refused, and a long text is taken where long ones are allowed")
    func duplicatesAndLength() throws {
        let twice = ["templates/a/en/verification.txt": "{{code}}", "templates/a/EN/verification.txt": "{{code}}"]
        let long = ["templates/a/ko/verification.txt": "{{code}}" + String(repeating: "가", count: 41)]

        #expect(
            try templateError(twice, acme) == "templates/a/en: is of the same locale as another directory beside it"
        )
        #expect(try templateError(long, acme, allowsLongMessages: true) == nil)
    }
}
