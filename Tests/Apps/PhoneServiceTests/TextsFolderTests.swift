import Foundation
import PhoneDelivery
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing
import Texts

@testable import PhoneService

@Suite struct TextsFolderTests {
    private let folder = SettingsFolder()
    private static let shipped = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "config/messages")

    /// What a file can have, and what a person reads of it where that depends on more than the language.
    private static func all(_ texts: Texts) throws -> [String] {
        let groups: [Any] = [texts.failures, texts.pages, texts.devices, texts.passkeys, texts.undo, texts.call]
        let now = Timestamp(seconds: 1000)
        let nameless = try #require(Region("ZZ"))
        let failures: [PhoneFailure] = [
            .regionNotAllowed(nil, allowed: [nameless]), .regionNotAllowed(nameless, allowed: [nameless, nameless]),
            .resendTooSoon(nextSendAt: now + .seconds(1)), .resendTooSoon(nextSendAt: now + .seconds(27)),
            .maxSendsReached(retryAt: now + .seconds(600)), .rateLimited(policies: [], retryAt: now + .seconds(9000)),
            try .codeIncorrect(checksLeft: 2), try .codeIncorrect(checksLeft: 1), try .codeIncorrect(checksLeft: 0),
        ]
        return groups.flatMap { Mirror(reflecting: $0).children.compactMap { $0.value as? String } }
            + failures.map { texts.explanation(of: $0, at: now) }
    }

    @Test func `the shipped file is the built-in English, whatever is below it`() throws {
        let file = try #require(try TextsFile.load(Self.shipped.path).first { $0.language == .english })
        #expect(file.missing.isEmpty)
        let korean = try #require(Languages.builtIn.first { $0.language == .korean })
        #expect(try Self.all(file.over(korean).texts) == Self.all(Languages.english))
        // And each is the file's.
        #expect(try Self.all(TextsFile([:], in: .english, over: korean).texts) == Self.all(korean))
    }

    @Test func `no sentence is of two languages`() throws {
        let (swedish, now) = (try #require(LanguageTag("sv")), Timestamp(seconds: 1000))
        let limited = PhoneFailure.rateLimited(policies: [], retryAt: now + .seconds(1))
        func text(_ entries: [String: PluralForms]) -> String {
            TextsFile(entries, in: swedish, over: Languages.english).texts.explanation(of: limited, at: now)
        }
        var entries: [String: PluralForms] = [
            "seconds": [.one: "{{count}} sekund", .other: "{{count}} sekunder"], "minutes": "{{count}} minuter",
            "hours": "{{count}} timmar", "resend_too_soon": "Vänta {{wait}}.", "too_many_codes": "Vänta {{wait}}.",
            "max_checks_reached": "Vänta {{wait}}.",
        ]
        #expect(text(entries) == "Too many requests. Try again in 1 second.")
        entries["rate_limited"] = "Vänta {{wait}}."
        #expect(text(entries) == "Vänta 1 sekund.")
        entries["hours"] = nil
        #expect(text(entries) == "Too many requests. Try again in 1 second.")
        // Other words for a language that there are texts in need no others.
        let british = TextsFile(["rate_limited": "Wait {{wait}}."], in: .english, over: Languages.english)
        #expect(british.texts.explanation(of: limited, at: now) == "Wait 1 second.")
    }

    @Test func `what a file lacks takes the plurals of its own language`() throws {
        let polish = try #require(LanguageTag("pl"))
        let texts = TextsFile([:], in: polish, over: Languages.english).texts
        let wrong = try PhoneFailure.codeIncorrect(checksLeft: 3)
        #expect(texts.explanation(of: wrong, at: Timestamp(seconds: 0)) == "Wrong code. 3 attempts left.")
        let japanese = TextsFile([:], in: try #require(LanguageTag("ja-Hira")), over: Languages.english).texts
        let last = try PhoneFailure.codeIncorrect(checksLeft: 1)
        #expect(japanese.explanation(of: last, at: Timestamp(seconds: 0)) == "Wrong code. 1 attempt left.")
    }

    @Test func `a file has no text of the terminal, the console, the inbox or a message`() {
        let names = Set(TextsFile.names)
        #expect(names.count == TextsFile.names.count)
        #expect(names == Set(TextsFile.variables.keys))
        #expect(TextsFile.variables["undo_offer"] == ["moment", "number"])
        #expect(TextsFile.variables["code_sent_by_messenger"] == ["number", "channel"])
        #expect(names.isDisjoint(with: ["canceled", "console_key", "inbox_heading", "verification", "yes"]))
    }

    @Test func `a number takes the form of the language`() {
        func forms(_ tag: String, _ numbers: [Int64]) -> [String] {
            numbers.map { PluralCategory(of: $0, in: LanguageTag(tag) ?? .english).rawValue }
        }
        #expect(forms("sv", [0, 1, 2]) == ["other", "one", "other"])
        #expect(forms("fr", [0, 1, 2]) == ["one", "one", "other"])
        #expect(
            forms("ru", [1, 2, 5, 11, 12, 21, 22, 111]) == ["one", "few", "many", "many", "many", "one", "few", "many"]
        )
        #expect(forms("pl", [1, 2, 5, 12, 22, 21]) == ["one", "few", "many", "many", "few", "many"])
        #expect(
            forms("ar", [0, 1, 2, 3, 10, 11, 99, 100, 102, 103]) == [
                "zero", "one", "two", "few", "few", "many", "many", "other", "other", "few",
            ]
        )
        #expect(forms("ja", [0, 1, 2]) == ["other", "other", "other"])
    }

    @Test(arguments: [
        ("send_coed: x", "texts.yaml:1: there is no text send_coed; did you mean send_code?"),
        ("\nsend_code: \"{{code}}\"", "texts.yaml:2: send_code has no variable {{code}}"),
        ("undo_deadline: \"{{number}}\"", "texts.yaml:1: undo_deadline has no variable {{number}}, only {{moment}}"),
        ("send_code: [a]", "texts.yaml:1: send_code must be a text"),
        ("send_code: {other: a}", "texts.yaml:1: send_code must be a text"),
        ("minutes: {one: a}", "texts.yaml:1: minutes lacks other"),
        ("minutes: {some: a, other: b}", "texts.yaml:1: some is no plural, which are zero, one, two, few, many, other"),
        ("- a", "texts.yaml: must have a text for each name"), ("{", "texts.yaml: line 2"),
    ])
    func `what is wrong with a file is said with its line`(_ text: String, _ problem: String) throws {
        try folder.write("sv/texts.yaml", text)
        let error = #expect(throws: MessageTemplateError.self) { try TextsFile.load(folder.path) }
        #expect(error?.description.contains(problem) == true, "\(String(describing: error))")
    }
}
