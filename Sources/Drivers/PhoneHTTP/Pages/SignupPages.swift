import CoreEncodings
import HTTPTypes
import Logging
import PhoneAccounts
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneViewModel
import Texts

/// The pages on which a person signs in with a phone number: by themselves, and for a client of OpenID Connect, whose
/// request is then in the query. They are plain forms over the same view model as the API's signup, and are complete
/// without a script.
struct SignupPages: Sendable {
    static let path = "/signup"

    /// Which page the person wants, where both can be shown, and whether the code was just sent again; in the query as
    /// `step`.
    private enum Step: String {
        case number, code, resent
    }

    let signups: HostedSignup
    let locale: RequestLocale
    let identifiers: any IdentifierSource
    /// The regions of the numbers that codes are sent to.
    let regions: Set<Region>
    /// Nil where there are no clients.
    let issuer: String?
    let identity: PageIdentity
    /// Has the first call of a developer's; nil unless messages are shown instead of sent.
    let guide: DocsGuide?
    /// The widget of the captcha that is set.
    let captcha: CaptchaWidget?
    let key: (any KeySignIn)?
    private let outages = OutageLog()

    var accounts: AccountUseCase { signups.accounts }
    var clock: any WallClock { signups.clock }
    var cookies: BrowserCookies {
        BrowserCookies(isSecure: issuer?.hasPrefix("https://") ?? false, tokens: signups.tokens)
    }

    func addRoutes(to router: APIRouter) {
        router.get("/") { request, _ in
            let scheme = cookies.isSecure ? "https" : "http"
            return try page(.start(call: guide?.begin(at: request.authority.map { "\(scheme)://\($0)" })), request)
        }
        router.notFoundPage = { request in
            // Relative, as all links are.
            let depth = request.path.utf8.count { $0 == UInt8(ascii: "/") } - 1
            return try page(.notFound, request, at: depth > 0 ? String(repeating: "../", count: depth) : "./")
        }
        router.get(Self.path) { request, context in try await guarding(request, context, show) }
        router.post(Self.path) { request, context in try await guarding(request, context, take) }
        router.get(Self.path + "/format", use: format)
        if let key { addKeyRoutes(of: key, to: router) }
        router.get(Self.path + "/proof.js") { request, _ in PageAssets.proof.response(to: request) }
    }

    /// A request with what it belongs to.
    struct Visit {
        let request: Request
        let context: APIContext
        let query: AuthorizationQuery?
        let texts: Texts
        /// The cookie that the browser has sent.
        let sent: SignupCookie?
        /// The signup of the sent cookie, even if it is complete.
        let found: Signup?
        /// The signup, if it can go on.
        var signup: Signup?
        /// The cookie that forms belong to.
        let cookie: SignupCookie
        /// Whether it must be set.
        var isCookieNew: Bool

        var location: String { SignupPages.location(of: request) }

        /// Who asks for the page of the number signs in with that number, though another is signed in already.
        fileprivate func codeLocation(isResend: Bool) -> String {
            if isResend { return location.appendingQuery([("step", Step.resent.rawValue)]) }
            return request.query("step") == nil ? location : location.appendingQuery([("step", Step.code.rawValue)])
        }
    }

    /// The page's own address, which keeps the client's request. Relative, since a proxy may serve this under another
    /// path.
    private static func location(of request: Request) -> String {
        let page = request.path.split(separator: "/").last.map(String.init) ?? ""
        return page.appendingQuery(request.queryFields.all.filter { $0.name != "step" }.map { ($0.name, $0.value) })
    }

    private func visit(_ request: Request, _ context: APIContext) async throws -> Visit {
        let fields = request.queryFields
        var query: AuthorizationQuery?
        if let issuer, fields["client_id"] != nil {
            query = try await AuthorizationQuery(fields, clients: accounts.clients, issuer: issuer)
        }
        let sent = try cookies.value(.signup, of: request).flatMap { try SignupCookie($0, by: signups.tokens) }
        let found = try await signup(of: sent)
        let signup = found.flatMap { $0.isComplete ? nil : $0 }
        let now = clock.now()
        // One without a signup can begin it, unless that may have expired already.
        let usable = sent.flatMap { signup != nil || found == nil && now < $0.madeAt + signups.ttl ? $0 : nil }
        return Visit(
            request: request,
            context: context,
            query: query,
            texts: texts(for: request, query, signup),
            sent: sent,
            found: found,
            signup: signup,
            cookie: try usable ?? SignupCookie(at: now, by: signups.tokens),
            isCookieNew: usable == nil
        )
    }

    private func signup(of cookie: SignupCookie?) async throws(PhoneFailure) -> Signup? {
        guard let cookie else { return nil }
        do {
            return try await signups.signup(cookie.id, for: cookie.token)
        } catch .signupNotFound {
            return nil
        }
    }

    private func texts(for request: Request, _ query: AuthorizationQuery?, _ signup: Signup?) -> Texts {
        (query?.languages ?? []).lazy.compactMap(Languages.texts(in:)).first
            ?? request.texts(else: signup?.language ?? locale.language)
    }

    // MARK: - Requests

    @Sendable private func show(_ request: Request, _ context: APIContext) async throws -> Response {
        let visit = try await visit(request, context)
        if request.query("step") == nil {
            if let query = visit.query {
                if let response = try await goOn(query, request, context) { return response }
            } else if visit.signup == nil, let signedIn = try await signedIn(request) {
                if let response = try DeviceRoutes.continuation(of: request) { return response }
                return try page(.signedIn(signedIn.account.phoneNumber), visit, sessionOf: request)
            }
        }
        guard let signup = visit.signup else { return try page(phone(firstText(visit), visit), visit) }
        return try page(of: try await signups.show(signup, from: context.address), visit)
    }

    /// What a form says.
    @Sendable private func take(_ request: Request, _ context: APIContext) async throws -> Response {
        var visit = try await visit(request, context)
        let form = try await request.decodeForm()
        if let key, let action = KeyAction(form) { return try await take(action, by: key, form, visit) }
        if let fault = try cookies.fault(of: form, with: cookies.value(.signup, of: request), from: request) {
            return try await refuse(fault, form, visit)
        }
        do {
            if let key, form["action"] == "key" { return try await signIn(by: key, form, visit) }
            if form["action"] == "check" { return try await check(form, visit) }
            let isSend = form["action"] == "send"
            let (typed, isResend) = (form["phone_text"], form["action"] == "resend")
            // Only the page of the number begins a signup: after its end nothing is sent again.
            guard let phoneText = isResend ? visit.signup.flatMap({ text(of: form, in: $0) ?? typed }) : typed else {
                return try await refuse(nil, form, visit)
            }
            let region = region(of: phoneText, form, visit)
            let number = try? signups.useCase.phoneNumber(in: phoneText, region: region)
            let consent = form["consent"].flatMap { $0 == accounts.consent?.version ? $0 : nil }
            if isSend, accounts.consent?.isRequired == true, consent == nil {
                let failure = signups.useCase.failure(of: phoneText, in: region) ?? .consentRequired(nil)
                return try page(phone(phoneText, visit, in: region), visit, failure: failure, lacksConsent: true)
            }
            // The line above the button says what pressing it accepts.
            let isAccepted = isSend && accounts.consent?.isRequired == false
            let version = isAccepted ? accounts.consent?.version : consent
            let signup = try await signup(in: region, consentVersion: version, &visit)
            let channel = form["channel"].flatMap(Channel.init)
            let send = { (proof: ChallengeProof?) in
                try await signups.send(
                    signup,
                    phoneText: phoneText,
                    by: channel,
                    proof: proof,
                    challenges: .page,
                    signals: ClientSignals(userAgent: request.userAgent),
                    from: context.address
                )
            }
            var answer = try await send(form["proof"].flatMap(ChallengeProof.init))
            // Another one takes its place.
            if case .challengeFailed = answer.failure { answer = try await send(nil) }
            if case .challengeRequired(let challenge)? = answer.failure {
                let fields = ["action", "phone_text", "region", "channel", "consent"].compactMap { name in
                    form[name].map { (name, $0) }
                }
                return try page(.challenge(challenge, fields), visit, failure: answer.failure)
            }
            guard let failure = answer.failure else {
                return setting(visit, in: try .redirection(to: visit.codeLocation(isResend: isResend)))
            }
            guard let verification = answer.verification,
                verification.status(at: clock.now()) == .pending, verification.phoneNumber == number
            else { return try page(of: answer, visit, at: isSend ? .number : nil) }
            // The code of this very number can be entered, though no other one is sent now. Who submits the number
            // twice asks for no other one.
            if isSend, case .resendTooSoon = failure {
                return setting(visit, in: try .redirection(to: visit.codeLocation(isResend: false)))
            }
            return try page(of: answer, visit, at: .code)
        } catch let failure as PhoneFailure {
            if case .unavailable = failure { throw failure }
            if failure.isLimit { return try page(.limited, visit, failure: failure) }
            return try page(phone(form["phone_text"] ?? firstText(visit), visit), visit, failure: failure)
        }
    }

    /// The signup of the visit, which begins with the first number that is sent.
    private func signup(
        in region: Region,
        consentVersion: String?,
        _ visit: inout Visit
    ) async throws -> Signup {
        let signup: Signup
        if let found = visit.signup {
            signup = try await signups.move(
                found,
                to: region,
                consentVersion: consentVersion,
                from: visit.context.address
            )
        } else {
            (signup, _) = try await signups.begin(
                region,
                visit.texts.language,
                from: visit.context.address,
                as: (visit.cookie.id, visit.cookie.token),
                consentVersion: consentVersion
            )
            // It lasts as long as the signup.
            visit.isCookieNew = true
        }
        visit.signup = signup
        return signup
    }

    /// The response to a form that is of no page which this browser shows: it does nothing. A person who has signed in
    /// since, in another tab, goes on from there; if that was with another number than the form's, they are asked.
    ///
    /// - Parameter fault: what is said to a person who has not; nil shows how far they are.
    func refuse(
        _ fault: BrowserCookies.FormFault?,
        _ form: FormFields,
        _ visit: Visit
    ) async throws -> Response {
        let signedIn =
            if let query = visit.query { try await hinted(by: query, visit.request) } else {
                try await signedIn(visit.request)
            }
        guard let signedIn else {
            if let fault { throw fault }
            return try .redirection(to: visit.location)
        }
        let number = signedIn.account.phoneNumber
        if let text = form["phone_text"],
            number != (try? signups.useCase.phoneNumber(in: text, region: region(of: text, form, visit)))
        {
            return try page(.signedInSince(number), visit)
        }
        guard let query = visit.query else { return try .redirection(to: visit.location) }
        return try await finish(query, for: signedIn, visit.context)
    }

    /// The number of a form as the person has typed it; nil if another tab has gone on with another number since, whose
    /// code that of the form is not.
    private func text(of form: FormFields, in signup: Signup) -> String? {
        let number = form["phone_text"].flatMap { try? PhoneNumber(e164: $0) }
        let known = try? signups.useCase.phoneNumber(in: signup.phoneText, region: signup.region)
        return number == nil || number == known ? signup.phoneText : nil
    }

    /// A signup that is complete already is checked as well: a second tap, or a retry after a lost response, ends as
    /// the first did.
    private func check(_ form: FormFields, _ visit: Visit) async throws -> Response {
        guard var signup = visit.found, let token = visit.sent?.token else {
            return try await refuse(.expired, form, visit)
        }
        guard text(of: form, in: signup) != nil else { return try await refuse(.replaced, form, visit) }
        if form["decision"] == DormantDecision.newAccount.rawValue {
            signup = try await signups.decide(.newAccount, signup, by: signup.owner, from: visit.context.address)
        }
        let answer = try await signups.signUp(
            signup,
            token,
            codeText: form["code_text"] ?? "",
            userAgent: visit.request.headers[.userAgent],
            from: visit.context.address
        )
        if let failure = answer.failure {
            if signup.isComplete { return try await refuse(.replaced, form, visit) }
            if case .accountDormant(let approved) = failure {
                return try page(.dormant(approved.phoneNumber, hasCode: approved.channel.carriesCode), visit)
            }
            // The rules have changed since the number was sent.
            if case .consentRequired = failure {
                return try page(phone(signup.phoneText, visit), visit, failure: failure, lacksConsent: true)
            }
            return try page(of: answer, visit)
        }
        guard let signedUp = answer.signedUp, let tokens = try await accounts.tokens(of: signedUp, by: token)
        else {
            return try await refuse(.replaced, form, visit)
        }
        return try await goOn(tokens, visit, offersKey: form["can_key"] == "1")
    }

    /// What follows a sign-in.
    func goOn(_ tokens: IssuedTokens, _ visit: Visit, offersKey: Bool = false) async throws -> Response {
        // Another person may have been signed in here before.
        if let before = try await session(of: visit.request), before.session.id != tokens.signedIn.session.id {
            _ = try await accounts.end(.one(before.session.id), of: before, from: visit.context.address)
        }
        let offer = offersKey ? try await keyOffer(to: tokens, visit) : nil
        var response =
            if let offer {
                offer
            } else if let query = visit.query {
                try await finish(query, for: tokens.signedIn, visit.context)
            } else {
                try Response.redirection(to: visit.location)
            }
        cookies.set(.session, tokens.refreshToken.secret.text, for: accounts.browserTime, in: &response)
        cookies.set(.signup, nil, for: .zero, in: &response)
        return response
    }

    // MARK: - Pages

    private func page(of answer: HostedSignup.Answer, _ visit: Visit, at step: Step? = nil) throws -> Response {
        let (state, failure) = (answer.state, answer.failure)
        if let failure { outages.log(Problem(failure, at: clock.now()), at: clock.now(), in: visit.context) }
        let isAtNumber = (step ?? visit.request.query("step").flatMap(Step.init)) == .number
        let shown = isAtNumber ? nil : answer.verification
        let status = shown?.status(at: clock.now())
        // While no more messages are sent, or no more codes are checked, a code that is valid can be entered later.
        if let failure, failure.isLimit, status != .pending { return try page(.limited, visit, failure: failure) }
        guard let verification = shown, let status else {
            return try page(phone(state.phoneText, visit), visit, failure: failure)
        }
        let others = signups.useCase.channels(to: verification.phoneNumber).filter { $0 != verification.channel }
        switch status {
        case .pending, .approved:
            guard verification.channel == .inbound else { break }
            let instruction = try signups.useCase.instruction(for: verification)
            return try page(.inbound(verification, instruction, others: others), visit, failure: failure)
        case .canceled, .expired: return try page(.codeExpired(verification.phoneNumber), visit, failure: failure)
        case .failed:
            let content = SignupPage.Content.sendingFailed(verification.phoneNumber, others: others)
            return try page(content, visit, failure: failure)
        case .maxAttemptsReached:
            if verification.end <= clock.now() {
                return try page(.codeExpired(verification.phoneNumber), visit, failure: failure)
            }
            return try page(.limited, visit, failure: .maxChecksReached(retryAt: verification.end))
        }
        if status == .approved { return try page(.dormant(verification.phoneNumber), visit, failure: failure) }
        let lengths = VerificationCode.lengths
        let length = lengths.first { signups.useCase.isCode(String(repeating: "0", count: $0)) } ?? lengths.upperBound
        return try page(.code(verification, length: length, others: others), visit, failure: failure)
    }

    func page(
        _ content: SignupPage.Content,
        _ visit: Visit,
        failure: PhoneFailure? = nil,
        lacksConsent: Bool = false,
        refusesKey: Bool = false,
        sessionOf request: Request? = nil
    ) throws -> Response {
        let session = request.flatMap { cookies.value(.session, of: $0) }
        let page = SignupPage(
            content: content,
            identity: identity,
            client: visit.query?.request.client,
            sharesNumber: visit.query?.request.scopes.contains(.phone) ?? false,
            consent: accounts.consent,
            hasConsented: accounts.consent.map { $0.version == visit.signup?.consentVersion } ?? false,
            redirectURI: visit.query?.request.redirectURI,
            isPopup: visit.query?.isPopup ?? false,
            location: visit.location,
            changeLocation: visit.location.appendingQuery([("step", "number")]),
            failure: failure,
            lacksConsent: lacksConsent,
            isResent: failure == nil && visit.request.query("step") == Step.resent.rawValue,
            captcha: captcha,
            key: key,
            refusesKey: refusesKey,
            formToken: try cookies.formToken(for: session ?? visit.cookie.text),
            texts: visit.texts,
            now: clock.now(),
            nonce: try identifiers.makeRandomText()
        )
        return setting(visit, in: page.response)
    }

    private func setting(_ visit: Visit, in response: Response) -> Response {
        var response = response
        if visit.isCookieNew { cookies.set(.signup, visit.cookie.text, for: signups.ttl, in: &response) }
        return response
    }

    func page(
        _ content: SignupPage.Content,
        _ request: Request,
        at location: String? = nil,
        for client: OAuthClient? = nil,
        to redirectURI: RedirectURI? = nil,
        formToken: String = ""
    ) throws -> Response {
        SignupPage(
            content: content,
            identity: identity,
            client: client,
            redirectURI: redirectURI,
            location: location ?? Self.location(of: request),
            key: key,
            formToken: formToken,
            texts: texts(for: request, nil, nil),
            now: clock.now(),
            nonce: try identifiers.makeRandomText()
        ).response
    }

    /// What goes wrong is a page as well.
    func guarding(
        _ request: Request,
        _ context: APIContext,
        _ work: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        do {
            do {
                if let canonical = try request.withoutTrailingSlash { return canonical }
                return try await work(request, context)
            } catch AuthorizationQuery.Refusal.response(let response) {
                return try response.redirect
            }
        } catch AuthorizationQuery.Refusal.untrusted(let reason) {
            return try page(.untrusted(reason), request)
        } catch let fault as BrowserCookies.FormFault {
            return try page(.expired(fault), request)
        } catch {
            let problem = error as? Problem ?? (error as? PhoneFailure).map { Problem($0, at: clock.now()) }
            guard let problem else { throw error }
            outages.log(problem, at: clock.now(), in: context)
            return switch problem.code {
            case .unavailable: try page(.unavailable, request)
            // No form of ours has so many fields.
            case .invalidRequest: try page(.untrusted(problem.detail), request)
            default: try page(.expired(.expired), request)
            }
        }
    }
}

extension PhoneFailure {
    /// Whether there is nothing to do but to wait.
    fileprivate var isLimit: Bool {
        switch self {
        case .rateLimited, .maxChecksReached: true
        default: false
        }
    }
}

extension Request {
    /// The way to the page's own address, which is relative to the folder that it is in, as all that the page refers
    /// to; nil without a slash at the end, which the router ignores.
    var withoutTrailingSlash: Response? {
        get throws(AuthorizationQuery.Refusal) {
            guard path.hasSuffix("/") else { return nil }
            let page = path.split(separator: "/").last ?? ""
            return try .redirection(.permanentRedirect, to: "../\(page)" + (queryText.map { "?\($0)" } ?? ""))
        }
    }
}
