import Foundation
import PhoneDomain
import Testing
import Texts

@testable import PhoneDelivery

@Suite("Loading of message templates")
struct MessageTemplatesLoadingTests {
    private let acme: MessageContext

    init() throws {
        acme = MessageContext(service: try #require(ServiceName("Acme")))
    }

    @Test("the shipped files are the built-in texts")
    func shippedFiles() throws {
        let repository = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let directory = repository.appending(path: "config/messages")
        let locales = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            .filter { !$0.hasPrefix(".") && $0 != "templates" }

        for kind in MessageKind.allCases {
            for locale in locales {
                let texts = try #require(LanguageTag(locale).flatMap(Languages.texts(in:)))
                let shipped = try Data(contentsOf: directory.appending(path: "\(locale)/\(kind.fileName)"))
                #expect(String(decoding: shipped, as: UTF8.self) == kind.builtInText(in: texts) + "\n")
            }
        }
        let templates = try MessageTemplates(directory: directory.path, context: acme)
        #expect(templates.listings.map(\.name.description) == ["default", "order"])
    }

    @Test("a file replaces the built-in text of its locale; blank lines at its end and hidden names do not count")
    func replacement() throws {
        let directory = try MessageDirectory([
            "EN/verification.txt": "{{service}}: {{code}}\r\n\r\nUse {it} once.\r\n \r\n\r\n",
            "..data/x": "",
            "EN/.swp": "",
        ])
        let templates = try MessageTemplates(directory: directory.path, context: acme)

        #expect(templates.locales.filter { ["en", "ko"].contains($0.lowercased()) } == ["EN", "ko"])
        #expect(
            templates.render(code: .of("123456"), locale: "en", minutes: 10, context: acme).body
                == "Acme: 123456\n\nUse {it} once."
        )
    }

    @Test(
        "a faulty text is refused with its file, line and fault",
        arguments: [
            ("", ": is empty"),
            (" \n\r\n\t", ":3: must not contain the control character U+0009"),
            (" \n\r\n", ": is empty"),
            ("Your code", ": lacks {{code}}"),
            (
                "Hello\n{{code}} {{cdoe}}",
                ":2: there is no variable {{cdoe}}; there are {{code}}, {{service}}, {{minutes}}"
            ),
            ("{{code}} {{order}}", ":1: there is no variable {{order}}; there are {{code}}, {{service}}, {{minutes}}"),
            ("{{code}} {{link}}", ":1: there is no variable {{link}}; there are {{code}}, {{service}}, {{minutes}}"),
            ("{{ code }}", ":1: there is no variable {{ code }}; there are {{code}}, {{service}}, {{minutes}}"),
            ("{{}}", ":1: there is no variable {{}}; there are {{code}}, {{service}}, {{minutes}}"),
            ("{{code", ":1: {{ and }} must come in pairs on one line"),
            ("{{code}} {{service\n}}", ":1: {{ and }} must come in pairs on one line"),
            ("code}} {{code}}", ":1: {{ and }} must come in pairs on one line"),
            ("{{code}}\n}}", ":2: {{ and }} must come in pairs on one line"),
            (
                "{{code}}\n@example.com #{{code}}",
                ":2: must not begin with @; the line for autofill is added when a web host is configured"
            ),
            ("{{code}}\u{2028}x", ":1: must not contain the control character U+2028"),
            ("{{code}}\rx", ":1: must not contain the control character U+000D"),
            ("\u{FEFF}{{code}}", ":1: must not contain the control character U+FEFF"),
        ]
    )
    func faultyTexts(text: String, fault: String) throws {
        #expect(try templateError(["fr/verification.txt": text], acme) == "fr/verification.txt\(fault)")
    }

    @Test(
        "a text that is not UTF-8 is refused with its line",
        arguments: [[0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xFF], [0xB0, 0xA1], [0xEA, 0xB0]]
    )
    func notUTF8(bytes: [UInt8]) throws {
        let directory = try MessageDirectory(bytes: ["ko/verification.txt": Array("{{code}}\nx".utf8) + bytes])

        let error = #expect(throws: MessageTemplateError.self) {
            try MessageTemplates(directory: directory.path, context: acme)
        }
        #expect(error?.description == "\(directory.path)/ko/verification.txt:2: is not UTF-8")
    }

    @Test(
        "a directory with something else in it is refused",
        arguments: [
            ("README/verification.txt", "README: is not named after a language, such as ko or pt-BR"),
            ("ko_KR/verification.txt", "ko_KR: is not named after a language, such as ko or pt-BR"),
            ("KO/verification.txt", "ko: is of the same locale as another directory beside it"),
            (
                "fr/verificaton.txt",
                "fr/verificaton.txt: is no message; those of a locale are verification.txt and number-changed.txt"
            ),
            ("fr", "fr: cannot be read: it is missing, of another kind, or may not be opened"),
            ("fr/.hidden", "fr/verification.txt: cannot be read: it is missing, of another kind, or may not be opened"),
        ]
    )
    func strayFiles(file: String, fault: String) throws {
        #expect(try templateError(["ko/verification.txt": "{{code}}", file: "{{code}}"], acme) == fault)
    }

    @Test("a directory that is not there is refused")
    func noDirectory() {
        #expect(throws: MessageTemplateError(file: "/nowhere/messages", problem: .unreadable)) {
            try MessageTemplates(directory: "/nowhere/messages", context: acme)
        }
    }
}
