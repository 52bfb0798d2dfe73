import Testing

@testable import PhoneDelivery

@Suite("Length of messages")
struct MessageLengthTests {
    private let acme: MessageContext

    init() throws {
        acme = MessageContext(service: try #require(ServiceName("Acme")))
    }

    /// `{{code}}` counts as ten, for the longest code has ten digits.
    @Test(
        "a text of one SMS is taken, one unit more is refused",
        arguments: [
            ("ko", "{{code}}" + String(repeating: "가", count: 40), nil),
            (
                "ko", "{{code}}" + String(repeating: "가", count: 40) + "!",
                "may come to 91 bytes of CP949, and the limit is 90"
            ),
            (
                "ko-KR", "{{code}}" + String(repeating: "가", count: 41),
                "may come to 92 bytes of CP949, and the limit is 90"
            ),
            ("en", "{{code}}" + String(repeating: "a", count: 150), nil),
            (
                "en", "{{code}}" + String(repeating: "a", count: 149) + "€",
                "may come to 161 units of GSM-7, and the limit is 160"
            ),
            ("fr", "{{code}}" + String(repeating: "é", count: 150), nil),
            (
                "fr", "{{code}}" + String(repeating: "é", count: 151),
                "may come to 161 units of GSM-7, and the limit is 160"
            ),
            ("ja", "{{code}}" + String(repeating: "認", count: 60), nil),
            (
                "ja", "{{code}}" + String(repeating: "認", count: 61),
                "may come to 71 units of UCS-2, and the limit is 70"
            ),
            ("ja", "{{code}}{{minutes}}{{service}}" + String(repeating: "認", count: 54), nil),
            (
                "ja", "{{code}}{{minutes}}{{service}}" + String(repeating: "認", count: 55),
                "may come to 71 units of UCS-2, and the limit is 70"
            ),
        ]
    )
    func boundaries(locale: String, text: String, fault: String?) throws {
        let files = ["\(locale)/verification.txt": text]
        #expect(try templateError(files, acme) == fault.map { "\(locale)/verification.txt: \($0)" })
        #expect(try templateError(files, acme, allowsLongMessages: true) == nil)
    }

    @Test(
        "a character that makes a message dearer or undeliverable is refused by name unless long messages are allowed",
        arguments: [
            ("en", "{{code}}\nDon’t share it.", "2: GSM-7 lacks '’' (U+2019); replace it, or allow long messages"),
            ("en-GB", "{{code}} \u{200B}", "1: GSM-7 lacks U+200B; replace it, or allow long messages"),
            ("ko", "{{code}} 🔑", "1: CP949 lacks '🔑' (U+1F511); replace it, or allow long messages"),
            ("ko", "인증번호 –\n{{code}}", "1: CP949 lacks '–' (U+2013); replace it, or allow long messages"),
        ]
    )
    func foreignCharacters(locale: String, text: String, fault: String) throws {
        let files = ["\(locale)/verification.txt": text]
        #expect(try templateError(files, acme) == "\(locale)/verification.txt:\(fault)")
        #expect(try templateError(files, acme, allowsLongMessages: true) == nil)
    }

    @Test("the name of the service counts, in its length and in its characters, where a text has it")
    func serviceName() throws {
        let hangul = MessageContext(service: try #require(ServiceName("한빛은행")))
        let long = MessageContext(service: try #require(ServiceName(String(repeating: "가", count: 30))))
        let withoutName = ["en/verification.txt": "{{code}} is your Hanbit Bank code."]

        #expect(
            try templateError(nil, hangul)
                == """
                built-in/en/verification.txt:1: GSM-7 lacks '한' (U+D55C) of the service's name; \
                give the service a name for this language, write one in place of {{service}}, or allow long messages
                """
        )
        #expect(try templateError(withoutName, hangul) == nil)
        #expect(
            try templateError(nil, long, defaultLocale: "ko")
                == "built-in/ko/verification.txt: may come to 99 bytes of CP949, and the limit is 90"
        )
    }

    @Test("the lines for autofill count")
    func autofillLines() throws {
        let text = "{{code}} 인증번호를 입력해 주세요. 타인에게 절대 알려 주지 마시기 바랍니다. {{service}}"
        let files = ["ko/verification.txt": text]
        let withHost = MessageContext(service: acme.service, webHost: WebHost("example.com"))

        #expect(try templateError(files, acme) == nil)
        #expect(
            try templateError(files, withHost)
                == "ko/verification.txt: may come to 107 bytes of CP949, and the limit is 90"
        )
    }

    @Test("where all gateways count in CP949, every text does")
    func koreanGateways() throws {
        var context = MessageContext(service: acme.service, webHost: WebHost("long.example.com"))
        #expect(try templateError(nil, context) == nil)
        context.isCountedInCP949 = true
        let error = try templateError(nil, context)
        #expect(error == "built-in/en/verification.txt: may come to 98 bytes of CP949, and the limit is 90")
        #expect(try templateError(nil, context, allowsLongMessages: true) == nil)
    }

    @Test("a message for an Android app has 140 bytes at most, whatever it may cost")
    func androidLimit() throws {
        let withHash = MessageContext(
            service: acme.service,
            androidAppHash: AndroidAppHash("FA+9qCX9VSu")
        )
        let fitting = ["en/verification.txt": "{{code}}" + String(repeating: "a", count: 118)]
        let tooLong = ["en/verification.txt": "{{code}}" + String(repeating: "a", count: 119)]

        #expect(try templateError(fitting, withHash) == nil)
        #expect(
            try templateError(tooLong, withHash, allowsLongMessages: true)
                == "en/verification.txt: may come to 141 bytes, with an Android app hash, and the limit is 140"
        )
    }

    @Test("room is kept for the longest code that there may be", arguments: [(4, 156), (6, 154), (10, 150)])
    func longestCode(digits: Int, rest: Int) throws {
        var context = MessageContext(service: acme.service)
        if digits < 10 { context.longestCode = digits }
        for (count, isFitting) in [(rest, true), (rest + 1, false)] {
            let files = ["en/verification.txt": "{{code}}" + String(repeating: "a", count: count)]
            let error = try templateError(files, context)
            #expect((error == nil) == isFitting, "\(count): \(error ?? "")")
        }
    }

    @Test("even a long message has its limit")
    func longestMessage() throws {
        let fitting = try MessageDirectory(["ko/verification.txt": "{{code}}" + String(repeating: "가", count: 990)])
        let tooLong = ["ko/verification.txt": "{{code}}" + String(repeating: "가", count: 991)]

        let templates = try MessageTemplates(directory: fitting.path, context: acme, allowsLongMessages: true)
        let message = templates.render(code: .of("1234567890"), locale: "ko", minutes: 10, context: acme)
        #expect(CP949.byteCount(of: message.body) == 1_990)
        #expect(message.segments.segments == 15)
        #expect(
            try templateError(tooLong, acme, allowsLongMessages: true)
                == "ko/verification.txt: may come to 1001 UTF-16 units, and the limit is 1000"
        )
    }

    @Test func aServiceMayHaveANameForEachLanguage() throws {
        let context = MessageContext(
            service: try #require(ServiceName("에이스")),
            localNames: ["en": try #require(ServiceName("Ace"))]
        )
        let templates = try MessageTemplates(context: context)
        let korean = templates.render(code: .of("123456"), locale: "ko-KR", minutes: 10, context: context)
        #expect(korean.body == "[에이스] 인증번호 123456 (타인 노출 금지)")
        let english = templates.render(code: .of("123456"), locale: "en-GB", minutes: 10, context: context)
        #expect(english.body == "123456 is your Ace code. It expires in 10 min. Do not share it.")
    }
}
