public import PhoneDomain

/// Korean, in the polite form that services use.
public struct KoreanPromptTexts: PromptTexts {
    /// The Korean texts.
    public init() {}

    public let phoneLabel = "휴대폰 번호"
    public let codeLabel = "인증번호"
    public let phoneQuestion = "휴대폰 번호:"
    public let codeQuestion = "인증번호(r: 다시 받기, n: 번호 바꾸기):"
    public let sendHint = "Enter: 인증번호 받기"
    public let signUpHint = "Enter: 가입하기"
    public let sending = "보내는 중…"
    public let signingUp = "확인하는 중…"
    public let resendHint = "r: 다시 받기"
    public let otherNumberHint = "n: 번호 바꾸기"
    public let stubLabel = "SMS 스텁"
    public let canceled = "가입을 취소했습니다."
    public let inputEnded = "가입을 마치기 전에 입력이 끝났습니다. 휴대폰 번호와 받은 인증번호를 차례로 입력해 주세요."

    public func resendHint(in wait: String) -> String { "\(wait) 뒤 다시 받기" }

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

    public func answer(_ isSo: Bool) -> String { isSo ? "예" : "아니요" }
}
