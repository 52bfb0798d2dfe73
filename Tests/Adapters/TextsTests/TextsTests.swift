import PhoneDomain
import PhoneTestSupport
import Testing

@testable import Texts

@Suite struct TextsTests {
    private static let now = Timestamp(seconds: 1000)

    private static func later(_ milliseconds: Int) -> Timestamp { now + .milliseconds(milliseconds) }

    private static let many = (["DE", "FR", "GB", "JP", "KR", "US"] as [String]).compactMap(Region.init)

    /// Every failure there is.
    private static func failures() throws -> [(failure: PhoneFailure, english: String, korean: String)] {
        [
            (.invalidPhoneNumber(.empty), "Enter your phone number.", "휴대폰 번호를 입력해 주세요."),
            (
                .invalidPhoneNumber(.notANumber),
                "This is not a phone number. Enter digits only, no extension, with a leading + for another country.",
                "전화번호가 아닙니다. 내선번호 없이 숫자로 입력하고, 해외 번호는 +로 시작해 주세요."
            ),
            (.invalidPhoneNumber(.tooLong), "This number has too many digits.", "번호가 너무 깁니다. 다시 확인해 주세요."),
            (.invalidPhoneNumber(.tooShort), "This number is incomplete.", "번호가 너무 짧습니다. 끝까지 입력해 주세요."),
            (
                .invalidPhoneNumber(.unknownRegion(.korea)), "Start the number with + and the country code.",
                "+와 국가 번호부터 입력해 주세요."
            ),
            (
                .invalidPhoneNumber(.unsupportedCallingCode("999")), "Numbers that start with +999 are not supported.",
                "+999 번호는 지원하지 않습니다."
            ),
            (
                .invalidPhoneNumber(.noSuchNumber), "There is no such number. Check the digits.",
                "없는 번호입니다. 다시 확인해 주세요."
            ),
            (
                .kindNotAccepted(.legacyMobile), "011 and 016–019 numbers are out of service. Use your 010 number.",
                "011, 016~019 번호는 서비스가 종료되었습니다. 010 번호를 입력해 주세요."
            ),
            (
                .kindNotAccepted(.fixedLine), "This is a landline. Use a mobile number.",
                "유선전화 번호입니다. 휴대폰 번호를 입력해 주세요."
            ),
            (
                .kindNotAccepted(.voip), "This is an internet phone number. Use a mobile number.",
                "인터넷전화 번호입니다. 휴대폰 번호를 입력해 주세요."
            ),
            (
                .kindNotAccepted(.personal), "This is a forwarding number. Use your own mobile number.",
                "안심번호나 평생번호입니다. 실제 휴대폰 번호를 입력해 주세요."
            ),
            (
                .kindNotAccepted(.representative), "This is a company number. Use a mobile number.",
                "대표번호입니다. 휴대폰 번호를 입력해 주세요."
            ),
            (
                .kindNotAccepted(.machine), "This number cannot receive codes. Use a mobile number.",
                "인증번호를 받을 수 없는 번호입니다. 휴대폰 번호를 입력해 주세요."
            ),
            (
                .regionNotAllowed(nil, allowed: many), "Codes cannot be sent to this country. Use another number.",
                "이 국가의 번호로는 인증번호를 보낼 수 없습니다. 다른 번호를 입력해 주세요."
            ),
            (
                .regionNotAllowed(Region("US"), allowed: [.korea]),
                "Codes cannot be sent to US numbers. Use a number from KR.",
                "US 지역의 번호로는 인증번호를 보낼 수 없습니다. KR 지역의 번호를 입력해 주세요."
            ),
            (
                .regionNotAllowed(Region("US"), allowed: Array(many.prefix(5))),
                "Codes cannot be sent to US numbers. Use a number from DE, FR, GB, JP, KR.",
                "US 지역의 번호로는 인증번호를 보낼 수 없습니다. DE, FR, GB, JP, KR 지역의 번호를 입력해 주세요."
            ),
            (
                .resendTooSoon(nextSendAt: later(26_001)),
                "A code was just sent. You can request another one in 27 seconds.",
                "방금 인증번호를 보냈습니다. 27초 후에 다시 요청해 주세요."
            ),
            (
                .resendTooSoon(nextSendAt: later(-5)), "A code was just sent. You can request another one in 1 second.",
                "방금 인증번호를 보냈습니다. 1초 후에 다시 요청해 주세요."
            ),
            (
                .maxSendsReached(retryAt: later(90_001)),
                "No more codes can be sent for now. Request a new one in 2 minutes.",
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
            (.malformedCode(length: 6), "Enter the 6-digit code.", "인증번호 6자리를 입력해 주세요."),
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
            (.codeExpired, "This code has expired. Request a new one.", "인증번호가 만료되었습니다. 새로 요청해 주세요."),
            (
                .maxChecksReached(retryAt: later(540_001)), "Too many wrong codes. Request a new one in 10 minutes.",
                "인증번호를 여러 번 잘못 입력했습니다. 10분 후에 새로 요청해 주세요."
            ),
            (
                .verificationNotFound, "No code has been sent to this number. Request one first.",
                "이 번호로 보낸 인증번호가 없습니다. 먼저 인증번호를 요청해 주세요."
            ),
            (
                .verificationClosed, "This code is no longer valid. Request a new one.",
                "더 이상 사용할 수 없는 인증번호입니다. 새로 요청해 주세요."
            ),
            (
                .verificationNotApproved, "This number is not verified yet. Enter the code first.",
                "아직 인증되지 않은 번호입니다. 인증번호를 입력해 주세요."
            ),
            (
                try .accountDormant(sampleVerification()),
                "The account with this number has not been used for a long time. Contact customer support to continue.",
                "오랫동안 사용하지 않은 계정의 번호입니다. 고객센터에 문의해 주세요."
            ),
            (
                .accountSuspended, "This account is suspended. Please contact support.",
                "이용이 정지된 계정입니다. 고객센터에 문의해 주세요."
            ),
            (.numberTaken, "Another account already uses this number.", "다른 계정에서 사용 중인 번호입니다."),
            (.numberChangeNotFound, "This change can no longer be undone.", "더 이상 되돌릴 수 없는 번호 변경입니다."),
            (
                .invalidMetadata(.tooLong), "There is too much data to save. Remove some of it.",
                "저장할 내용이 너무 많습니다. 내용을 줄여 주세요."
            ),
            (.notSignedIn, "You are signed out. Sign in again.", "로그아웃되었습니다. 다시 로그인해 주세요."),
            (.proofTooOld, "For your security, sign in again to continue.", "안전을 위해 다시 로그인해 주세요."),
            (
                .unavailable(cause: "disk is full"),
                "The service is temporarily unavailable. Try again in a moment.",
                "일시적으로 서비스를 이용할 수 없습니다. 잠시 후 다시 시도해 주세요."
            ),
        ]
    }

    @Test("what a person reads of a failure", arguments: try failures())
    func failureTexts(_ failure: PhoneFailure, _ english: String, _ korean: String) throws {
        let texts = try #require(Languages.texts(in: .korean))
        #expect(Languages.english.explanation(of: failure, at: Self.now) == english)
        #expect(texts.explanation(of: failure, at: Self.now) == korean)
    }

    /// For languages to come as well.
    @Test(arguments: Languages.all.map(\.language))
    func everyLanguageNamesWhatThePersonNeeds(_ language: LanguageTag) throws {
        let texts = try #require(Languages.texts(in: language))
        for (failure, _, _) in try Self.failures() {
            let text = texts.explanation(of: failure, at: Self.now)
            #expect(!text.isEmpty && !text.contains("\n") && !text.contains("disk is full") && !text.contains("\\("))
            switch failure {
            case .codeIncorrect(let checked) where checked.checksLeft > 1:
                #expect(text.contains("\(checked.checksLeft)"))
            case .malformedCode(let length): #expect(text.contains("\(length)"))
            case .regionNotAllowed(_, [.korea]): #expect(text.contains("KR"))
            case .resendTooSoon(let moment) where moment > Self.now: #expect(text.contains("27"))
            default: break
            }
        }
        #expect(texts.verificationMessage.contains("{{code}}"))
        #expect(texts.numberChangeMessage.hasSuffix("{{link}}"))
        #expect(texts.sharingWarningMarks.contains { texts.sharingWarning.lowercased().contains($0) })
        #expect(texts.sharingWarningMarks.allSatisfy { $0 == $0.lowercased() })
        #expect(texts.undoOffer(number: "NUMBER", changedAt: "TIME").contains("NUMBER"))
        #expect(texts.undoOffer(number: "NUMBER", changedAt: "TIME").contains("TIME"))
        #expect(texts.inboxDelivery(from: "SENDER", status: "failed", errorCode: 30008).contains("30008"))
    }

    @Test(arguments: [
        ("en", "en"), ("en-GB", "en"), ("ko", "ko"), ("ko-KR", "ko"), ("ko-Kore-KR", "ko"), ("fr", nil), ("kok", nil),
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
