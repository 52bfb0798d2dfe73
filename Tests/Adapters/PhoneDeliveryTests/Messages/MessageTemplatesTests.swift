import PhoneDomain
import PhoneSignup
import Testing
import Texts

@testable import PhoneDelivery

@Suite("Message templates")
struct MessageTemplatesTests {
    private let acme: MessageContext
    private let everything: MessageContext

    init() throws {
        let service = try #require(ServiceName("Acme"))
        acme = MessageContext(service: service)
        everything = MessageContext(
            service: service,
            webHost: WebHost("example.com"),
            androidAppHash: AndroidAppHash("FA+9qCX9VSu")
        )
    }

    @Test("the built-in texts put the code early and cost one SMS each")
    func builtInTexts() throws {
        let templates = try MessageTemplates(context: acme)
        let english = templates.render(code: .of("123456"), locale: "en", minutes: 10, context: acme)
        let korean = templates.render(code: .of("123456"), locale: "ko", minutes: 10, context: acme)

        #expect(templates.locales == Languages.all.map(\.language.description).sorted())
        #expect(english.body == "123456 is your Acme code. It expires in 10 min. Do not share it.")
        #expect(english.segments.encoding == .gsm7)
        #expect(english.segments.segments == 1)
        #expect(korean.body == "[Acme] 인증번호 123456 (타인 노출 금지)")
        #expect(CP949.byteCount(of: korean.body) == 39)
        #expect(korean.segments.segments == 1)
    }

    @Test("the line of the web host comes last, that of the Android app above it")
    func autofillLines() throws {
        let templates = try MessageTemplates(context: everything)
        let body = templates.render(code: .of("012345"), locale: "ko", minutes: 10, context: everything).body

        #expect(
            body
                == """
                [Acme] 인증번호 012345 (타인 노출 금지)
                FA+9qCX9VSu
                @example.com #012345
                """
        )
        #expect(CP949.byteCount(of: body) == 72)
    }

    @Test(
        "a locale without a text falls back to its language, then to the default",
        arguments: [
            ("ko", "ko"), ("ko-KR", "ko"), ("ko_KR", "ko"), ("KO-kr-x-private", "ko"), ("en-GB", "en"),
            ("pt-br", "pt-BR"), ("PT-BR-x-1", "pt-BR"), ("pt", "pt-BR"), ("pt-PT", "pt-BR"), ("zh-CN", "zh-Hans"),
            ("zh", "zh-Hans"), ("zh-TW", "en"), ("zh-Hant", "en"), ("zh_HK", "en"), ("zh-Hans-HK", "zh-Hans"),
            ("in", "id"),
            ("korean", "en"), ("", "en"),
            ("-ko", "en"), ("../ko", "en"), ("ko-aaaaaaaa-aaaaaaaa-aaaaaaaa-aaaaa", "ko"),
            ("ko-aaaaaaaa-aaaaaaaa-aaaaaaaa-aaaaaa", "en"), (nil, "en"),
        ]
    )
    func localeFallback(asked: String?, found: String) throws {
        let directory = try MessageDirectory(["pt-BR/verification.txt": "{{code}} é o seu código {{service}}."])
        let templates = try MessageTemplates(directory: directory.path, context: acme)

        #expect(templates.render(code: .of("123456"), locale: asked, minutes: 10, context: acme).locale == found)
    }

    @Test("a language whose text is too long for the service is left out, but for the default one")
    func leftOut() throws {
        let context = MessageContext(
            service: try #require(ServiceName(String(repeating: "W", count: 30))),
            webHost: WebHost("sign-in.example.com"),
            androidAppHash: AndroidAppHash("FA+9qCX9VSu")
        )
        let templates = try MessageTemplates(context: context)
        #expect(Set(templates.leftOut).isSuperset(of: ["hi", "ar", "ja"]))
        #expect(!templates.leftOut.contains("en") && !templates.locales.contains("hi"))
        #expect(templates.render(code: .of("123456"), locale: "hi", minutes: 10, context: context).locale == "en")
        #expect(try templateError(nil, context, defaultLocale: "hi") != nil)
        #expect(try MessageTemplates(context: acme).leftOut.isEmpty)
    }

    @Test("the default locale can be another")
    func defaultLocale() throws {
        let templates = try MessageTemplates(context: acme, defaultLocale: "ko")

        #expect(templates.render(code: .of("123456"), locale: "sv", minutes: 10, context: acme).locale == "ko")
        #expect(
            try templateError(nil, acme, defaultLocale: "sv")
                == "built-in: there is no message for the default locale sv"
        )
    }

    @Test("codes of four to ten digits and one to 99 minutes are sent")
    func ranges() throws {
        let templates = try MessageTemplates(context: acme)
        func body(_ code: VerificationCode, _ minutes: Int) -> String {
            templates.render(code: code, locale: "en", minutes: minutes, context: acme).body
        }

        #expect(body(.of("0000"), 1) == "0000 is your Acme code. It expires in 1 min. Do not share it.")
        #expect(body(.of("0123456789"), 99) == "0123456789 is your Acme code. It expires in 99 min. Do not share it.")
    }

    @Test("no way of printing a message shows its body")
    func redaction() throws {
        let message = try MessageTemplates(context: everything)
            .render(code: .of("493817"), locale: "en", minutes: 10, context: everything)
        var dumped = ""
        dump([message], to: &dumped)

        #expect(message.body.contains("493817"))
        #expect("\(message)" == "RenderedMessage(locale: en, GSM-7, segments: 1)")
        #expect(String(reflecting: Optional(message)) == "Optional(RenderedMessage(locale: en, GSM-7, segments: 1))")
        #expect(!dumped.contains("493817"))
        #expect(Mirror(reflecting: message).children.map(\.label) == ["locale", "segments"])
    }
}
