import PhoneDomain
import PhoneTestSupport
import Testing
import Texts

@testable import PhoneHTTP

@Suite struct AcceptLanguageTests {
    @Test(arguments: [
        // The first of equal quality, then by quality.
        ("ko", "ko"), ("en, ko", "en"), ("ko, en", "ko"), ("en;q=0.4, ko;q=0.5", "ko"), ("en;q=0.5, ko;q=0.5", "en"),
        ("ko;q=0.999, en", "en"), ("ko;q=0.001", "ko"),
        // As browsers send it.
        ("ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7", "ko"), ("sv-FI, sv;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", "en"),
        ("fr-CH, fr;q=0.9, en;q=0.8", "fr"), ("zh-TW,zh;q=0.9,en;q=0.8", "en"), ("zh-CN,zh;q=0.9,en;q=0.8", "zh-Hans"),
        ("zh-TW,en;q=0.8", "en"),
        ("KO-kr ; Q=1 , en ; q=0.9", "ko"), ("en-GB-oxendict", "en"), ("ko-Kore-KR", "ko"),
        // As POSIX has it.
        ("en_US", "en"), ("ko_KR, en;q=0.9", "ko"), ("en_US;q=0, ko", "ko"),
        // Refused languages, and any.
        ("ko;q=0, *", "en"), ("sv, *;q=0.1", "ko"), ("ko;q=0", "ko"), ("*", "ko"), ("en;q=0, *", "ko"),
        ("en;q=0, en-US", "ko"),
        // Nothing that there are texts in.
        ("sv", "ko"), ("", "ko"), ("kok", "ko"), ("e", "ko"), ("englisch", "ko"),
        // Malformed ranges are skipped.
        ("en;q=1.1, ko", "ko"), ("en;q=x, sv", "ko"), ("en;q=0.1234", "ko"), ("en;q=-1", "ko"), ("en;q=+1", "ko"),
        (";;,,q=1", "ko"), ("en US", "ko"), ("en;q=", "ko"), ("en; q = 1", "en"), ("en;level=1", "en"),
        (String(repeating: "a-", count: 5000) + "en", "ko"), (String(repeating: "sv,", count: 5000) + "en", "en"),
    ])
    func choosesByQuality(_ field: String, _ language: String) throws {
        let korean = try #require(Languages.texts(in: .korean))
        let choice = AcceptLanguage(field).choice(of: Languages.all, else: korean)
        #expect(choice.language.description == language)
    }

    @Test func problemsSpeakTheLanguageThatIsAccepted() async throws {
        try await TestServer.run { server in
            for (field, message) in [
                (nil, "This number has too many digits."), ("sv", "This number has too many digits."),
                ("en;q=0.5, ko-KR;q=0.9", "번호가 너무 깁니다. 다시 확인해 주세요."),
            ] {
                let fields = field.map { ["Accept-Language": $0] } ?? [:]
                let body = #"{"phone_number":"010-1234-56789"}"#
                let refused = try await server.send("POST", "/v1/verifications", body, headers: fields)
                #expect(refused.text("message") == message)
                #expect(refused.text("detail") == "Remove the extra digits.")
            }
        }
    }

    @Test(arguments: [("ko-KR", nil, "한국어"), ("en", "ko", "English"), ("sv", "ko", "한국어"), ("sv", nil, "한국어")])
    func aSignupSpeaksItsOwnLanguage(_ locale: String, _ field: String?, _ language: String) async throws {
        try await TestServer.run { server in
            let begun = try await server.send("POST", "/v1/signups", #"{"locale":"\#(locale)"}"#)
            let fields = field.map { ["Accept-Language": $0] } ?? [:]
            let number = #"{"phone_text":"02-123-4567"}"#
            let refused = try await GuidedSignup(server, begun).call("POST", "/send", number, headers: fields)
            let message =
                language == "English"
                ? "This is a landline. Use a mobile number." : "유선전화 번호입니다. 휴대폰 번호를 입력해 주세요."
            #expect(refused.status == 422)
            // Of the problem, and of the signup's state in it.
            #expect(refused.body.split(separator: #""message":"\#(message)""#).count == 3)
        }
    }
}
