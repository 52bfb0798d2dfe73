import PhoneDomain
import Testing

@testable import PhoneCLI

@Suite struct PromptTextsTests {
    private static let now = Timestamp(seconds: 1000)
    private static let later = Timestamp(seconds: 1000 + 8 * 60 + 12)

    /// Every failure there is, with what each language must say of it.
    private static let cases: [(failure: PhoneFailure, english: String, korean: String)] = [
        (.invalidPhoneNumber(.empty), "Enter a phone number", "휴대폰 번호를 입력해 주세요"),
        (.invalidPhoneNumber(.notANumber), "not a phone number", "전화번호가 아닙니다"),
        (.invalidPhoneNumber(.tooLong), "too many digits", "너무 깁니다"),
        (.invalidPhoneNumber(.tooShort), "missing digits", "번호가 짧습니다"),
        (.invalidPhoneNumber(.unknownRegion(.korea)), "Numbers of KR", "KR 지역"),
        (.invalidPhoneNumber(.unsupportedCallingCode("1")), "+1", "+1"),
        (.invalidPhoneNumber(.noSuchNumber), "first digits", "앞자리"),
        (.kindNotAccepted(.legacyMobile), "closed in 2021", "2021년"),
        (.kindNotAccepted(.fixedLine), "cannot receive SMS", "문자를 받을 수 없습니다"),
        (.kindNotAccepted(.voip), "internet phone", "인터넷전화"),
        (.kindNotAccepted(.personal), "forwards", "안심번호"),
        (.kindNotAccepted(.representative), "company's number", "대표번호"),
        (.kindNotAccepted(.machine), "use a mobile number", "휴대폰 번호를 입력해 주세요"),
        (.regionNotAllowed(nil), "this country", "이 국가"),
        (.regionNotAllowed(.korea), "KR", "KR"),
        (.resendTooSoon(nextSendAt: later), "in 8:12", "8:12 뒤"),
        (.maxSendsReached(retryAt: later), "in 8:12", "8:12 뒤"),
        (
            .rateLimited(policies: [VerificationPolicy.standard.sendQuota], retryAt: later + .seconds(86_400 - 492)),
            "in 24:00:00", "24:00:00 뒤"
        ),
        (.malformedCode(length: 6), "6 digits", "6자리"),
        (.codeIncorrect(checksLeft: 2), "2 tries left", "2번"),
        (.codeIncorrect(checksLeft: 1), "1 try left", "1번"),
        (.codeIncorrect(checksLeft: 0), "no tries are left", "더는"),
        (.codeExpired, "expired", "만료"),
        (.maxChecksReached(retryAt: later), "in 8:12", "8:12 뒤"),
        (.verificationNotFound, "No code is out", "보낸 인증번호가 없습니다"),
        (.verificationClosed, "used already", "이미 사용한"),
        (.verificationNotApproved, "enter the code", "인증번호를 입력해 주세요"),
        (.unavailable(cause: "disk is full"), "not available", "이용할 수 없습니다"),
    ]

    @Test("every failure is one line that says what to do", arguments: cases)
    func failures(_ failure: PhoneFailure, _ english: String, _ korean: String) {
        let said = [
            (EnglishPromptTexts().explanation(of: failure, at: Self.now), english),
            (KoreanPromptTexts().explanation(of: failure, at: Self.now), korean),
        ]
        for (text, part) in said {
            #expect(text.contains(part), "\(text)")
            #expect(text.last == "." || text.hasSuffix("010-1234-5678"), "\(text)")
            #expect(!text.contains("\n"))
            #expect(!text.contains("disk is full"))
        }
    }

    @Test(
        "waits are in minutes and seconds, rounded up",
        arguments: [
            (0, "0:00"), (1, "0:01"), (1000, "0:01"), (26_001, "0:27"), (60_000, "1:00"), (600_000, "10:00"),
            (3_599_001, "1:00:00"), (86_399_000, "23:59:59"), (-5000, "0:00"),
        ]
    )
    func countdown(_ milliseconds: Int, _ text: String) {
        #expect(Countdown.text(.milliseconds(milliseconds)) == text)
    }
}
