import CoreEncodings
import HTTPTypes
public import PhoneAccounts
public import PhoneDomain
import PhoneNumbers
import PhoneSignup
import Texts

/// Whose pages they are, as the operator has set it. A client's name and look come first.
public struct PageIdentity: Sendable {
    private let name: String?
    /// The names by language, such as `ko`.
    private let localNames: [String: String]
    let theme: ClientTheme
    public let terms, privacy: RedirectURI?

    public init(
        name: String? = nil,
        localNames: [String: String] = [:],
        theme: ClientTheme = .none,
        terms: RedirectURI? = nil,
        privacy: RedirectURI? = nil
    ) {
        (self.name, self.localNames, self.theme) = (name, localNames, theme)
        (self.terms, self.privacy) = (terms, privacy)
    }

    func name(in language: LanguageTag) -> String? { localNames[language.language] ?? name }
}

/// One of the pages of a sign-in, drawn.
struct SignupPage {
    enum Content {
        /// The front page: what this is, and where to go.
        case start(call: HTML?)
        /// The phone field with this text; empty it shows a number of the chosen country as an example.
        case phone(String, example: PhoneNumber?, in: Region, of: [Country])
        /// The code field, with the other channels by which the code can be sent.
        case code(Verification, length: Int, others: [Channel] = [])
        /// What the person sends, nil once it has arrived; with the channels by which a code can be sent instead.
        case inbound(Verification, InboundInstruction?, others: [Channel])
        /// The code can no longer be entered.
        case codeExpired(PhoneNumber)
        /// The browser solves a challenge and sends this form again.
        case challenge(Challenge, [(name: String, value: String)])
        /// No gateway has accepted the message.
        case sendingFailed(PhoneNumber, others: [Channel] = [])
        /// What the person wants must wait.
        case limited
        /// The number has an account that was inactive for long. Without a code a message from the person is the proof.
        case dormant(PhoneNumber, hasCode: Bool = true)
        case signedIn(PhoneNumber?)
        /// This number has signed in here since the form with another one was shown.
        case signedInSince(PhoneNumber?)
        /// What is about keys on the person's devices (``KeySignIn``).
        case key(PagePart)
        case confirmSignOut(PhoneNumber?)
        case signedOut
        /// The form was of no page that this browser shows.
        case expired(BrowserCookies.FormFault)
        case unavailable
        /// A client's request that nothing can be sent back to, and why, for its developer.
        case untrusted(String)
        case notFound
    }

    /// A country that codes are sent to.
    struct Country: Hashable {
        let region: Region
        let callingCode: String
    }

    let content: Content
    var identity = PageIdentity()
    var client: OAuthClient?
    var sharesNumber = false
    /// What the person is to accept who sends a number.
    var consent: ConsentPolicy?
    var hasConsented = false
    /// Where the browser goes at the end.
    var redirectURI: RedirectURI?
    var isPopup = false
    /// The address of the page that the person can go on from.
    var location = ""
    /// The address of the page with the phone field.
    var changeLocation = ""
    var failure: PhoneFailure?
    /// Whether the rules must be accepted first, whatever is wrong with the number.
    var lacksConsent = false
    /// Whether the code has just been sent once more.
    var isResent = false
    var captcha: CaptchaWidget?
    var key: (any KeySignIn)?
    /// Whether the key that was shown does not sign in.
    var refusesKey = false
    var formToken = ""
    let texts: Texts
    let now: Timestamp
    let nonce: String

    var response: Response {
        var headers: HeaderFields = [.contentLanguage: texts.language.description]
        headers[.retryAfter] = problem?.headers[.retryAfter]
        if case .unavailable = content { headers[.retryAfter] = "5" }
        var response = Response(
            status,
            html: html,
            contentSecurityPolicy: contentSecurityPolicy,
            headers: headers
        )
        if openerOrigin != nil { response.headers[.crossOriginOpenerPolicy] = "unsafe-none" }
        return response
    }

    private var status: HTTPResponse.Status {
        switch content {
        case .dormant, .signedInSince: .conflict
        case .expired: .forbidden
        case .unavailable: .serviceUnavailable
        case .untrusted: .badRequest
        case .notFound: .notFound
        default: problem?.status ?? .ok
        }
    }

    private var problem: Problem? { failure.map { Problem($0, at: now) } }

    /// Chromium holds `form-action` against every redirect that follows a form, those of the client's own site among
    /// them, and where they lead, to an app or another site, only the client knows. So it is left out where a form may
    /// end there.
    private var contentSecurityPolicy: String {
        let logo = (client?.profile.theme ?? identity.theme).logo.map { " \($0.origin)" } ?? ""
        let ancestors = (client?.profile.frameAncestors ?? []).filter { WebOrigin($0) != nil }
        let captcha = shownCaptcha == nil ? nil : captcha
        func and(_ sources: String?...) -> String {
            sources.compactMap(\.self).filter { !$0.isEmpty }.map { " \($0)" }.joined()
        }
        return
            "default-src 'none'; style-src 'nonce-\(nonce)'\(and(captcha?.styles)); "
            + "script-src 'nonce-\(nonce)'\(and(captcha?.origin, captcha?.scripts)); "
            + "connect-src 'self'\(and(captcha?.connections)); worker-src 'self'; "
            + (captcha.map { "frame-src\(and($0.origin, $0.frames)); " } ?? "")
            + "img-src data:\(logo); base-uri 'none'; \(redirectURI == nil ? "form-action 'self'; " : "")"
            + "frame-ancestors \(ancestors.isEmpty ? "'none'" : ancestors.joined(separator: " "))"
    }

    // MARK: - HTML

    private var html: HTML {
        HTML(
            page: title,
            in: texts.language,
            nonce: nonce,
            color: client?.profile.theme.accent ?? identity.theme.accent,
            style: """
                \(PageAssets.style)\(PageAssets.style(of: identity.theme))\
                \(client.map { PageAssets.style(of: $0.profile.theme) })\(waitStyle)
                """,
            script: keyScript.map { PageAssets.script + $0 } ?? PageAssets.script,
            body: """
                <main data-offline="\(texts.pages.offline)">
                \(ownerLine)
                \(mark?.html)<h1>\(heading)</h1>
                \(hasField ? nil : alert)
                \(body)
                \(links)
                </main>\(report)
                """
        )
    }

    private var title: String { alert == nil && !lacksConsent ? heading : "\(texts.pages.errorTitle): \(heading)" }

    /// Whose page it is: the client's, if there is one. The name says what the logo shows.
    private var ownerLine: HTML? {
        let theme = client?.profile.theme ?? identity.theme
        return (client?.name.description ?? identity.name(in: texts.language)).map { name in
            let logo = theme.logo.map { "<img class=\"logo\" src=\"\($0.description)\" alt=\"\"> " as HTML }
            return "<p class=\"client\">\(logo)\(name)</p>"
        }
    }

    /// The rules that the operator has written, on every page that does not ask for consent to them.
    private var links: HTML? {
        if case .phone = content, consent != nil { return nil }
        let links = ruleLinks
        return links.isEmpty ? nil : "<footer>\(links.joined())</footer>"
    }

    private var ruleLinks: [HTML] {
        [(identity.terms, texts.pages.terms), (identity.privacy, texts.pages.privacy)].compactMap { address, text in
            address.map { "<a href=\"\($0.description)\" target=\"_blank\" rel=\"noopener\">\(text)</a>" as HTML }
        }
    }

    /// The line that says what going on accepts, or the box without which nobody goes on. Whether the number has an
    /// account is not known before its code, so everybody ticks it.
    private var consentField: HTML? {
        guard let consent else { return nil }
        func sentence(_ text: String) -> HTML {
            let parts = text.split(separator: "{{rules}}", maxSplits: 1, omittingEmptySubsequences: false)
            return "\(parts[0])\(ruleLinks.joined(separator: texts.pages.conjunction.htmlEscaped))\(parts.last ?? "")"
        }
        guard consent.isRequired else { return "<p class=\"small rules\">\(sentence(texts.pages.acceptance))</p>\n" }
        let state: HTML = "\("autofocus ", if: isConsentAlone)\("aria-invalid=\"true\" ", if: lacksConsent)"
        let text = missing(.consentRequired(nil))
        return """
            <label class="rules"><input type="checkbox" id="consent" name="consent" value="\(consent.version)" data-missing="\(text)"\(" checked", if: hasConsented) required \(state)aria-describedby="no-consent"><span>\(sentence(texts.pages.consent))</span></label>
            <p class="note\(" alert", if: lacksConsent)" id="no-consent"\(" role=\"alert\"", if: lacksConsent)>\(lacksConsent ? text : "")</p>

            """
    }

    /// Whether the rules are all that is missing.
    private var isConsentAlone: Bool { if lacksConsent, case .consentRequired = failure { true } else { false } }

    private var heading: String {
        switch content {
        case .start: texts.pages.startHeading
        case .phone: texts.pages.signInHeading
        case .code: texts.pages.codeHeading
        case .inbound: texts.pages.inboundHeading
        case .codeExpired: texts.pages.codeExpiredHeading
        case .challenge: texts.pages.challengeHeading
        case .sendingFailed: texts.pages.sendingFailedHeading
        case .limited: texts.pages.limitHeading
        case .dormant: texts.pages.dormantHeading
        case .signedIn, .signedInSince: texts.pages.signedInHeading
        case .key(let part): part.heading
        case .confirmSignOut: texts.pages.signOutHeading
        case .signedOut: texts.pages.signedOutHeading
        case .expired(.expired): texts.pages.pageExpiredHeading
        case .expired(.replaced): texts.pages.pageReplacedHeading
        case .expired(.otherSite): texts.undo.unavailableHeading
        case .unavailable: texts.undo.unavailableHeading
        case .untrusted: texts.pages.linkInvalidHeading
        case .notFound: texts.pages.notFoundHeading
        }
    }

    private var mark: PageAssets.Mark? {
        switch content {
        case .start, .phone, .code, .inbound, .dormant, .key, .confirmSignOut: nil
        case .signedIn, .signedOut: .done
        case .limited, .codeExpired, .challenge, .signedInSince, .expired: .wait
        case .sendingFailed, .unavailable, .untrusted, .notFound: .problem
        }
    }

    /// Whether there is a field, under which the failure is explained then.
    private var hasField: Bool {
        switch content {
        case .phone, .code, .dormant: true
        default: false
        }
    }

    var alert: HTML? {
        guard let failure else { return nil }
        switch (content, failure) {
        case (.inbound, .verificationNotApproved):
            return "<p class=\"note alert\" role=\"alert\" id=\"alert\">\(texts.pages.inboundMissing)</p>"
        // The page itself says it, or the line below the box.
        case (_, .consentRequired), (.limited, _), (.challenge, _), (.codeExpired, .codeExpired),
            (.codeExpired, .verificationClosed),
            (.sendingFailed, .verificationClosed):
            return nil
        default:
            return "<p class=\"note alert\" role=\"alert\" id=\"alert\">\(texts.explanation(of: failure, at: now))</p>"
        }
    }

    /// Whether the failure is about sending another message, not about the code in the field.
    var isOfResend: Bool {
        switch (content, failure) {
        case (.code, .resendTooSoon), (.code, .maxSendsReached): true
        default: false
        }
    }

    /// What is under the field. There is room for a line, so that nothing moves when there is something to say.
    var note: HTML { (isOfResend ? nil : alert) ?? "<p class=\"note\" id=\"alert\"></p>" }

    /// Ties the field to what is wrong with it.
    var fieldState: HTML {
        switch failure {
        // Of the moment, not of what was typed.
        case nil, .resendTooSoon, .maxSendsReached, .rateLimited, .challengeRequired, .challengeFailed, .unavailable,
            .consentRequired:
            "aria-describedby=\"alert\""
        default: "aria-invalid=\"true\" aria-describedby=\"alert\""
        }
    }

    private var body: HTML {
        switch content {
        case .start(let call):
            """
            <p>\(texts.pages.startIntroduction)</p>
            <a class="button" href="signup">\(texts.pages.signIn)</a>
            <p class="small"><a href="docs">\(texts.pages.startDocs)</a></p>
            \(call.map { "<pre>\($0)</pre>\n<p class=\"small\"><a href=\"inbox\">\(texts.inbox.heading)</a></p>" as HTML })
            """
        case .phone(let text, let example, let region, let countries):
            """
            <p>\(texts.pages.signInIntroduction)</p>
            <form method="post" novalidate>
            \(token)<input type="hidden" name="action" value="send">
            \(countries.count > 1 ? choice(of: region, in: countries) : nil)<label for="phone">\(texts.pages.phoneLabel)</label>
            <div class="number"><input id="phone" name="phone_text" type="tel" autocomplete="tel" value="\(text)" placeholder="\(example?.nationalFormat ?? "")" data-missing="\(missing(.invalidPhoneNumber(.empty)))" required\(" autofocus", if: !isConsentAlone) dir="ltr" \(fieldState)></div>
            \(note)
            \(consentField)<button \(busy(texts.pages.sending))>\(texts.pages.sendCode)</button>
            </form>
            \(keyForm)\(announcement)
            \(client.map { "<p class=\"small\">\(texts.signInConsent($0.name.description, sharesNumber: sharesNumber))</p>" as HTML })
            """
        case .code(let verification, let length, let channels):
            """
            <p>\(whole(verification.phoneNumber, in: texts.codeSent(to: "{{number}}", by: verification.channel)))
            <a href="\(changeLocation)">\(texts.pages.changeNumber)</a></p>
            <form method="post" id="check" novalidate>
            \(token)\("<input type=\"hidden\" name=\"can_key\" id=\"can-key\">", if: key != nil)<input type="hidden" name="action" value="check">
            \(codeField(length))
            <button \(busy(texts.pages.signingUp))>\(texts.pages.signIn)</button>
            </form>
            \(resendForm(verification, others: channels))
            \(announcement)
            """
        case .inbound(let verification, let instruction, let channels):
            """
            <p>\(whole(verification.phoneNumber, in: texts.pages.codeSentInbound))
            <a href="\(changeLocation)">\(texts.pages.changeNumber)</a></p>
            \(instruction.map(self.instruction) ?? "<p role=\"status\">\(texts.pages.inboundArrived)</p>")
            <form method="post" id="inbound" \("data-arrived", if: instruction == nil)>
            \(token)<input type="hidden" name="action" value="check">
            <button \("class=\"plain\" ", if: instruction != nil)\(busy(texts.pages.signingUp))>\(instruction == nil ? texts.pages.signIn : texts.pages.inboundSent)</button>
            </form>
            \(instruction == nil ? nil : otherChannels(channels))
            \(announcement)
            """
        case .challenge(let challenge, let fields): challengeForm(challenge, fields)
        case .codeExpired(let number): newCodeForm(whole(number, in: texts.pages.codeExpiredFor))
        case .sendingFailed(let number, let others):
            newCodeForm(whole(number, in: texts.pages.sendingFailed), others: others)
        case .limited:
            """
            \(failure.map { retry(after: $0) })
            """
        case .dormant(_, let hasCode):
            """
            <p>\(texts.dormantIntroduction(hasCode: hasCode))</p>
            <form method="post" novalidate>
            \(token)<input type="hidden" name="action" value="check">
            <input type="hidden" name="decision" value="new_account">
            \(hasCode ? codeField(nil) : nil)
            <button \(busy(texts.pages.signingUp))>\(texts.pages.newAccount)</button>
            </form>
            <p><a href="\(changeLocation)">\(texts.pages.changeNumber)</a></p>
            """
        case .signedIn(let number):
            """
            <p>\(number.map { "\(signedIn($0)) " as HTML })\(texts.pages.signedInNote)</p>
            <form method="post" action="oauth2/logout">
            \(token)<button class="plain">\(texts.pages.signOut)</button>
            </form>
            \(key.map { "<p><a href=\"\($0.path)\">\($0.linkText(in: texts))</a></p>" as HTML })
            """
        case .key(let part): part.body
        case .signedInSince(let number):
            """
            \(number.map { "<p>\(signedIn($0))</p>" as HTML })
            <a class="button" href="\(location)">\(texts.pages.goOn)</a>
            <a class="button plain" href="\(changeLocation)">\(texts.pages.anotherNumber)</a>
            """
        case .confirmSignOut(let number):
            """
            \(number.map { "<p>\(signedIn($0))</p>" as HTML })
            <form method="post">
            \(token)<button>\(texts.pages.signOut)</button>
            </form>
            """
        case .signedOut: "<p>\(texts.pages.signedOut)</p>"
        case .expired(let fault):
            """
            <p>\(reason(of: fault))</p>
            <a class="button" href="\(location)">\(fault == .expired ? texts.pages.startAgain : texts.pages.goOn)</a>
            """
        case .unavailable:
            """
            <p>\(texts.explanation(of: .unavailable(cause: ""), at: now))</p>
            <a class="button" href="\(location)">\(texts.pages.tryAgain)</a>
            """
        case .notFound:
            """
            <p>\(texts.pages.notFound)</p>
            <a class="button" href="\(location)">\(texts.pages.goToStart)</a>
            """
        case .untrusted(let reason):
            "<p>\(texts.pages.linkInvalid)</p>\n<p class=\"small\" lang=\"en\" dir=\"ltr\">\(reason).</p>"
        }
    }

    private func signedIn(_ number: PhoneNumber) -> HTML {
        HTML(texts.pages.signedInAs, with: number.maskedNationalFormat)
    }

    private func reason(of fault: BrowserCookies.FormFault) -> String {
        switch fault {
        case .expired: texts.pages.pageExpired
        case .replaced: texts.pages.pageReplaced
        case .otherSite: texts.pages.pageOfOtherSite
        }
    }
}
