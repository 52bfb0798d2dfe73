import PhoneDomain

/// What the pages say.
struct PageTexts {
    /// Of ``SignupPage/languages``.
    let language: String

    private func pick(_ english: String, _ korean: String) -> String { language == "ko" ? korean : english }

    var errorTitle: String { pick("Error", "오류") }

    var signInHeading: String { pick("Sign in with your phone number", "휴대폰 번호로 로그인") }
    var signInIntroduction: String {
        pick("We will send you a code by text message.", "문자로 인증번호를 보내 드립니다.")
    }
    var phoneLabel: String { pick("Phone number", "휴대폰 번호") }
    var sendCode: String { pick("Send code", "인증번호 받기") }

    func signInConsent(_ client: String, sharesNumber: Bool) -> String {
        sharesNumber
            ? pick("\(client) will receive your phone number.", "\(client)에 휴대폰 번호가 전달됩니다.")
            : pick("\(client) will not receive your phone number.", "\(client)에 휴대폰 번호가 전달되지 않습니다.")
    }

    var codeHeading: String { pick("Enter the code", "인증번호 입력") }
    func codeSent(to number: String) -> String {
        pick("We sent a code to \(number).", "\(number) 번호로 인증번호를 보냈습니다.")
    }
    var changeNumber: String { pick("Change number", "번호 변경") }
    var codeLabel: String { pick("Code", "인증번호") }
    var signIn: String { pick("Sign in", "로그인") }
    var resendCode: String { pick("Send the code again", "인증번호 다시 받기") }
    /// The percent sign stands for the seconds.
    var resendWait: String { pick("You can have it sent again in % seconds.", "%초 뒤에 다시 받을 수 있습니다.") }
    var resendReady: String { pick("No message yet? You can have it sent again.", "문자를 받지 못했다면 다시 받아 주세요.") }
    var noSendsLeft: String { pick("It cannot be sent again for now.", "지금은 다시 보낼 수 없습니다.") }

    var dormantHeading: String { pick("This number has an old account", "오래된 계정이 있는 번호입니다") }
    var dormantIntroduction: String {
        pick(
            "Nobody has used it for a long time, and it may be somebody else's. Enter the code once more to get a new account, or ask for help to sign in to the old one.",
            "오랫동안 사용하지 않았으며 다른 사람의 계정일 수 있습니다. 새 계정을 만들려면 인증번호를 한 번 더 입력해 주세요. 이전 계정으로 로그인하려면 고객센터에 문의해 주세요."
        )
    }
    var newAccount: String { pick("Create a new account", "새 계정 만들기") }

    var signedInHeading: String { pick("You are signed in", "로그인되었습니다") }
    func signedIn(as number: String?) -> String {
        number.map { pick("Signed in as \($0).", "\($0) 번호로 로그인했습니다.") } ?? pick("Signed in.", "로그인했습니다.")
    }
    var signOut: String { pick("Sign out", "로그아웃") }
    var signOutHeading: String { pick("Sign out?", "로그아웃할까요?") }
    var signedOutHeading: String { pick("You are signed out", "로그아웃되었습니다") }
    var signedOut: String { pick("You can close this page.", "이 페이지를 닫아도 됩니다.") }

    var formExpiredHeading: String { pick("This page has expired", "만료된 페이지입니다") }
    var formExpired: String {
        pick(
            "Go back to where you came from and start again. Your browser must accept cookies.",
            "이전 화면으로 돌아가 다시 시작해 주세요. 브라우저에서 쿠키를 허용해야 합니다."
        )
    }
    var pageUnavailableHeading: String { pick("It did not work", "처리하지 못했습니다") }
    var pageUnavailable: String { pick("Try again in a moment.", "잠시 후 다시 시도해 주세요.") }
    var requestUntrustedHeading: String { pick("This link is not valid", "올바르지 않은 링크입니다") }
    var requestUntrusted: String {
        pick(
            "The program that sent you here did not ask in a way that can be trusted. Nothing was sent to it.",
            "연결한 프로그램의 요청을 신뢰할 수 없습니다. 아무 정보도 전달하지 않았습니다."
        )
    }

    func message(for failure: PhoneFailure, at now: Timestamp) -> String { Problem(failure, at: now).detail }
}
