import PhoneDomain

/// Korean, in the polite form that services use.
struct KoreanTexts: Texts {
    let language = LanguageTag.korean
    let englishName = "Korean"
    var regionNames: RegionNames { .korean }
}

// Failures.
extension KoreanTexts {
    var sessionNotFound: String { "이미 로그아웃된 기기입니다." }
    var internalError: String { "문제가 발생했습니다. 다시 시도해 주세요." }

    func explanation(of failure: PhoneFailure, at now: Timestamp) -> String {
        func wait(_ moment: Timestamp) -> String { text(Wait(until: moment, from: now)) }
        return switch failure {
        case .invalidPhoneNumber(let error): explanation(of: error)
        case .kindNotAccepted(let kind): explanation(of: kind)
        case .regionNotAllowed(let region, let allowed): explanation(ofRefused: region, allowed)
        case .channelUnavailable(_, let offered) where offered.isEmpty: "지금은 이 번호로 인증번호를 보낼 수 없습니다."
        case .channelUnavailable: "이 번호로는 그 방법으로 보낼 수 없습니다. 다른 방법을 선택해 주세요."
        case .resendTooSoon(let moment): "방금 인증번호를 보냈습니다. \(wait(moment)) 후에 다시 요청해 주세요."
        case .maxSendsReached(let moment): "지금은 인증번호를 더 보낼 수 없습니다. \(wait(moment)) 후에 새로 요청해 주세요."
        case .rateLimited(_, let moment): "요청이 너무 많습니다. \(wait(moment)) 후에 다시 시도해 주세요."
        case .challengeRequired: "인증번호를 보내기 전에 기기 확인이 필요합니다. 다시 시도해 주세요."
        case .challengeFailed: "기기 확인이 더 이상 유효하지 않습니다. 다시 시도해 주세요."
        case .sendDenied: "이 번호로는 인증번호를 보내지 않습니다. 다른 번호를 사용해 주세요."
        case .malformedCode(let length): "인증번호 \(length)자리를 입력해 주세요."
        case .codeIncorrect(let checked) where checked.checksLeft == 0: "인증번호가 맞지 않습니다. 더 이상 입력할 수 없습니다."
        case .codeIncorrect(let checked): "인증번호가 맞지 않습니다. \(checked.checksLeft)번 더 입력할 수 있습니다."
        case .codeExpired: "인증번호가 만료되었습니다. 새로 요청해 주세요."
        case .maxChecksReached(let moment): "인증번호를 여러 번 잘못 입력했습니다. \(wait(moment)) 후에 새로 요청해 주세요."
        case .verificationNotFound: "이 번호로 보낸 인증번호가 없습니다. 먼저 인증번호를 요청해 주세요."
        case .signupNotFound: "가입 시간이 지났습니다. 처음부터 다시 시작해 주세요."
        case .verificationClosed: "더 이상 사용할 수 없는 인증번호입니다. 새로 요청해 주세요."
        case .verificationNotApproved: "아직 인증되지 않은 번호입니다. 인증번호를 입력해 주세요."
        case .consentRequired: "계속하려면 약관에 동의해 주세요."
        case .accountDormant: "오랫동안 사용하지 않은 계정의 번호입니다. 고객센터에 문의해 주세요."
        case .accountSuspended: "이용이 정지된 계정입니다. 고객센터에 문의해 주세요."
        case .numberTaken: "다른 계정에서 사용 중인 번호입니다."
        case .numberChangeNotFound: "더 이상 되돌릴 수 없는 번호 변경입니다."
        case .invalidMetadata: "저장할 내용이 너무 많습니다. 내용을 줄여 주세요."
        case .notSignedIn, .keyInvalid: "로그아웃되었습니다. 다시 로그인해 주세요."
        case .proofTooOld: "안전을 위해 다시 로그인해 주세요."
        case .unavailable: "일시적으로 서비스를 이용할 수 없습니다. 잠시 후 다시 시도해 주세요."
        }
    }

    private func explanation(of error: PhoneNumberError) -> String {
        switch error {
        case .empty: "휴대폰 번호를 입력해 주세요."
        case .notANumber: "전화번호가 아닙니다. 내선번호 없이 숫자로 입력하고, 해외 번호는 +로 시작해 주세요."
        case .tooLong: "번호가 너무 깁니다. 다시 확인해 주세요."
        case .tooShort: "번호가 너무 짧습니다. 끝까지 입력해 주세요."
        case .unknownRegion: "+와 국가 번호부터 입력해 주세요."
        case .unsupportedCallingCode(let code): "+\(code) 번호는 지원하지 않습니다."
        case .noSuchNumber: "없는 번호입니다. 다시 확인해 주세요."
        }
    }

    private func explanation(of kind: NumberKind) -> String {
        switch kind {
        case .legacyMobile: "011, 016~019 번호는 서비스가 종료되었습니다. 010 번호를 입력해 주세요."
        case .fixedLine: "유선전화 번호입니다. 휴대폰 번호를 입력해 주세요."
        case .voip: "인터넷전화 번호입니다. 휴대폰 번호를 입력해 주세요."
        case .personal: "안심번호나 평생번호입니다. 실제 휴대폰 번호를 입력해 주세요."
        case .representative: "대표번호입니다. 휴대폰 번호를 입력해 주세요."
        case .mobile, .fixedLineOrMobile, .tollFree, .premium, .sharedCost, .pager, .voicemail, .machine:
            "인증번호를 받을 수 없는 번호입니다. 휴대폰 번호를 입력해 주세요."
        }
    }

    private func explanation(ofRefused region: Region?, _ allowed: [Region]) -> String {
        let reason = "\(region.map(name(of:)) ?? "이 국가의") 번호로는 인증번호를 보낼 수 없습니다."
        guard (1...5).contains(allowed.count) else { return reason + " 다른 번호를 입력해 주세요." }
        return reason + " \(allowed.map(name(of:)).joined(separator: ", ")) 번호를 입력해 주세요."
    }

    var seconds: PluralForms { "{{count}}초" }
    var minutes: PluralForms { "{{count}}분" }
    var hours: PluralForms { "{{count}}시간" }
}

// Prompt.
extension KoreanTexts {
    var phoneLabel: String { "휴대폰 번호" }
    var codeLabel: String { "인증번호" }
    func codeQuestion(or channel: Channel?) -> String {
        "인증번호(r: 다시 받기\(channel.map { ", c: " + send(by: $0) } ?? ""), n: 번호 바꾸기):"
    }
    var consentQuestion: String { "동의하시겠습니까? (y: 예, n: 아니요)" }
    var sendHint: String { "Enter: 인증번호 받기" }
    var signUpHint: String { "Enter: 가입하기" }
    var connecting: String { "연결하는 중…" }
    var tryAgainHint: String { "Enter: 다시 시도" }
    var sending: String { "보내는 중…" }
    var signingUp: String { "확인하는 중…" }
    var resendHint: String { "r: 다시 받기" }
    var newCodeHint: String { "r: 새로 받기" }
    var expired: String { "만료됨" }
    var otherNumberHint: String { "Esc: 번호 바꾸기" }
    var phoneHint: String { "다른 국가는 +로 시작" }
    func regionHint(_ region: Region) -> String { "지역 \(region)(--region으로 변경)" }
    var cancelHint: String { "Ctrl-C: 취소" }
    var remoteNextStep: String { "다음부터는 같은 번호로 이 계정에 로그인할 수 있습니다." }
    var stubLabel: String { "SMS 스텁" }
    var canceled: String { "가입을 취소했습니다." }
    var inputEnded: String { "가입이 끝나기 전에 입력이 끝났습니다. 휴대폰 번호와 인증번호를 차례로 입력해 주세요." }

    func localNextSteps(show: String, serve: String) -> [String] { ["다음: \(show)", "또는: \(serve)"] }
    func anotherNumberHint(orCodeIn wait: String) -> String { "다른 번호, 또는 \(wait) 후 새로 받기" }
    func resendHint(in wait: String) -> String { "\(wait) 후 다시 받기" }
    func newCodeHint(in wait: String) -> String { "\(wait) 후 새로 받기" }
    func expiryHint(in wait: String) -> String { "\(wait) 후 만료" }
    func sent(to maskedNumber: String, by channel: Channel?) -> String {
        switch channel {
        case .call: "\(maskedNumber) 번호로 전화를 걸어 인증번호를 알려 드립니다."
        case .whatsapp: "\(maskedNumber) 번호의 왓츠앱으로 인증번호를 보냈습니다."
        case .kakaotalk: "\(maskedNumber) 번호의 카카오톡으로 인증번호를 보냈습니다."
        case .sms, .inbound, .sim, nil: "\(maskedNumber) 번호로 인증번호를 보냈습니다."
        }
    }
    func signedUp(_ phoneText: String, account: String) -> String {
        "가입을 완료했습니다: \(phoneText) · 계정 \(account) (신규)"
    }
    func welcomeBack(_ phoneText: String, account: String) -> String {
        "다시 오신 것을 환영합니다: \(phoneText) · 계정 \(account)"
    }
    func serverUnreachable(_ server: String, reason: String) -> String {
        "\(server) 서버에 연결할 수 없습니다. 서버가 켜져 있는지, 주소가 맞는지 확인해 주세요. (\(reason))"
    }
    func serverNotUnderstood(_ server: String, status: Int) -> String {
        "\(server)은(는) PhoneProof 서버가 아닙니다(상태 코드 \(status)). --server 주소를 확인해 주세요."
    }
}

// Report on a number.
extension KoreanTexts {
    var numberInput: String { "입력" }
    var numberFormatted: String { "표시" }
    var numberIsValid: String { "유효한 번호" }
    var numberKind: String { "종류" }
    var numberRegion: String { "지역" }
    var numberNational: String { "국내 표기" }
    var numberInternational: String { "국제 표기" }
    var numberReceivesCode: String { "인증번호 수신" }

    func name(of kind: NumberKind) -> String {
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

    func yesOrNo(_ isTrue: Bool) -> String { isTrue ? "예" : "아니요" }
}

// Pages.
extension KoreanTexts {
    var undoHeading: String { "전화번호가 변경되었습니다" }
    func undoOffer(number: String, changedAt moment: String) -> String {
        "\(moment)에 회원님 계정의 전화번호가 \(number)에서 다른 번호로 변경되었습니다."
    }
    func undoAdvice(number: String) -> String {
        "본인이 변경했다면 이 페이지를 닫아 주세요. 본인이 아니라면 이전 번호로 되돌려 주세요. 계정이 이전 번호(\(number))로 돌아가고, "
            + "모든 기기에서 로그아웃됩니다."
    }
    var undoButton: String { "이전 번호로 되돌리기" }
    func undoDeadline(_ moment: String) -> String { "\(moment)까지 되돌릴 수 있습니다." }
    var undoneHeading: String { "이전 번호로 되돌렸습니다" }
    func undone(number: String) -> String {
        "계정이 이전 번호(\(number))로 돌아갔습니다. 모든 기기에서 로그아웃되었으니 이 번호로 다시 로그인해 주세요."
    }
    var undoGoneHeading: String { "만료된 링크입니다" }
    var undoGone: String { "이미 사용했거나 기한이 지났습니다. 방금 버튼을 눌렀다면 정상적으로 되돌려졌습니다." }
    var undoTakenHeading: String { "되돌릴 수 없습니다" }
    var undoTaken: String { "그 사이 다른 계정에서 이 번호를 인증했습니다. 고객센터에 문의해 주세요." }
    var undoUnavailableHeading: String { "처리하지 못했습니다" }
    var undoUnavailable: String { "잠시 후 문자에 있는 링크를 다시 열어 주세요." }

    var inboxHeading: String { "SMS 스텁 수신함" }
    var inboxNote: String { "실제 휴대폰으로 보내지 않은 메시지입니다. 최신순으로 표시합니다." }
    var inboxReload: String { "새 메시지를 보려면 페이지를 새로 고치세요." }
    var inboxEmpty: String { "아직 메시지가 없습니다." }
    var inboxCopy: String { "복사" }
    var inboxCopied: String { "복사됨" }
    var inboxFilter: String { "번호로 찾기" }
    var inboxClear: String { "모두 지우기" }
    var inboxKey: String { "C 키를 누르면 최신 인증번호를 복사합니다." }
    func inboxMessage(to number: String) -> String { "받는 번호: \(number)" }
    func inboxCall(to number: String) -> String { "음성 전화: \(number)" }
    func inboxDelivery(from sender: String, status: String, errorCode: Int?) -> String {
        "보낸 사람: \(sender) · \(status)" + (errorCode.map { " · 오류 \($0)" } ?? "")
    }
}

// SMS.
extension KoreanTexts {
    var verificationMessage: String { "[{{service}}] 인증번호 {{code}} (타인 노출 금지)" }
    /// As short as it is because half of an SMS there is the link: with a name of ten letters 30 bytes are left for the
    /// address before its secret.
    var numberChangeMessage: String { "[{{service}}] 번호 변경됨. 취소: {{link}}" }
    var sharingWarning: String { "(타인 노출 금지)" }
    var sharingWarningMarks: [String] {
        ["노출 금지", "노출금지", "공유 금지", "공유금지", "공유하지", "알려주지", "알려 주지", "알리지"]
    }
}

// Pages to sign in.
extension KoreanTexts {
    var errorTitle: String { "오류" }
    var startHeading: String { "휴대폰으로 로그인" }
    var startIntroduction: String { "휴대폰 번호를 인증하고 그 번호로 로그인하는 서비스입니다." }
    var startDocs: String { "개발자용: API 문서" }
    var signInHeading: String { "휴대폰 번호로 로그인" }
    var signInIntroduction: String { "휴대폰으로 받은 인증번호로 가입하거나 로그인합니다." }
    var sendCode: String { "인증번호 받기" }
    var terms: String { "이용약관" }
    var privacy: String { "개인정보 처리방침" }
    var conjunction: String { " 및 " }
    func acceptance(of rules: String) -> String { "계속하면 \(rules)에 동의하게 됩니다." }
    func consent(to rules: String) -> String { "\(rules)에 동의합니다." }
    func signInConsent(_ client: String, sharesNumber: Bool) -> String {
        sharesNumber
            ? "\(client)에 휴대폰 번호가 전달됩니다."
            : "\(client)에 휴대폰 번호가 전달되지 않습니다."
    }
    var codeHeading: String { "인증번호 입력" }
    func codeSent(to number: String, by channel: Channel) -> String {
        switch channel {
        case .sms, .sim: "\(number) 번호로 인증번호 문자를 보냈습니다."
        case .call: "\(number) 번호로 전화를 걸어 인증번호를 알려 드립니다."
        case .whatsapp: "\(number) 번호의 왓츠앱으로 인증번호를 보냈습니다."
        case .kakaotalk: "\(number) 번호의 카카오톡으로 인증번호를 보냈습니다."
        case .inbound: "\(number) 번호에서 문자를 보내 주세요."
        }
    }
    var changeNumber: String { "번호 변경" }
    var signIn: String { "로그인" }
    var resendCode: String { "인증번호 다시 받기" }
    var resendWait: String { "% 후 다시 받기" }
    var resent: String { "다시 보냈습니다." }
    func send(by channel: Channel) -> String {
        switch channel {
        case .sms, .sim: "문자로 받기"
        case .call: "전화로 받기"
        case .whatsapp: "왓츠앱으로 받기"
        case .kakaotalk: "카카오톡으로 받기"
        case .inbound: "직접 문자 보내기"
        }
    }

    var inboundHeading: String { "문자를 보내 주세요" }
    var inboundRecipient: String { "받는 번호" }
    var inboundText: String { "내용" }
    var inboundOpen: String { "문자 앱 열기" }
    var inboundSent: String { "보냈습니다" }
    var inboundMissing: String { "아직 문자가 도착하지 않았습니다. 1분쯤 걸릴 수 있습니다." }
    var inboundArrived: String { "문자가 도착했습니다." }

    func callIntroduction(service: String) -> String { "안녕하세요. \(service) 인증번호는 다음과 같습니다." }
    var callRepetition: String { "다시 한번 알려 드립니다." }
    var resendReady: String { "인증번호를 받지 못하셨나요?" }
    var noSendsLeft: String { "지금은 다시 보낼 수 없습니다." }
    var dormantHeading: String { "오래된 계정이 있는 번호입니다" }
    func dormantIntroduction(hasCode: Bool) -> String {
        "오랫동안 사용하지 않았으며 다른 사람의 계정일 수 있습니다. "
            + (hasCode ? "새 계정을 만들려면 인증번호를 한 번 더 입력해 주세요. " : "새 계정을 만들 수 있습니다. ")
            + "이전 계정으로 로그인하려면 고객센터에 문의해 주세요."
    }
    var newAccount: String { "새 계정 만들기" }
    var signedInHeading: String { "로그인되었습니다" }
    func signedIn(as maskedNumber: String) -> String { "\(maskedNumber) 번호로 로그인했습니다." }
    var signedInNote: String { "이 페이지를 닫아도 됩니다. 다음에는 이 브라우저에서 인증번호 없이 로그인됩니다." }
    var signOut: String { "로그아웃" }
    var signOutHeading: String { "로그아웃할까요?" }
    var signedOutHeading: String { "로그아웃되었습니다" }
    var signedOut: String { "이 페이지를 닫아도 됩니다." }
    var countryLabel: String { "국가" }
    var countrySearch: String { "국가 이름이나 번호로 검색" }
    var countryNone: String { "찾는 국가가 없습니다" }
    var codeExpiredHeading: String { "인증번호가 만료되었습니다" }
    func codeExpired(number: String) -> String {
        "인증번호는 몇 분 동안만 사용할 수 있습니다. \(number) 번호로 새 인증번호를 보내 드립니다."
    }
    var newCode: String { "새 인증번호 받기" }
    var sendingFailedHeading: String { "인증번호를 보내지 못했습니다" }
    func sendingFailed(number: String) -> String {
        "\(number) 번호로 인증번호를 보내지 못했습니다. 번호를 확인하거나 잠시 후 다시 시도해 주세요."
    }
    var challengeHeading: String { "잠시만 기다려 주세요" }
    var challengeIntroduction: String { "로봇이 아닌지 확인하고 있습니다. 몇 초 정도 걸립니다." }
    var captchaIntroduction: String { "로봇이 아닌지 확인되면 인증번호를 보냅니다." }
    var challengeBusy: String { "확인하는 중…" }
    var challengeWait: String { "자바스크립트가 꺼져 있어 잠시 기다려야 합니다. %초 후 인증번호를 받을 수 있습니다." }
    var challengeNeedsScript: String { "브라우저에서 자바스크립트를 켜고 페이지를 새로 고쳐 주세요." }
    var limitHeading: String { "시도 횟수를 초과했습니다" }
    var retryWait: String { "% 후에 다시 시도해 주세요." }
    var offline: String { "인터넷에 연결되어 있지 않습니다. 연결을 확인하고 다시 시도해 주세요." }
    var anotherNumber: String { "다른 번호 사용하기" }
    var tryAgain: String { "다시 시도" }
    var startAgain: String { "처음부터 다시 시작" }
    var pageExpiredHeading: String { "만료된 페이지입니다" }
    var pageExpired: String {
        "너무 오래 열어 두었거나, 다른 탭에서 이미 로그인 또는 로그아웃했거나, 브라우저에서 쿠키를 허용하지 않았습니다."
    }
    var pageReplacedHeading: String { "이전 페이지입니다" }
    var pageReplaced: String { "다른 탭이나 창에서 이미 진행했습니다. 이 페이지에서는 아무것도 보내지 않았습니다." }
    var pageOfOtherSite: String { "다른 웹사이트에서 보낸 양식이어서 처리하지 않았습니다." }
    var goOn: String { "계속하기" }
    var linkInvalidHeading: String { "올바르지 않은 링크입니다" }
    var linkInvalid: String { "연결한 프로그램의 요청을 신뢰할 수 없습니다. 아무 정보도 전달하지 않았습니다." }
    var notFoundHeading: String { "페이지를 찾을 수 없습니다" }
    var notFound: String { "이 주소에는 페이지가 없습니다." }
    var goToStart: String { "시작 페이지로 가기" }
    var consoleKey: String { "API 키" }
    var consoleKeyHint: String { "viewer, support 또는 admin 범위의 키:" }
    var consoleKeyRefused: String { "이 키는 올바르지 않거나 폐기되었거나 콘솔용이 아닙니다." }
    var consoleNotSignedIn: String { "로그인이 완료되지 않았습니다. 다시 시도해 주세요." }
    var consoleProofTooOld: String { "이 로그인을 시작하기 전에 인증된 번호입니다. 새 인증번호로 다시 시도해 주세요." }
    var consoleRefused: String { "이 번호로는 콘솔을 사용할 수 없습니다." }
}

// Pages for devices without a browser.
extension KoreanTexts {
    var deviceHeading: String { "다른 기기에서 로그인" }
    var deviceIntroduction: String { "로그인하려는 본인의 기기에 표시된 코드를 입력해 주세요." }
    var deviceCode: String { "기기에 표시된 코드" }
    var deviceUnknown: String { "이 코드로 대기 중인 기기가 없습니다. 글자를 확인하거나 기기에서 새 코드를 받아 주세요." }
    var deviceQuestion: String { "본인이 맞으신가요?" }
    var devicePlace: String { "IP 주소" }
    var deviceProgram: String { "프로그램" }
    var deviceWarning: String {
        "방금 본인이 직접 로그인을 시작했고 본인의 기기에 이 코드가 표시된 경우에만 계속하세요. 다른 사람이 이 코드나 링크를 보냈다면 사기입니다. ‘아니요’를 누르세요."
    }
    var deviceApprove: String { "예, 로그인합니다" }
    var deviceRefuse: String { "아니요" }
    var deviceDoneHeading: String { "기기에서 로그인되었습니다" }
    var deviceDone: String { "이 페이지를 닫고 기기로 돌아가세요." }
    var deviceRefusedHeading: String { "거절했습니다" }
    var deviceRefused: String { "아무도 로그인되지 않았습니다. 누군가 이 코드를 보냈다면 답장하지 마세요." }
    func deviceRequest(client: String) -> String { "다른 기기의 \(client)에서 회원님의 계정으로 로그인하려고 합니다." }
}

// Passkeys.
extension KoreanTexts {
    var passkeySignIn: String { "패스키로 로그인" }
    var passkeyRefused: String { "이 패스키는 여기에서 사용할 수 없습니다. 휴대폰 번호로 로그인해 주세요." }
    var passkeyOfferHeading: String { "다음에는 인증번호 없이 로그인하세요" }
    var passkeyOffer: String { "패스키를 만들면 지문, 얼굴 또는 화면 잠금으로 로그인할 수 있습니다. 휴대폰 번호로도 계속 로그인할 수 있습니다." }
    var passkeyCreate: String { "패스키 만들기" }
    var passkeySkip: String { "나중에" }
    var passkeyFailed: String { "패스키를 만들지 못했습니다. 다시 시도해 주세요." }
    var passkeysHeading: String { "패스키" }
    var passkeysNone: String { "아직 패스키가 없습니다." }
    func passkeyUsed(_ moment: String) -> String { "마지막 사용: \(moment)" }
    var passkeyName: String { "이름" }
    var passkeyRename: String { "이름 바꾸기" }
    var passkeyRemove: String { "삭제" }
    var passkeyAsk: String { "휴대폰 번호가 바뀌었거나 이 패스키를 오랫동안 사용하지 않았습니다. 지금도 본인의 패스키인가요?" }
    var passkeyKeep: String { "네, 제 패스키입니다" }
}
