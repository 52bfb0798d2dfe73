import HTTPTypes
import Hummingbird
import PhoneDomain

/// The page behind the link that the old number of an account is sent.
///
/// It has no script and loads nothing, so that the secret in its address stays with the one who opened it; and of the
/// account it tells no more than the number that they were written to, masked: a link may be passed on.
struct UndoPage {
    /// What there is to tell.
    enum Content {
        /// The change can be undone.
        case offer(change: NumberChange, oldNumber: PhoneNumber)
        /// It was, just now.
        case undone(oldNumber: PhoneNumber)
        /// There is no such change, or no longer: one answer for made-up links, used ones and old ones.
        case gone
        /// Somebody else has the number by now.
        case taken
        /// The service cannot do its work at the moment.
        case unavailable
    }

    let content: Content
    let language: LanguageTag
    /// By what the page's style is known (CSP level 3, section 2.3.1).
    let nonce: String

    var response: Response {
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .contentLanguage: texts.language,
            .contentSecurityPolicy:
                "default-src 'none'; style-src 'nonce-\(nonce)'; base-uri 'none'; form-action 'self'; "
                + "frame-ancestors 'none'",
        ]
        // A page that opens this one keeps no hold of its window (HTML, section 7.1.3).
        if let name = HTTPField.Name("Cross-Origin-Opener-Policy") { headers[name] = "same-origin" }
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
            // Without an address the form goes to the page's own, whatever a proxy calls that.
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

    private func paragraph(_ text: String) -> String {
        "<p>\(text.htmlEscaped)</p>"
    }

    /// The moment to the minute: `2026-01-01 00:00 UTC`. In which time zone its reader is nobody knows.
    private static func minute(_ moment: Timestamp) -> String {
        moment.description.prefix(16).map { $0 == "T" ? " " : String($0) }.joined() + " UTC"
    }
}
