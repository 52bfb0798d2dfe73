import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import Texts

@Suite struct TextsTests {
    private static let now = Timestamp(seconds: 1000)

    private static func later(_ milliseconds: Int) -> Timestamp { now + .milliseconds(milliseconds) }

    private static let many = (["DE", "FR", "GB", "JP", "KR", "US"] as [String]).compactMap(Region.init)

    /// Those of which a text names a number, a time or a country.
    private static func counted() throws -> [(failure: PhoneFailure, english: String, korean: String)] {
        [
            (
                .regionNotAllowed(nil, allowed: many),
                "Numbers from this country aren't supported. Use another number.",
                "이 국가의 번호로는 인증번호를 보낼 수 없습니다. 다른 번호를 입력해 주세요."
            ),
            (
                .regionNotAllowed(Region("US"), allowed: Array(many.prefix(5))),
                "Numbers from this country (United States) aren't supported. Use a number from: Germany, France, United Kingdom, Japan, South Korea.",
                "미국 번호로는 인증번호를 보낼 수 없습니다. 독일, 프랑스, 영국, 일본, 대한민국 번호를 입력해 주세요."
            ),
            (
                .resendTooSoon(nextSendAt: later(26_001)),
                "We just sent you a code. You can request another one in 27 seconds.",
                "방금 인증번호를 보냈습니다. 27초 후에 다시 요청해 주세요."
            ),
            (
                .resendTooSoon(nextSendAt: later(-5)),
                "We just sent you a code. You can request another one in 1 second.",
                "방금 인증번호를 보냈습니다. 1초 후에 다시 요청해 주세요."
            ),
            (
                .maxSendsReached(retryAt: later(90_001)),
                "You've requested too many codes. Try again in 2 minutes.",
                "지금은 인증번호를 더 보낼 수 없습니다. 2분 후에 새로 요청해 주세요."
            ),
            (
                .rateLimited(policies: [VerificationPolicy.standard.sendQuota], retryAt: later(86_400_000)),
                "Too many requests. Try again in 24 hours.", "요청이 너무 많습니다. 24시간 후에 다시 시도해 주세요."
            ),
            // A person cannot vouch for themselves.
            (
                .rateLimited(
                    policies: [QuotaPolicy(name: "guard-challenge", quota: 0, window: .seconds(60))],
                    retryAt: later(5_400_000)
                ),
                "Too many requests. Try again in 90 minutes.", "요청이 너무 많습니다. 90분 후에 다시 시도해 주세요."
            ),
            (
                try .codeIncorrect(checksLeft: 4), "Wrong code. 4 attempts left.",
                "인증번호가 맞지 않습니다. 4번 더 입력할 수 있습니다."
            ),
            (
                try .codeIncorrect(checksLeft: 1), "Wrong code. 1 attempt left.",
                "인증번호가 맞지 않습니다. 1번 더 입력할 수 있습니다."
            ),
            (
                try .codeIncorrect(checksLeft: 0), "Wrong code. No attempts left.",
                "인증번호가 맞지 않습니다. 더 이상 입력할 수 없습니다."
            ),
        ]
    }

    /// Every failure there is.
    private static func failures() throws -> [PhoneFailure] {
        let numbers: [PhoneNumberError] = [
            .empty, .notANumber, .tooLong, .tooShort, .unknownRegion(.korea), .unsupportedCallingCode("999"),
            .noSuchNumber,
        ]
        let others: [PhoneFailure] = [
            .regionNotAllowed(Region("US"), allowed: [.korea]), .malformedCode(length: 6), .codeExpired,
            .maxChecksReached(retryAt: later(540_001)), .verificationNotFound, .verificationClosed,
            .verificationNotApproved,
            try .accountDormant(sampleVerification()), .accountSuspended, .numberTaken, .numberChangeNotFound,
            .invalidMetadata(.tooLong), .notSignedIn, .proofTooOld, .unavailable(cause: "disk is full"),
        ]
        return try counted().map(\.failure) + numbers.map { .invalidPhoneNumber($0) }
            + NumberKind.allCases.map { .kindNotAccepted($0) } + others
    }

    @Test("numbers, times and countries in what a person reads of a failure", arguments: try counted())
    func failureTexts(_ failure: PhoneFailure, _ english: String, _ korean: String) throws {
        let texts = try #require(Languages.texts(in: .korean))
        #expect(Languages.english.explanation(of: failure, at: Self.now) == english)
        #expect(texts.explanation(of: failure, at: Self.now) == korean)
    }

    /// For languages to come as well.
    @Test(arguments: Languages.all.map(\.language))
    func everyLanguageNamesWhatThePersonNeeds(_ language: LanguageTag) throws {
        let texts = try #require(Languages.texts(in: language))
        for failure in try Self.failures() {
            let text = texts.explanation(of: failure, at: Self.now)
            #expect(!text.isEmpty && !text.contains("\n") && !text.contains("disk is full") && !text.contains("\\("))
            switch failure {
            case .codeIncorrect(let checked) where checked.checksLeft > 1:
                #expect(text.contains("\(checked.checksLeft)"))
            case .malformedCode(let length): #expect(text.contains("\(length)"))
            case .regionNotAllowed(_, [.korea]): #expect(text.contains(texts.name(of: .korea)))
            case .resendTooSoon(let moment) where moment > Self.now: #expect(text.contains("27"))
            default: break
            }
        }
        // Each region has a name, and one place in the order.
        #expect(Set(texts.regions.map(\.region)) == Set(NumberingPlans.builtIn.regions))
        #expect(texts.regions.count == Set(texts.regions.map(\.name)).count)
        #expect(texts.regions.allSatisfy { !$0.name.isEmpty && texts.name(of: $0.region) == $0.name })
        #expect(texts.messages.verification.contains("{{code}}"))
        #expect(texts.messages.numberChange.hasSuffix("{{link}}"))
        #expect(texts.messages.sharingWarningMarks.contains { texts.messages.sharingWarning.lowercased().contains($0) })
        #expect(texts.messages.sharingWarningMarks.allSatisfy { $0 == $0.lowercased() })
        #expect(texts.inboxDelivery(from: "SENDER", status: "failed", errorCode: 30008).contains("30008"))
    }

    /// The variables of each text by its name: `pages.signedInAs`. The messages may leave some out.
    private static func variables(of texts: Texts) -> [String: Set<String>] {
        let groups: [String: Any] = [
            "failures": texts.failures, "prompt": texts.prompt, "number": texts.number, "pages": texts.pages,
            "console": texts.console, "devices": texts.devices, "passkeys": texts.passkeys, "undo": texts.undo,
            "inbox": texts.inbox, "call": texts.call,
        ]
        var variables: [String: Set<String>] = [:]
        for (group, value) in groups {
            for member in Mirror(reflecting: value).children {
                let text =
                    switch member.value {
                    case let text as String: text
                    case let forms as PluralForms: forms.other
                    case let lines as [String]: lines.joined(separator: "\n")
                    default: ""
                    }
                #expect(!text.isEmpty)
                variables["\(group).\(member.label ?? "")"] = Set(text.variables)
            }
        }
        return variables
    }

    @Test(arguments: Languages.builtIn.map(\.language))
    func eachTextHasTheVariablesOfTheEnglishOne(_ language: LanguageTag) throws {
        let texts = try #require(Languages.builtIn.first { $0.language == language })
        let (own, english) = (Self.variables(of: texts), Self.variables(of: .english))
        #expect(own.count > 200)
        #expect(own.filter { english[$0.key] != $0.value } == [:])
    }

    @Test func variablesAreFilledOnce() {
        let text = "{{number}}: {{moment}}, {{{{number}} {x} {{"
        #expect(text.filled(["number": "{{moment}}", "moment": "NOW"]) == "{{moment}}: NOW, {{{{moment}} {x} {{")
        #expect(text.filled(["other": "x"]) == text)
        #expect("".filled(["number": "1"]) == "")
        #expect("전화 {{number}} 번호".filled(["number": "1"]) == "전화 1 번호")
    }

    @Test func messengersHaveTheirNamesInSentences() throws {
        let korean = try #require(Languages.texts(in: .korean))
        #expect(Languages.english.send(by: .whatsapp) == "Use WhatsApp")
        #expect(Languages.english.codeSent(to: "N", by: .kakaotalk) == "We sent a code to N on KakaoTalk.")
        #expect(Languages.english.sent(to: "N", by: .kakaotalk) == "Code sent to N on KakaoTalk.")
        #expect(korean.send(by: .kakaotalk) == "카카오톡으로 받기")
        #expect(korean.sent(to: "N", by: .whatsapp) == "N 번호의 왓츠앱으로 인증번호를 보냈습니다.")
        let viber = try #require(Channel(rawValue: "viber"))
        #expect(Languages.english.send(by: viber) == "Use Viber")
        #expect(Languages.english.codeSent(to: "N", by: .rcs) == "We sent a code to N on RCS.")
    }

    @Test(arguments: [
        ("en", "en"), ("en-GB", "en"), ("ko", "ko"), ("ko-KR", "ko"), ("ko-Kore-KR", "ko"), ("sv", nil),
        ("kok", nil), ("fr-CA", "fr"), ("pt", "pt-BR"), ("pt-PT", "pt-BR"), ("zh", "zh-Hans"), ("zh-CN", "zh-Hans"),
        ("zh-SG", "zh-Hans"), ("zh-hans", "zh-Hans"), ("zh-Hans-HK", "zh-Hans"), ("zh-TW", nil), ("zh-HK", nil),
        ("zh-Hant", nil), ("zh-Hant-CN", nil), ("in-ID", "id"), ("ar-EG", "ar"), ("es-419", "es"),
    ])
    func textsOfTheLongestTagThatALanguageBeginsWith(_ tag: String, _ found: String?) throws {
        let language = try #require(LanguageTag(tag))
        #expect(Languages.texts(in: language)?.language.description == found)
    }

    @Test func languagesHaveOneEntryEachAndEnglishIsFirst() {
        let languages = Languages.all.map(\.language)
        #expect(languages.first == .english)
        #expect(Set(languages).count == languages.count)
    }
}
