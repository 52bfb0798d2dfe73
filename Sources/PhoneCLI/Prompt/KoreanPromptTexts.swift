public import PhoneDomain

/// Korean, in the polite form that services use.
public struct KoreanPromptTexts: PromptTexts {
    public init() {}

    public let phoneLabel = "휴대폰 번호"
    public let codeLabel = "인증번호"
    public let codeQuestion = "인증번호(r: 다시 받기, n: 번호 바꾸기):"
    public let sendHint = "Enter: 인증번호 받기"
    public let signUpHint = "Enter: 가입하기"
    public let sending = "보내는 중…"
    public let signingUp = "확인하는 중…"
    public let resendHint = "r: 다시 받기"
    public let newCodeHint = "r: 새로 받기"
    public let expired = "만료됨"
    public let otherNumberHint = "Esc: 번호 바꾸기"
    public let phoneHint = "다른 국가는 +로 시작"
    public let cancelHint = "Ctrl-C: 취소"
    public let localNextStep = "다음: phoneproof serve(HTTP API), phoneproof accounts show 계정-ID"
    public let remoteNextStep = "다음부터는 같은 번호로 이 계정에 로그인할 수 있습니다."
    public let stubLabel = "SMS 스텁"
    public let canceled = "가입을 취소했습니다."
    public let inputEnded = "가입을 마치기 전에 입력이 끝났습니다. 휴대폰 번호와 받은 인증번호를 차례로 입력해 주세요."

    public func resendHint(in wait: String) -> String { "\(wait) 뒤 다시 받기" }

    public func newCodeHint(in wait: String) -> String { "\(wait) 뒤 새로 받기" }

    public func expiryHint(in wait: String) -> String { "\(wait) 뒤 만료" }

    public func sent(to maskedNumber: String) -> String { "\(maskedNumber) 번호로 인증번호를 보냈습니다." }

    public func welcome(to account: SignupView.Account, with phoneText: String) -> String {
        account.isNew
            ? "가입을 완료했습니다: \(phoneText) · 계정 \(account.id) (신규)"
            : "다시 오신 것을 환영합니다: \(phoneText) · 계정 \(account.id)"
    }

    public func explanation(of error: SignupFlowError) -> String {
        switch error {
        case .unreachable(let server, let reason):
            "\(server) 서버가 응답하지 않습니다. 서버가 켜져 있는지, 주소가 맞는지 확인해 주세요. (\(reason))"
        case .notUnderstood(let server, let status):
            "\(server)의 응답이 PhoneProof의 응답이 아닙니다(상태 코드 \(status)). --server 주소를 확인해 주세요."
        case .refused(_, let detail): detail
        }
    }

    public func label(of field: NumberReport.Field) -> String {
        switch field {
        case .input: "입력"
        case .formatted: "표시"
        case .isValid: "유효한 번호"
        case .kind: "종류"
        case .region: "지역"
        case .national: "국내 표기"
        case .international: "국제 표기"
        case .e164: "E.164"
        case .receivesCode: "인증번호 수신"
        }
    }

    public func name(of kind: NumberKind) -> String {
        switch kind {
        case .mobile: "휴대폰"
        case .legacyMobile: "휴대폰(서비스 종료)"
        case .fixedLine: "유선전화"
        case .fixedLineOrMobile: "유선전화 또는 휴대폰"
        case .voip: "인터넷전화"
        case .personal: "안심번호·평생번호"
        case .representative: "대표번호"
        case .tollFree: "수신자 부담 전화"
        case .premium: "유료 정보 전화"
        case .sharedCost: "요금 분담 전화"
        case .pager: "무선호출(삐삐)"
        case .voicemail: "음성사서함"
        case .machine: "사물통신"
        }
    }

    public func yesOrNo(_ isTrue: Bool) -> String { isTrue ? "예" : "아니요" }
}

extension KoreanPromptTexts {
    public func explanation(of failure: PhoneFailure, at now: Timestamp) -> String {
        func wait(until moment: Timestamp) -> String { Countdown.text(moment - now) }
        return switch failure {
        case .invalidPhoneNumber(let error): explanation(of: error)
        case .kindNotAccepted(let kind): explanation(of: kind)
        case .regionNotAllowed(nil): "이 국가의 번호로는 인증번호를 보내지 않습니다. 다른 번호를 입력해 주세요."
        case .regionNotAllowed(let region?): "\(region) 지역 번호로는 인증번호를 보내지 않습니다. 다른 번호를 입력해 주세요."
        case .resendTooSoon(let moment): "방금 인증번호를 보냈습니다. \(wait(until: moment)) 뒤에 다시 요청해 주세요."
        case .maxSendsReached(let moment):
            "인증번호를 더는 다시 보낼 수 없습니다. \(wait(until: moment)) 뒤에 새로 요청해 주세요."
        case .rateLimited(_, let moment): "요청이 너무 많습니다. \(wait(until: moment)) 뒤에 다시 시도해 주세요."
        case .invalidMetadata: "계정에 저장할 내용이 너무 많습니다. 내용을 줄여 주세요."
        case .malformedCode(let length): "인증번호는 \(length)자리 숫자입니다. 모두 입력해 주세요."
        case .codeIncorrect(0): "인증번호가 맞지 않습니다. 더는 입력할 수 없으니, r을 입력해 언제 새로 받을 수 있는지 확인해 주세요."
        case .codeIncorrect(let checksLeft): "인증번호가 맞지 않습니다. \(checksLeft)번 더 입력할 수 있습니다."
        case .codeExpired: "인증번호가 만료되었습니다. r을 입력하면 새 인증번호를 받을 수 있습니다."
        case .maxChecksReached(let moment):
            "인증번호를 여러 번 잘못 입력했습니다. \(wait(until: moment)) 뒤에 새로 요청하거나 다른 번호로 다시 시작해 주세요."
        case .verificationNotFound: "이 번호로 보낸 인증번호가 없습니다. r을 입력하면 인증번호를 받을 수 있습니다."
        case .verificationClosed: "이미 사용한 인증번호입니다. r을 입력하면 새 인증번호를 받을 수 있습니다."
        case .verificationNotApproved: "아직 인증되지 않았습니다. 인증번호를 입력해 주세요."
        case .accountDormant: "오랫동안 사용하지 않은 계정의 번호입니다. 서비스 운영자의 확인이 필요합니다."
        case .numberTaken: "다른 계정에서 사용 중인 번호입니다."
        case .numberChangeNotFound: "더는 되돌릴 수 없는 번호 변경입니다."
        case .notSignedIn: "로그인되어 있지 않습니다."
        case .proofTooOld: "로그인한 지 오래되었습니다. 다시 로그인해 주세요."
        case .unavailable: "지금은 서비스를 이용할 수 없습니다. 잠시 뒤에 다시 시도해 주세요."
        }
    }

    private func explanation(of error: PhoneNumberError) -> String {
        switch error {
        case .empty: "휴대폰 번호를 입력해 주세요. 예: 010-1234-5678"
        case .notANumber: "전화번호가 아닙니다. 숫자로 입력하고, 다른 국가의 번호는 +로 시작해 주세요."
        case .tooLong: "번호가 너무 깁니다. 다시 확인해 주세요."
        case .tooShort: "번호가 짧습니다. 빠진 숫자를 입력해 주세요."
        case .unknownRegion(let region): "\(region) 지역의 번호 체계를 알 수 없습니다. +와 국가 번호부터 입력해 주세요."
        case .unsupportedCallingCode(let code): "+\(code) 번호는 지원하지 않습니다. 다른 국가의 번호를 입력해 주세요."
        case .noSuchNumber: "없는 번호입니다. 앞자리를 확인해 주세요."
        }
    }

    private func explanation(of kind: NumberKind) -> String {
        switch kind {
        case .legacyMobile: "011, 016~019 번호는 2021년에 서비스가 종료되었습니다. 010 번호를 입력해 주세요."
        case .fixedLine: "유선전화는 문자를 받을 수 없습니다. 휴대폰 번호를 입력해 주세요."
        case .voip: "인터넷전화 번호로는 가입할 수 없습니다. 휴대폰 번호를 입력해 주세요."
        case .personal: "안심번호·평생번호(050)로는 가입할 수 없습니다. 실제 휴대폰 번호를 입력해 주세요."
        case .representative: "대표번호는 문자를 받을 수 없습니다. 휴대폰 번호를 입력해 주세요."
        case .mobile, .fixedLineOrMobile, .tollFree, .premium, .sharedCost, .pager, .voicemail, .machine:
            "인증번호를 받을 수 없는 번호입니다. 휴대폰 번호를 입력해 주세요."
        }
    }
}
