import Testing

@testable import PhoneDelivery
@testable import PhoneDomain

@Suite("What messages can be made")
struct TemplateCatalogTests {
    private let acme: MessageContext
    private let directory: MessageDirectory

    init() throws {
        acme = MessageContext(service: try #require(ServiceName("Acme")))
        directory = try MessageDirectory([
            "templates/order/en/verification.txt": "{{code}} for {{order}} of {{shop}}, {{order}}.",
            "templates/order/ko/verification.txt": "[{{service}}] 주문하신 {{order}} 인증번호 {{code}}",
            "templates/korean/ko/verification.txt": "[{{service}}] {{code}}",
            "templates/near/en/verification.txt": "{{code}}{{x}}{{x}}" + String(repeating: "a", count: 140),
            "templates/full/en/verification.txt": "{{code}}" + String(repeating: "a", count: 120),
        ])
    }

    private func fault(
        _ wording: MessageWording,
        in language: LanguageTag,
        context: MessageContext? = nil,
        allowsLongMessages: Bool = false
    ) throws -> MessageWordingError? {
        let context = context ?? acme
        let templates = try MessageTemplates(
            directory: directory.path,
            context: acme,
            allowsLongMessages: allowsLongMessages
        )
        return TemplateRenderer(templates: templates, context: context).error(in: wording, language: language)
    }

    @Test("an empty wording is the same as none")
    func plain() throws {
        #expect(try fault(MessageWording(), in: .english) == nil)
        #expect(try fault(MessageWording(service: "Other", template: .standard), in: .korean) == nil)
    }

    @Test("there must be a template of that name, and a text of it")
    func templates() throws {
        let korean = MessageWording(template: TemplateName("korean"))

        #expect(try fault(MessageWording(template: TemplateName("none")), in: .english) == .templateUnknown)
        #expect(try fault(korean, in: .english) == .translationMissing)
        #expect(try fault(korean, in: try #require(LanguageTag("sv"))) == .translationMissing)
        #expect(try fault(korean, in: try #require(LanguageTag("ko-KR"))) == nil)
    }

    @Test("the variables of the text that is sent must have values, of whatever else there is none is needed")
    func substitutions() throws {
        var wording = MessageWording(template: TemplateName("order"))
        #expect(try fault(wording, in: .english) == .substitutionsMissing(["order", "shop"]))
        #expect(try fault(wording, in: .korean) == .substitutionsMissing(["order"]))
        wording.substitutions = ["order": "A-1", "unused": "x"]
        #expect(try fault(wording, in: .english) == .substitutionsMissing(["shop"]))
        #expect(try fault(wording, in: .korean) == nil)
        wording.substitutions["shop"] = "Shop"
        #expect(try fault(wording, in: .english) == nil)
    }

    @Test(
        "a value may not say more than it should",
        arguments: [
            ("order", ""), ("order", "a\nb"), ("order", "evil.example"), ("order", "123456789012345678901"),
            ("unused", "#1"), ("Order", "1"), ("", "1"), ("code", "123456"), ("service", "Bank"), ("minutes", "1"),
            ("link", "1"), ("friendly_name", "Bank"), ("a=b", "1"), ("a23456789012345678901", "1"),
        ]
    )
    func refusedValues(name: String, value: String) throws {
        let wording = MessageWording(template: TemplateName("korean"), substitutions: [name: value])

        #expect(try fault(wording, in: .korean) == .valueRefused(name))
        #expect(try fault(wording, in: .korean, allowsLongMessages: true) == .valueRefused(name))
    }

    @Test(
        "a name and the hash of an app are such as the service's own must be",
        arguments: ["", " Acme", "Acme\n", "@acme", "1234567890123456789012345678901", "A\u{202E}B"]
    )
    func refusedNames(name: String) throws {
        #expect(try fault(MessageWording(service: name), in: .english) == .valueRefused("service"))
    }

    @Test(
        "the hash of an app is 11 characters of Base64",
        arguments: [
            ("FA+9qCX9VSu", nil), ("FA+9qCX9VS", .valueRefused("app_hash")), ("FA-9qCX9VSu", .valueRefused("app_hash")),
            ("", .valueRefused("app_hash")),
        ] as [(String, MessageWordingError?)]
    )
    func appHashes(hash: String, expected: MessageWordingError?) throws {
        #expect(try fault(MessageWording(appHash: hash), in: .english) == expected)
    }

    /// With ten digits the built-in English text takes 64 units without its name, the Korean one 37 bytes.
    @Test(
        "a message must fit one SMS with its name and the longest code, unless long ones are allowed",
        arguments: [
            ("123456789012345678901234567890", .english, nil),
            ("가나다라마바", .english, nil),
            ("가나다라마바사", .english, .tooLong),
            ("Joe’s", .english, nil),
            ("Joe’s XX", .english, .tooLong),
            ("가나다라마바사아자차카타파하가나다라마바사아자차카", .korean, nil),
            ("가나다라마바사아자차카타파하가나다라마바사아자차카타파", .korean, .tooLong),
        ] as [(String, LanguageTag, MessageWordingError?)]
    )
    func names(name: String, language: LanguageTag, expected: MessageWordingError?) throws {
        #expect(try fault(MessageWording(service: name), in: language) == expected)
        #expect(try fault(MessageWording(service: name), in: language, allowsLongMessages: true) == nil)
    }

    @Test("in a Korean message nothing may stand that a Korean carrier cannot send")
    func foreignCharacters() throws {
        let umlaut = MessageWording(service: "Bücher")
        #expect(try fault(umlaut, in: .korean) == .valueRefused("service"))
        #expect(try fault(umlaut, in: .korean, allowsLongMessages: true) == nil)
        #expect(try fault(umlaut, in: .english) == nil)

        let order = MessageWording(template: TemplateName("order"), substitutions: ["order": "ü", "shop": "ü"])
        #expect(try fault(order, in: .korean) == .valueRefused("order"))
        #expect(try fault(order, in: .english) == nil)
    }

    @Test("values count, as often as they stand in the text")
    func lengthOfValues() throws {
        func fault(_ value: String, allowsLongMessages: Bool = false) throws -> MessageWordingError? {
            let wording = MessageWording(template: TemplateName("near"), substitutions: ["x": value])
            return try self.fault(wording, in: .english, allowsLongMessages: allowsLongMessages)
        }

        #expect(try fault("12345") == nil)
        #expect(try fault("123456") == .tooLong)
        #expect(try fault("1234€") == .tooLong)
        #expect(try fault("123456", allowsLongMessages: true) == nil)
    }

    @Test("the lines for autofill and the warning count, and an app waits for 140 bytes at most")
    func lines() throws {
        let long = MessageWording(template: TemplateName("full"))
        var warned = long
        warned.warnsAgainstSharing = true
        let host = MessageContext(service: acme.service, webHost: WebHost("example.com"))
        var forApp = long
        forApp.appHash = "FA+9qCX9VSu"

        #expect(try fault(long, in: .english) == nil)
        #expect(try fault(warned, in: .english) == nil)
        #expect(try fault(long, in: .english, context: host) == nil)
        #expect(try fault(warned, in: .english, context: host) == .tooLong)
        #expect(try fault(forApp, in: .english) == .tooLong)
        #expect(try fault(forApp, in: .english, allowsLongMessages: true) == .tooLong)
    }

    @Test("what is too long with no value at all is too long, whatever values it lacks")
    func order() throws {
        let wording = MessageWording(
            service: String(repeating: "가", count: 30),
            template: TemplateName("order")
        )
        #expect(try fault(wording, in: .korean) == .tooLong)
        #expect(try fault(wording, in: .english) == .substitutionsMissing(["order", "shop"]))
    }
}
