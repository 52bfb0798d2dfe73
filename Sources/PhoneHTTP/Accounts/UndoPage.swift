import HTTPTypes
import Hummingbird
import PhoneDomain
import Texts

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

    let content: Content
    let texts: any Texts
    let nonce: String

    var response: Response {
        let (status, heading, paragraphs) = shown
        var headers: HTTPFields = [.contentLanguage: texts.language.description]
        if case .unavailable = content { headers[.retryAfter] = "5" }
        return Response(
            status,
            html: html(heading.htmlEscaped, paragraphs),
            contentSecurityPolicy:
                "default-src 'none'; style-src 'nonce-\(nonce)'; base-uri 'none'; form-action 'self'; "
                + "frame-ancestors 'none'",
            headers: headers
        )
    }

    private func html(_ heading: String, _ paragraphs: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="\(texts.language)">
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

    /// With the heading as text and what is below it in HTML.
    private var shown: (status: HTTPResponse.Status, heading: String, paragraphs: String) {
        func paragraph(_ text: String) -> String { "<p>\(text.htmlEscaped)</p>" }
        switch content {
        case .offer(let change, let number):
            let (moment, end) = (Self.minute(change.changedAt), Self.minute(change.undoableUntil))
            // Without `action` the form goes to the page's own URL, whatever a proxy calls it.
            let paragraphs = """
                \(paragraph(texts.undoOffer(number: number.masked, changedAt: moment)))
                \(paragraph(texts.undoAdvice(number: number.masked)))
                <form method="post">
                <button>\(texts.undoButton.htmlEscaped)</button>
                </form>
                <p><small>\(texts.undoDeadline(end).htmlEscaped)</small></p>
                """
            return (.ok, texts.undoHeading, paragraphs)
        case .undone(let number): return (.ok, texts.undoneHeading, paragraph(texts.undone(number: number.masked)))
        case .gone: return (ProblemCode.numberChangeNotFound.status, texts.undoGoneHeading, paragraph(texts.undoGone))
        case .taken: return (ProblemCode.numberTaken.status, texts.undoTakenHeading, paragraph(texts.undoTaken))
        case .unavailable:
            return (ProblemCode.unavailable.status, texts.undoUnavailableHeading, paragraph(texts.undoUnavailable))
        }
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
