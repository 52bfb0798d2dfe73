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
        case taken
        case unavailable
    }

    /// The languages that it has texts in. It is in the first of them where the reader's is another.
    static let languages = ["en", "ko"]

    let content: Content
    let language: LanguageTag
    let nonce: String

    var response: Response {
        let (status, heading, paragraphs) = text
        var headers: HTTPFields = [.contentLanguage: shownLanguage]
        if case .unavailable = content { headers[.retryAfter] = "5" }
        return Response(
            status,
            html: html(heading, paragraphs),
            contentSecurityPolicy:
                "default-src 'none'; style-src 'nonce-\(nonce)'; base-uri 'none'; form-action 'self'; "
                + "frame-ancestors 'none'",
            headers: headers
        )
    }

    /// Of ``languages``.
    private var shownLanguage: String { Self.languages.first { $0 == language.language } ?? Self.languages[0] }

    private func html(_ heading: String, _ paragraphs: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="\(shownLanguage)">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <meta name="robots" content="noindex">
        <title>\(heading)</title>
        <style nonce="\(nonce)">
        body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 32rem; padding: 1rem; word-break: keep-all }
        h1 { font-size: 1.5rem; line-height: 1.25 }
        button { font: inherit; font-weight: 600; margin: .5rem 0; min-height: 3rem; padding: .5rem 1rem; width: 100% }
        small { font-size: .875rem }
        </style>
        </head>
        <body>
        <main>
        <h1>\(heading)</h1>
        \(paragraphs)
        </main>
        </body>
        </html>

        """
    }

    /// With the heading and what is below it in HTML.
    private var text: (status: HTTPResponse.Status, heading: String, paragraphs: String) {
        switch content {
        case .offer(let change, let number):
            let (number, moment, end) = (
                number.masked, Self.minute(change.changedAt), Self.minute(change.undoableUntil)
            )
            let offer = pick(
                "On \(moment), the phone number of your account was changed from \(number) to another one.",
                "\(moment)에 회원님 계정의 전화번호가 \(number)에서 다른 번호로 변경되었습니다."
            )
            let advice = pick(
                "If it was you, close this page. If it was not, change it back: your account has the number \(number) again, "
                    + "and every device is signed out.",
                "본인이 변경했다면 이 페이지를 닫으세요. 본인이 아니라면 되돌리세요. 계정의 번호가 다시 \(number)로 바뀌고, 모든 "
                    + "기기에서 로그아웃됩니다."
            )
            // Without `action` the form goes to the page's own URL, whatever a proxy calls it.
            let paragraphs = """
                <p>\(offer)</p>
                <p>\(advice)</p>
                <form method="post">
                <button>\(pick("Change it back", "이전 번호로 되돌리기"))</button>
                </form>
                <p><small>\(pick("You can do so until \(end).", "\(end)까지 되돌릴 수 있습니다."))</small></p>
                """
            return (.ok, pick("Your phone number was changed", "전화번호가 변경되었습니다"), paragraphs)
        case .undone(let number):
            let outcome = pick(
                "Your account has the number \(number.masked) again. Every device is signed out; sign in again with this "
                    + "number.",
                "계정의 번호는 다시 \(number.masked)입니다. 모든 기기에서 로그아웃되었으니 이 번호로 다시 로그인하세요."
            )
            return (.ok, pick("Your number is back", "이전 번호로 되돌렸습니다"), "<p>\(outcome)</p>")
        case .gone:
            let reason = pick(
                "It was used already, or its time is over. If you have just pressed the button, it is done.",
                "이미 사용했거나 기한이 지났습니다. 방금 버튼을 눌렀다면 처리되었습니다."
            )
            let heading = pick("This link is of no use any more", "더 이상 쓸 수 없는 링크입니다")
            return (ProblemCode.numberChangeNotFound.status, heading, "<p>\(reason)</p>")
        case .taken:
            let reason = pick(
                "This number has been proven for another account since. Ask those for help whose account it is.",
                "그 사이 다른 계정에서 이 번호를 인증했습니다. 계정이 있는 서비스의 고객센터에 문의하세요."
            )
            let heading = pick("It cannot be changed back", "되돌릴 수 없습니다")
            return (ProblemCode.numberTaken.status, heading, "<p>\(reason)</p>")
        case .unavailable:
            let advice = pick(
                "Try again in a moment: open the link in the message once more.",
                "잠시 후 문자에 있는 링크를 다시 열어 주세요."
            )
            return (ProblemCode.unavailable.status, pick("It did not work", "처리하지 못했습니다"), "<p>\(advice)</p>")
        }
    }

    private func pick(_ english: String, _ korean: String) -> String {
        (shownLanguage == "ko" ? korean : english).htmlEscaped
    }

    /// The time to the minute: `2026-01-01 00:00 UTC`. The reader's time zone is unknown.
    private static func minute(_ moment: Timestamp) -> String {
        moment.description.prefix(16).map { $0 == "T" ? " " : String($0) }.joined() + " UTC"
    }
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
