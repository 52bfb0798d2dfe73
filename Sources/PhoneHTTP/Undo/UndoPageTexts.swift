import PhoneDomain

/// What the page says, in one language.
struct UndoPageTexts: Sendable {
    /// The language's tag.
    let language: String
    let offerHeading: String
    /// What happened, of a number and a moment.
    let offer: @Sendable (_ number: String, _ moment: String) -> String
    /// What to do about it, of a number.
    let advice: @Sendable (_ number: String) -> String
    let button: String
    /// Until when, of a moment.
    let end: @Sendable (_ moment: String) -> String
    let undoneHeading: String
    /// What was done, of a number.
    let undone: @Sendable (_ number: String) -> String
    let goneHeading: String
    let gone: String
    let takenHeading: String
    let taken: String
    let unavailableHeading: String
    let unavailable: String

    /// Those of a language, or the English ones.
    static func of(_ language: LanguageTag) -> UndoPageTexts {
        language.language == korean.language ? korean : english
    }

    /// The languages that there are texts in.
    static let languages = [english.language, korean.language]

    private static let english = UndoPageTexts(
        language: "en",
        offerHeading: "Your phone number was changed",
        offer: { "On \($1), the phone number of your account was changed from \($0) to another one." },
        advice: {
            "If it was you, close this page. If it was not, change it back: your account has the number \($0) again, and every "
                + "device is signed out."
        },
        button: "Change it back",
        end: { "You can do so until \($0)." },
        undoneHeading: "Your number is back",
        undone: {
            "Your account has the number \($0) again. Every device is signed out; sign in again with this number."
        },
        goneHeading: "This link is of no use any more",
        gone: "It was used already, or its time is over. If you have just pressed the button, it is done.",
        takenHeading: "It cannot be changed back",
        taken: "This number has been proven for another account since. Ask those for help whose account it is.",
        unavailableHeading: "It did not work",
        unavailable: "Try again in a moment: open the link in the message once more."
    )

    private static let korean = UndoPageTexts(
        language: "ko",
        offerHeading: "전화번호가 변경되었습니다",
        offer: { "\($1)에 회원님 계정의 전화번호가 \($0)에서 다른 번호로 변경되었습니다." },
        advice: {
            "본인이 변경했다면 이 페이지를 닫으세요. 본인이 아니라면 되돌리세요. 계정의 번호가 다시 \($0)로 바뀌고, 모든 기기에서 "
                + "로그아웃됩니다."
        },
        button: "이전 번호로 되돌리기",
        end: { "\($0)까지 되돌릴 수 있습니다." },
        undoneHeading: "이전 번호로 되돌렸습니다",
        undone: { "계정의 번호는 다시 \($0)입니다. 모든 기기에서 로그아웃되었으니 이 번호로 다시 로그인하세요." },
        goneHeading: "더 이상 쓸 수 없는 링크입니다",
        gone: "이미 사용했거나 기한이 지났습니다. 방금 버튼을 눌렀다면 처리되었습니다.",
        takenHeading: "되돌릴 수 없습니다",
        taken: "그 사이 다른 계정에서 이 번호를 인증했습니다. 계정이 있는 서비스의 고객센터에 문의하세요.",
        unavailableHeading: "처리하지 못했습니다",
        unavailable: "잠시 후 문자에 있는 링크를 다시 열어 주세요."
    )
}
