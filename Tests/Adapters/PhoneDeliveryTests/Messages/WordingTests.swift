import Testing
import Texts

@testable import PhoneDelivery
@testable import PhoneDomain

@Suite("Wording of messages")
struct WordingTests {
    private let service: ServiceName

    init() throws {
        service = try #require(ServiceName("Acme"))
    }

    private func message(
        _ wording: MessageWording?,
        in locale: String = "en",
        files: [String: String] = [:],
        context: MessageContext? = nil
    ) throws -> RenderedMessage {
        let context = context ?? MessageContext(service: service)
        let directory = try MessageDirectory(files)
        let templates = try MessageTemplates(
            directory: directory.path,
            context: MessageContext(service: service),
            allowsLongMessages: true
        )
        return templates.render(code: .of("123456"), locale: locale, minutes: 10, context: context, wording: wording)
    }

    @Test("the name of a tenant stands in place of the service's, in every language")
    func names() throws {
        let context = MessageContext(
            service: service,
            localNames: ["ko": try #require(ServiceName("에이스")), "en": try #require(ServiceName("Ace"))]
        )
        let wording = MessageWording(service: "Hanbit")

        #expect(try message(wording, in: "ko-KR", context: context).body == "[Hanbit] 인증번호 123456 (타인 노출 금지)")
        #expect(
            try message(wording, context: context).body
                == "123456 is your Hanbit code. It expires in 10 min. Do not share it."
        )
        #expect(
            try message(MessageWording(), in: "ko", context: context).body == "[에이스] 인증번호 123456 (타인 노출 금지)"
        )
        #expect(try message(nil, in: "ko", context: context).body == "[에이스] 인증번호 123456 (타인 노출 금지)")
    }

    @Test("values are filled in once, so that one which looks like a variable stays as it is")
    func values() throws {
        let wording = MessageWording(
            service: "{{code}}",
            template: TemplateName("order"),
            substitutions: ["order": "{{code}}", "unused": "x"]
        )
        let files = ["templates/order/en/verification.txt": "{{order}} {{friendly_name}}: {{code}}, {{order}}"]

        let message = try message(wording, files: files)
        #expect(message.body == "{{code}} {{code}}: 123456, {{code}}")
        #expect(message.fault == nil)
    }

    @Test("the app that a message is for has its hash below the text, and the web host's line stays the last")
    func lines() throws {
        let context = MessageContext(
            service: service,
            webHost: WebHost("example.com"),
            androidAppHash: AndroidAppHash("AAAAAAAAAAA")
        )
        let files = ["en/verification.txt": "Your {{service}} verification code is: {{code}}"]
        let wording = MessageWording(service: "AppName", appHash: "He42w354ol9", warnsAgainstSharing: true)

        #expect(
            try message(wording, files: files, context: context).body
                == """
                Your AppName verification code is: 123456
                Don't share it with anyone.
                He42w354ol9
                @example.com #123456
                """
        )
        #expect(
            try message(MessageWording(), files: files, context: context).body
                == """
                Your Acme verification code is: 123456
                AAAAAAAAAAA
                @example.com #123456
                """
        )
        #expect(
            try message(wording, files: files).body
                == """
                Your AppName verification code is: 123456
                Don't share it with anyone.
                He42w354ol9
                """
        )
    }

    @Test(
        "a warning is added in the language of the text, where it has none",
        arguments: [
            ("en", "{{code}}", "123456\nDon't share it with anyone."),
            ("en-GB", "{{code}}\nx", "123456\nx\nDon't share it with anyone."),
            ("en", "{{code}}. DO NOT SHARE it.", "123456. DO NOT SHARE it."),
            ("en", "Don’t share {{code}}.", "Don’t share 123456."),
            ("en", "Don't share {{code}}.", "Don't share 123456."),
            ("en", "Never share {{code}}.", "Never share 123456."),
            ("ko", "{{code}}", "123456\n(타인 노출 금지)"),
            ("ko", "{{code}} (타인노출금지)", "123456 (타인노출금지)"),
            ("ko", "{{code}} 타인에게 알려주지 마세요", "123456 타인에게 알려주지 마세요"),
            ("sv", "{{code}}", "123456"),
        ]
    )
    func warnings(locale: String, text: String, body: String) throws {
        let wording = MessageWording(warnsAgainstSharing: true)

        #expect(try message(wording, in: locale, files: ["\(locale)/verification.txt": text]).body == body)
    }

    @Test("below a text as long as the built-in ones the warning still leaves one SMS, with a code of ten digits")
    func warningsFit() throws {
        let english = try #require(SharingWarning.line(below: "", locale: "en"))
        let korean = try #require(SharingWarning.line(below: "", locale: "ko"))

        #expect(SegmentCount(of: english).encoding == .gsm7)
        #expect(SegmentCount(of: english).units == 27)
        #expect(CP949.byteCount(of: korean) == 16)
        for texts in Languages.all {
            let template = try MessageTemplate(
                text: texts.messages.verification.utf8,
                kind: .verification,
                locale: texts.language.description,
                file: ""
            )
            #expect(template.warning == nil)
        }
    }

    /// With the longest name and code; ``CP949`` is what Korean vendors count.
    @Test(arguments: Languages.builtIn.map(\.language))
    func `a code is one SMS in every language`(_ language: LanguageTag) throws {
        let texts = try #require(Languages.texts(in: language))
        let text = texts.messages.verification.replacing("{{code}}", with: "1234567890")
            .replacing("{{service}}", with: String(repeating: "W", count: 30)).replacing("{{minutes}}", with: "10")
        let count = SegmentCount(of: text)
        if language == .korean {
            #expect(CP949.byteCount(of: text).map { $0 <= 90 } == true)
        } else {
            #expect(count.segments == 1, "\(count.units) units")
        }
        // What all phones and vendors write in 7 bits costs half as much as what they do not.
        let isLatin = ["en", "es", "pt-BR", "fr", "de", "id"].contains(language.description)
        #expect((count.encoding == .gsm7) == isLatin || language.description == "vi")
    }

    @Test(
        "a wording that cannot be had gives way to the service's own text, in the tenant's name",
        arguments: [
            ("none", .templateUnknown), ("korean", .translationMissing), ("order", .substitutionsMissing(["order"])),
        ] as [(String, MessageWordingError)]
    )
    func fallback(template: String, fault: MessageWordingError) throws {
        let files = [
            "templates/korean/ko/verification.txt": "{{code}}",
            "templates/order/en/verification.txt": "{{code}} {{order}}",
        ]
        let wording = MessageWording(service: "Hanbit", template: TemplateName(template), appHash: "He42w354ol9")

        let message = try message(wording, files: files)
        #expect(
            message.body
                == "123456 is your Hanbit code. It expires in 10 min. Do not share it.\nHe42w354ol9"
        )
        #expect(message.locale == "en")
        #expect(message.fault == fault)
    }

    @Test("a name that may not stand in a message gives way to the service's")
    func refusedName() throws {
        let message = try message(MessageWording(service: "@evil"), in: "ko")

        #expect(message.body == "[Acme] 인증번호 123456 (타인 노출 금지)")
        #expect(message.fault == .valueRefused("service"))
    }
}
