import HTTPTypes
import Hummingbird
import PhoneDomain

/// The page behind the link that the old number of an account gets.
///
/// It has no script and loads nothing, so that the secret in its URL stays with its reader. A link may be passed on, so
/// the page says no more of the account than the masked number that the message went to.
struct UndoPage {
    enum Content {
        case offer(change: NumberChange, oldNumber: PhoneNumber)
        case undone(oldNumber: PhoneNumber)
        /// The same for made-up links, used ones and expired ones.
        case gone
        /// Another account has the number by now.
        case taken
        case unavailable
    }

    let content: Content
    let language: LanguageTag
    /// Identifies the page's own style (CSP level 3, section 2.3.1).
    let nonce: String

    var response: Response {
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .contentLanguage: texts.language,
            .contentSecurityPolicy:
                "default-src 'none'; style-src 'nonce-\(nonce)'; base-uri 'none'; form-action 'self'; "
                + "frame-ancestors 'none'",
        ]
        // A page that opens this one gets no reference to its window (HTML, section 7.1.3).
        headers[.crossOriginOpenerPolicy] = "same-origin"
        if case .unavailable = content { headers[.retryAfter] = "5" }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
    }

    private var status: HTTPResponse.Status {
        switch content {
        case .offer, .undone: .ok
        case .gone: ProblemCode.numberChangeNotFound.status
        case .taken: ProblemCode.numberTaken.status
        case .unavailable: ProblemCode.unavailable.status
        }
    }

    private var texts: UndoPageTexts { .of(language) }

    private var html: String {
        """
        <!DOCTYPE html>
        <html lang="\(texts.language)">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <meta name="robots" content="noindex">
        <title>\(heading.htmlEscaped)</title>
        <style nonce="\(nonce)">
        body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 32rem; padding: 1rem; word-break: keep-all }
        h1 { font-size: 1.5rem; line-height: 1.25 }
        button { font: inherit; font-weight: 600; margin: .5rem 0; min-height: 3rem; padding: .5rem 1rem; width: 100% }
        small { font-size: .875rem }
        </style>
        </head>
        <body>
        <main>
        <h1>\(heading.htmlEscaped)</h1>
        \(paragraphs)
        </main>
        </body>
        </html>

        """
    }

    private var heading: String {
        switch content {
        case .offer: texts.offerHeading
        case .undone: texts.undoneHeading
        case .gone: texts.goneHeading
        case .taken: texts.takenHeading
        case .unavailable: texts.unavailableHeading
        }
    }

    private var paragraphs: String {
        switch content {
        case .offer(let change, let number):
            // Without `action` the form goes to the page's own URL, whatever a proxy calls it.
            """
            \(paragraph(texts.offer(number.masked, Self.minute(change.changedAt))))
            \(paragraph(texts.advice(number.masked)))
            <form method="post">
            <button>\(texts.button.htmlEscaped)</button>
            </form>
            <p><small>\(texts.end(Self.minute(change.undoableUntil)).htmlEscaped)</small></p>
            """
        case .undone(let number): paragraph(texts.undone(number.masked))
        case .gone: paragraph(texts.gone)
        case .taken: paragraph(texts.taken)
        case .unavailable: paragraph(texts.unavailable)
        }
    }

    private func paragraph(_ text: String) -> String { "<p>\(text.htmlEscaped)</p>" }

    /// The time to the minute: `2026-01-01 00:00 UTC`. The reader's time zone is unknown.
    private static func minute(_ moment: Timestamp) -> String {
        moment.description.prefix(16).map { $0 == "T" ? " " : String($0) }.joined() + " UTC"
    }
}

/// The texts of the page in one language.
struct UndoPageTexts: Sendable {
    let language: String
    let offerHeading: String
    let offer: @Sendable (_ number: String, _ moment: String) -> String
    let advice: @Sendable (_ number: String) -> String
    let button: String
    let end: @Sendable (_ moment: String) -> String
    let undoneHeading: String
    let undone: @Sendable (_ number: String) -> String
    let goneHeading: String
    let gone: String
    let takenHeading: String
    let taken: String
    let unavailableHeading: String
    let unavailable: String

    /// The texts in a language; in English if there are none.
    static func of(_ language: LanguageTag) -> UndoPageTexts {
        language.language == korean.language ? korean : english
    }

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

extension String {
    /// The text with the characters that HTML gives a meaning escaped, for content and quoted attributes.
    ///
    /// It goes by scalars, as browsers do: to Swift `<` and a combining mark after it are one `Character`, which is not
    /// "<".
    var htmlEscaped: String {
        var html = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar {
            case "&": html += "&amp;".unicodeScalars
            case "<": html += "&lt;".unicodeScalars
            case ">": html += "&gt;".unicodeScalars
            case "\"": html += "&quot;".unicodeScalars
            case "'": html += "&#39;".unicodeScalars
            default: html.append(scalar)
            }
        }
        return String(html)
    }
}
