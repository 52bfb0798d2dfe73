import Testing

@testable import PhoneDelivery

@Suite("Templates of notices")
struct NoticeTemplatesTests {
    private let acme: MessageContext
    private let secret = "q3Xw0mZ1tBn8uV5kL2rK-_"

    init() throws {
        acme = MessageContext(
            service: try #require(ServiceName("Acme")),
            webHost: WebHost("example.com"),
            androidAppHash: AndroidAppHash("FA+9qCX9VSu"),
            undoAddress: UndoAddress("https://app.example/undo/")
        )
    }

    @Test("the built-in texts end in the link, cost one SMS each, and have no lines for autofill")
    func builtInTexts() throws {
        let templates = try MessageTemplates(context: acme)
        let english = try templates.render(secret: secret, locale: "en", context: acme)
        let korean = try templates.render(secret: secret, locale: "ko", context: acme)

        #expect(
            english.body
                == "Your Acme phone number was changed. If this wasn't you, undo it: "
                + "https://app.example/undo/q3Xw0mZ1tBn8uV5kL2rK-_"
        )
        #expect(english.segments.segments == 1)
        #expect(english.segments.encoding == .gsm7)
        #expect(korean.body == "[Acme] 번호 변경됨. 취소: https://app.example/undo/q3Xw0mZ1tBn8uV5kL2rK-_")
        #expect(CP949.byteCount(of: korean.body) == 73)
    }

    @Test("where nothing is set they fit as well; a long address or name makes them longer, and stops nothing")
    func lengthOfBuiltInTexts() throws {
        func korean(_ service: String, _ address: String) throws -> Int? {
            let context = MessageContext(
                service: try #require(ServiceName(service)),
                undoAddress: UndoAddress(address)
            )
            let templates = try MessageTemplates(context: context)
            return CP949.byteCount(of: try templates.render(secret: secret, locale: "ko", context: context).body)
        }

        #expect(try korean("PhoneProof", "http://127.0.0.1:8080/undo/") == 81)
        #expect(try korean("PhoneProof", "https://phone.example.com/undo/") == 85)
        #expect(try korean("Acme", "https://\(String(repeating: "a", count: 286))/undo/") == 348)
    }

    @Test("a text of one's own is checked with the whole link, unless long messages are allowed")
    func lengthOfOwnTexts() throws {
        // 90 bytes less the 47 of the link.
        let fitting = "{{link}}" + String(repeating: "가", count: 21) + "!"
        for (text, fault) in [(fitting, nil), (fitting + "!", "may come to 91 bytes of CP949, and the limit is 90")] {
            let files = ["ko/number-changed.txt": text]
            #expect(try templateError(files, acme) == fault.map { "ko/number-changed.txt: \($0)" })
            #expect(try templateError(files, acme, allowsLongMessages: true) == nil)
        }
    }

    @Test("a character outside of the alphabet is refused in a text of one's own, and in the name that it has")
    func alphabet() throws {
        let hangul = MessageContext(service: try #require(ServiceName("한빛")), undoAddress: acme.undoAddress)
        let codeAlone = ["en/verification.txt": "{{code}}"]
        let own = codeAlone.merging(["en/number-changed.txt": "It’s changed {{link}}"]) { $1 }
        let named = codeAlone.merging(["en/number-changed.txt": "{{service}} {{link}}"]) { $1 }

        #expect(
            try templateError(own, acme)
                == "en/number-changed.txt:1: GSM-7 lacks '’' (U+2019); replace it, or allow long messages"
        )
        #expect(
            try templateError(named, hangul)?
                .hasPrefix("en/number-changed.txt:1: GSM-7 lacks '한' (U+D55C) of the service's name") == true
        )
        // The built-in notice costs more then, but what was right before there were notices stays right.
        #expect(try templateError(codeAlone, hangul) == nil)
    }

    @Test(
        "a faulty text is refused with its file, line and fault",
        arguments: [
            ("Your number was changed", ": lacks {{link}}"),
            ("{{link}}\n{{code}}", ":2: there is no variable {{code}}; there are {{service}}, {{link}}"),
        ]
    )
    func faultyTexts(text: String, fault: String) throws {
        #expect(try templateError(["fr/number-changed.txt": text], acme) == "fr/number-changed.txt\(fault)")
    }

    @Test(
        "of a locale with one text alone the other is looked up, and is the default one's at last",
        arguments: [
            ("sv", "sv", "en"), ("sv-FI", "sv", "en"), ("th", "en", "th"), ("ko-KR", "ko-KR", "ko"), ("ko", "ko", "ko"),
            ("nl", "en", "en"), (nil, "en", "en"),
        ]
    )
    func fallback(asked: String?, code: String, notice: String) throws {
        let directory = try MessageDirectory([
            "sv/verification.txt": "{{code}}", "th/number-changed.txt": "{{link}}",
            "ko-KR/verification.txt": "{{code}}",
        ])
        let templates = try MessageTemplates(directory: directory.path, context: acme)

        #expect(["ko-KR", "sv"].allSatisfy(templates.locales.contains))
        #expect(templates.render(code: .of("123456"), locale: asked, minutes: 1, context: acme).locale == code)
        #expect(try templates.render(secret: secret, locale: asked, context: acme).locale == notice)
    }

    @Test("the default locale needs the text of a code alone")
    func defaultLocale() throws {
        let swedish = try MessageDirectory(["sv/verification.txt": "{{code}}"])
        let templates = try MessageTemplates(directory: swedish.path, context: acme, defaultLocale: "sv")
        #expect(try templates.render(secret: secret, locale: "sv", context: acme).locale == "en")
        let korean = try MessageTemplates(context: acme, defaultLocale: "ko")
        #expect(try korean.render(secret: secret, locale: "sv", context: acme).locale == "ko")
        #expect(
            try templateError(["sv/number-changed.txt": "{{link}}"], acme, defaultLocale: "sv")
                == ": there is no message for the default locale sv"
        )
    }

    @Test(
        "what is no secret is not sent",
        arguments: ["", "q3Xw0mZ1tBn8uV5kL2rK-", "q3Xw0mZ1tBn8uV5kL2rK-_0", "q3Xw0mZ1tBn8uV5kL2rK-/", "가나다라마바사q"]
    )
    func malformedSecrets(secret: String) throws {
        let templates = try MessageTemplates(context: acme)

        #expect(throws: MessageRenderError.malformedSecret) {
            try templates.render(secret: secret, locale: "en", context: acme)
        }
    }

    @Test("without an address there is no link")
    func noAddress() throws {
        let context = MessageContext(service: acme.service)
        let templates = try MessageTemplates(context: context)

        #expect(throws: MessageRenderError.noUndoAddress) {
            try templates.render(secret: secret, locale: "en", context: context)
        }
    }
}
