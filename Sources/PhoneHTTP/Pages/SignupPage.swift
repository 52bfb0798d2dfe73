import HTTPTypes
import Hummingbird
import PhoneDomain
import Texts

/// One of the pages of a sign-in, drawn.
struct SignupPage {
    enum Content {
        /// The phone field, with this text, or empty with what a number begins with here.
        case phone(String, start: String)
        case code(Verification, length: Int)
        /// The number has an account that was inactive for long.
        case dormant
        case signedIn(PhoneNumber?)
        case confirmSignOut(PhoneNumber?)
        case signedOut
        /// The form was of no page that is known here.
        case expired
        case unavailable
        /// A client's request that nothing can be sent back to, and why, for its developer.
        case untrusted(String)
    }

    let content: Content
    var client: OAuthClient?
    var sharesNumber = false
    /// Where the browser goes at the end.
    var redirectURI: String?
    var isPopup = false
    /// Of the page with the phone field.
    var changeLocation = ""
    var failure: PhoneFailure?
    var formToken = ""
    let texts: any Texts
    let now: Timestamp
    let nonce: String

    var response: Response {
        var headers: HTTPFields = [.contentLanguage: texts.language.description]
        headers[.retryAfter] = problem?.headers[.retryAfter]
        var response = Response(
            status,
            html: html.text,
            contentSecurityPolicy: contentSecurityPolicy,
            headers: headers
        )
        if openerOrigin != nil { response.headers[.crossOriginOpenerPolicy] = "unsafe-none" }
        return response
    }

    private var status: HTTPResponse.Status {
        switch content {
        case .dormant: .conflict
        case .expired: .forbidden
        case .unavailable: .serviceUnavailable
        case .untrusted: .badRequest
        default: problem?.status ?? .ok
        }
    }

    private var problem: Problem? { failure.map { Problem($0, at: now) } }

    private var contentSecurityPolicy: String {
        let ancestors = (client?.frameAncestors ?? []).filter { WebOrigin($0) != nil }
        return "default-src 'none'; style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)'; connect-src 'self'; "
            + "base-uri 'none'; form-action \(formTargets); "
            + "frame-ancestors \(ancestors.isEmpty ? "'none'" : ancestors.joined(separator: " "))"
    }

    /// Chromium holds the policy against every redirect that follows a form, those of the client's own site among them,
    /// which may lead from one of its hosts to another.
    private var formTargets: String {
        guard let redirectURI,
            let scheme = redirectURI.utf8.firstIndex(of: UInt8(ascii: ":")).map({ redirectURI[...$0] })
        else { return "'self'" }
        return "'self' \(scheme)"
    }

    // MARK: - HTML

    private var html: HTML {
        """
        <!DOCTYPE html>
        <html lang="\(texts.language.description)" dir="auto">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <meta name="robots" content="noindex">
        <title>\(title)</title>
        <style nonce="\(nonce)">\(PageAssets.style)\(boxes)</style>
        </head>
        <body>
        <main>
        \(clientLine)
        <h1>\(heading)</h1>
        \(alert)
        \(body)
        </main>
        <script nonce="\(nonce)">\(PageAssets.script)</script>\(report)
        </body>
        </html>

        """
    }

    private var title: String { failure == nil ? heading : "\(texts.errorTitle): \(heading)" }

    private var clientLine: HTML? { client.map { "<p class=\"client\">\($0.name.description)</p>" } }

    private var heading: String {
        switch content {
        case .phone: texts.signInHeading
        case .code: texts.codeHeading
        case .dormant: texts.dormantHeading
        case .signedIn: texts.signedInHeading
        case .confirmSignOut: texts.signOutHeading
        case .signedOut: texts.signedOutHeading
        case .expired: texts.pageExpiredHeading
        case .unavailable: texts.undoUnavailableHeading
        case .untrusted: texts.linkInvalidHeading
        }
    }

    private var alert: HTML? {
        failure.map { "<p class=\"alert\" role=\"alert\" id=\"alert\">\(texts.explanation(of: $0, at: now))</p>" }
    }

    /// Ties the field to what is wrong with it.
    private var fieldState: HTML? {
        failure == nil ? nil : "aria-invalid=\"true\" aria-describedby=\"alert\""
    }

    private var body: HTML {
        switch content {
        case .phone(let text, let start):
            // Browsers put the caret in front of what is there, so the start is for the script, which puts it behind.
            """
            <p>\(texts.signInIntroduction)</p>
            <form method="post">
            \(token)<input type="hidden" name="action" value="send">
            <label for="phone">\(texts.phoneLabel)</label>
            <input id="phone" name="phone_text" type="tel" autocomplete="tel" value="\(text == start ? "" : text)" data-start="\(start)" maxlength="40" required autofocus dir="ltr" \(fieldState)>
            <button>\(texts.sendCode)</button>
            </form>
            \(client.map { "<p class=\"small\">\(texts.signInConsent($0.name.description, sharesNumber: sharesNumber))</p>" as HTML })
            """
        case .code(let verification, let length):
            """
            <p>\(texts.codeSent(to: verification.phoneNumber.nationalFormat))
            <a href="\(changeLocation)">\(texts.changeNumber)</a></p>
            <form method="post" id="check">
            \(token)<input type="hidden" name="action" value="check">
            \(codeField(length))
            <button>\(texts.signIn)</button>
            </form>
            <form method="post" id="resend" data-seconds="\(resendSeconds(verification))" data-wait="\(texts.resendWait)" data-ready="\(texts.resendReady)">
            \(token)<input type="hidden" name="action" value="resend">
            <button class="plain">\(texts.resendCode)</button>
            <p class="small" id="wait">\(resendLine(verification))</p>
            <p class="hidden" id="announcement" role="status"></p>
            </form>
            """
        case .dormant:
            """
            <p>\(texts.dormantIntroduction)</p>
            <form method="post">
            \(token)<input type="hidden" name="action" value="check">
            <input type="hidden" name="decision" value="new_account">
            \(codeField(VerificationCode.lengths.upperBound))
            <button>\(texts.newAccount)</button>
            </form>
            <p><a href="\(changeLocation)">\(texts.changeNumber)</a></p>
            """
        case .signedIn(let number):
            """
            \(number.map { "<p>\(texts.signedIn(as: $0.masked))</p>" as HTML })
            <form method="post" action="oauth2/logout">
            \(token)<button class="plain">\(texts.signOut)</button>
            </form>
            """
        case .confirmSignOut(let number):
            """
            \(number.map { "<p>\(texts.signedIn(as: $0.masked))</p>" as HTML })
            <form method="post">
            \(token)<button>\(texts.signOut)</button>
            </form>
            """
        case .signedOut: "<p>\(texts.signedOut)</p>"
        case .expired: "<p>\(texts.pageExpired)</p>"
        case .unavailable: "<p>\(texts.explanation(of: .unavailable(cause: ""), at: now))</p>"
        case .untrusted(let reason): "<p>\(texts.linkInvalid)</p>\n<p class=\"small\" lang=\"en\">\(reason).</p>"
        }
    }

    private var token: HTML { "<input type=\"hidden\" name=\"form_token\" value=\"\(formToken)\">" }

    private func codeField(_ length: Int) -> HTML {
        """
        <label for="code">\(texts.codeLabel)</label>
        <input id="code" name="code_text" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]*" maxlength="\(length + 4)" data-length="\(length)" required autofocus dir="ltr" \(fieldState)>
        """
    }

    /// One field, drawn as a box for each digit.
    private var boxes: HTML? {
        guard case .code(_, let length) = content else { return nil }
        return HTML(trusted: ":root { --digits: \(length) }")
    }

    private func resendSeconds(_ verification: Verification) -> Int {
        max(0, Int((verification.nextSendAt - now).wholeSecondsRoundedUp))
    }

    private func resendLine(_ verification: Verification) -> String {
        if verification.sendsLeft == 0 { return texts.noSendsLeft }
        let seconds = resendSeconds(verification)
        return seconds > 0 ? texts.resendWait.replacing("%", with: String(seconds)) : texts.resendReady
    }
}
