import HTTPTypes
import Logging
import PhoneDomain
import PhoneViewModel
import TextEncodings
import Texts

/// The pages on which a person signs in with a phone number: by themselves, and for a client of OpenID Connect, whose
/// request is then in the query. They are plain forms over the same view model as the API's signup, and are complete
/// without a script.
struct SignupPages: Sendable {
    static let path = "/signup"

    enum Refusal: Error {
        /// The form is not of a page that this browser was shown, or its cookie is gone.
        case form
    }

    /// Which page the person wants, where both can be shown; in the query as `step`.
    private enum Step: String {
        case number, code
    }

    let signups: SignupRoutes
    let cookies: BrowserCookies
    let identifiers: any IdentifierSource
    /// The regions of the numbers that codes are sent to.
    let regions: Set<Region>
    /// Nil where there are no clients.
    let issuer: String?
    private let outages = OutageLog()

    var accounts: AccountUseCase { signups.accounts }
    var clock: any WallClock { signups.clock }

    init(signups: SignupRoutes, identifiers: any IdentifierSource, regions: Set<Region>, issuer: String?) {
        (self.signups, self.identifiers, self.regions, self.issuer) = (signups, identifiers, regions, issuer)
        cookies = BrowserCookies(isSecure: issuer?.hasPrefix("https://") ?? false, tokens: signups.tokens)
    }

    func addRoutes(to router: APIRouter) {
        router.get(Self.path) { request, context in try await guarding(request, context, show) }
        router.post(Self.path) { request, context in try await guarding(request, context, take) }
        router.get(Self.path + "/format", use: format)
    }

    /// A request with what it belongs to.
    private struct Visit {
        let request: Request
        let context: APIContext
        let query: AuthorizationQuery?
        let texts: any Texts
        /// That which the cookie names, even if it is complete.
        let found: (signup: Signup, token: SecretToken)?
        /// That which can go on.
        var signup: Signup?
        /// The cookie that forms belong to. A new one must be set.
        var cookie: String

        var location: String { SignupPages.location(of: request) }
    }

    /// The page's own address, which keeps the client's request. Relative, since a proxy may serve this under another path.
    private static func location(of request: Request) -> String {
        let page = request.path.split(separator: "/").last.map(String.init) ?? ""
        return page.appendingQuery(request.queryFields.filter { $0.name != "step" }.map { ($0.name, $0.value) })
    }

    private func visit(_ request: Request, _ context: APIContext) async throws -> Visit {
        let fields = request.queryFields
        var query: AuthorizationQuery?
        if let issuer, fields.contains(where: { $0.name == "client_id" }) {
            query = try await AuthorizationQuery(fields, clients: accounts.clients, issuer: issuer)
        }
        let cookie = cookies.value(.signup, of: request)
        let parts = cookie?.split(separator: ".", maxSplits: 1) ?? []
        var found: (signup: Signup, token: SecretToken)?
        if parts.count == 2 {
            let token = SecretToken(String(parts[1]))
            do {
                let signup = try await signups.authorize(Signup.ID(String(parts[0])), token)
                found = (signup, token)
            } catch let problem as Problem where problem.code == .signupNotFound {}
        }
        let signup = found.flatMap { $0.signup.isComplete ? nil : $0.signup }
        return Visit(
            request: request,
            context: context,
            query: query,
            texts: texts(for: request, query, signup),
            found: found,
            signup: signup,
            cookie: try cookie ?? signups.tokens.makeToken(prefix: "sgt_").text
        )
    }

    /// Who is signed in in this browser.
    func signedIn(_ request: Request) async throws(PhoneFailure) -> SignedIn? {
        guard let cookie = cookies.value(.session, of: request) else { return nil }
        do {
            return try await accounts.signedIn(byRefreshToken: SecretToken(cookie))
        } catch .notSignedIn {
            return nil
        }
    }

    /// Nil for a text that is no number.
    func number(_ text: String?) -> PhoneNumber? {
        text.flatMap { try? signups.useCase.phoneNumber(in: $0, region: signups.locale.region) }
    }

    private func texts(for request: Request, _ query: AuthorizationQuery?, _ signup: Signup?) -> any Texts {
        (query?.languages ?? []).lazy.compactMap(Languages.texts(in:)).first
            ?? request.texts(else: signup?.language ?? signups.locale.language)
    }

    // MARK: - Requests

    @Sendable private func show(_ request: Request, _ context: APIContext) async throws -> Response {
        let visit = try await visit(request, context)
        if visit.query == nil, visit.signup == nil, request.query("step") == nil,
            let signedIn = try await signedIn(request)
        {
            return try page(.signedIn(signedIn.account.phoneNumber), visit, sessionOf: request)
        }
        guard let signup = visit.signup else { return try page(phone(firstText(visit), visit), visit) }
        return try page(of: try await signups.restore(signup, context), nil, visit)
    }

    private func firstText(_ visit: Visit) -> String {
        visit.query?.loginHint.map { signups.useCase.format($0, region: region(of: visit)) } ?? ""
    }

    /// That of the signup; before there is one, the likeliest of those that codes are sent to: of the number that the
    /// client names, then of the person's languages, then the service's own.
    private func region(of visit: Visit) -> Region {
        if let region = visit.signup?.region { return region }
        let languages = visit.query?.languages ?? []
        let likely =
            [number(visit.query?.loginHint)?.region] + languages.map(\.region) + visit.request.acceptedRegions
            + [signups.locale.region]
        return likely.lazy.compactMap(\.self).first(where: regions.contains)
            ?? regions.min { $0.description < $1.description } ?? signups.locale.region
    }

    private func phone(_ text: String, _ visit: Visit) -> SignupPage.Content {
        let chosen = region(of: visit)
        let countries = regions.union([chosen]).compactMap { region in
            NumberingPlans.builtIn.callingCode(of: region).map { SignupPage.Country(region: region, callingCode: $0) }
        }
        return .phone(
            text,
            start: NumberingPlans.builtIn.startText(for: chosen),
            in: chosen,
            of: countries.sorted { $0.region.description < $1.region.description }
        )
    }

    /// What a form says.
    @Sendable private func take(_ request: Request, _ context: APIContext) async throws -> Response {
        var visit = try await visit(request, context)
        let form = try await request.decodeForm()
        guard try cookies.accept(form, with: cookies.value(.signup, of: request), from: request) else {
            throw Refusal.form
        }
        do {
            if form["action"] == "check" { return try await check(form, visit) }
            guard let phoneText = form["phone_text"] ?? visit.signup?.phoneText else {
                return .redirect(to: visit.location)
            }
            // A signup keeps its region: for another one there is another signup.
            let chosen = form["region"].flatMap(Region.init).flatMap { regions.contains($0) ? $0 : nil }
            let region = chosen ?? region(of: visit)
            let signup: Signup
            if let found = visit.signup, found.region == region {
                signup = found
            } else {
                let (begun, token) = try await signups.begin(region, visit.texts.language, from: context.address)
                signup = begun
                visit.signup = begun
                visit.cookie = "\(begun.id).\(token.text)"
            }
            let (session, failure) = try await signups.send(signup, phoneText: phoneText, context)
            guard let failure else { return setting(visit, in: .redirect(to: visit.location)) }
            var step = form["action"] == "send" ? Step.number : nil
            if failure.leavesCodeValid, let verification = session.view.state.verification,
                verification.phoneNumber == (try? signups.useCase.phoneNumber(in: phoneText, region: region))
            {
                step = .code
            }
            return try page(of: session, failure, visit, at: step)
        } catch let failure as PhoneFailure {
            if case .unavailable = failure { throw failure }
            if failure.isLimit { return try page(.limited, visit, failure: failure) }
            return try page(phone(form["phone_text"] ?? firstText(visit), visit), visit, failure: failure)
        }
    }

    /// A signup that is complete already is checked as well: a second tap, or a retry after a lost response, ends as the
    /// first did.
    private func check(_ form: [String: String], _ visit: Visit) async throws -> Response {
        guard let (found, token) = visit.found else { throw Refusal.form }
        var signup = found
        if form["decision"] == DormantDecision.newAccount.rawValue {
            signup = try await signups.decide(.newAccount, signup, by: signup.owner, from: visit.context.address)
        }
        let (session, outcome) = try await signups.signUp(
            signup,
            token,
            codeText: form["code_text"],
            visit.request,
            visit.context
        )
        switch outcome {
        case .failure where signup.isComplete: throw Refusal.form
        case .failure(.accountDormant): return try page(.dormant, visit)
        case .failure(let failure): return try page(of: session, failure, visit)
        case .success(let signedUp):
            guard let tokens = try await accounts.tokens(of: signedUp, by: token) else { throw Refusal.form }
            // Another person may have been signed in here before.
            if let before = try await signedIn(visit.request), before.session.id != tokens.signedIn.session.id {
                _ = try await accounts.end(.one(before.session.id), of: before, from: visit.context.address)
            }
            var response =
                if let query = visit.query {
                    try await finish(query, for: tokens.signedIn)
                } else {
                    Response.redirect(to: visit.location)
                }
            cookies.set(.session, tokens.refreshToken.secret.text, for: accounts.browserTime, in: &response)
            cookies.set(.signup, nil, for: .zero, in: &response)
            return response
        }
    }

    /// Sends the browser back to the client with a code.
    func finish(_ query: AuthorizationQuery, for signedIn: SignedIn) async throws -> Response {
        let code = try await accounts.authorize(query.request, for: signedIn)
        return query.response(.code(code), issuer: issuer ?? "").redirect
    }

    /// What the field shows, for the page's script while a person types. It knows no number but the one in the request.
    @Sendable private func format(_ request: Request, _ context: APIContext) throws -> Response {
        let text = String((request.query("text") ?? "").prefix(40))
        let region = request.query("region").flatMap(Region.init) ?? signups.locale.region
        return Response(
            json: [
                "text": .string(signups.useCase.format(text, region: region)),
                "is_valid": .bool(signups.useCase.isValid(text, region: region)),
                "start": .string(NumberingPlans.builtIn.startText(for: region)),
            ]
        )
    }

    // MARK: - Pages

    private func page(
        of session: SignupSession,
        _ failure: PhoneFailure?,
        _ visit: Visit,
        at step: Step? = nil
    ) throws -> Response {
        if let failure { outages.log(Problem(failure, at: clock.now()), at: clock.now(), in: visit.context) }
        let state = session.view.state
        let isAtNumber = (step ?? visit.request.query("step").flatMap(Step.init)) == .number
        if let failure, failure.isLimit { return try page(.limited, visit, failure: failure) }
        guard let verification = state.verification, !isAtNumber else {
            return try page(phone(state.phoneText, visit), visit, failure: failure)
        }
        switch verification.status(at: clock.now()) {
        case .pending: break
        case .approved: return try page(.dormant, visit, failure: failure)
        case .canceled, .expired: return try page(.codeExpired(verification.phoneNumber), visit, failure: failure)
        case .failed: return try page(.sendingFailed(verification.phoneNumber), visit, failure: failure)
        case .maxAttemptsReached:
            if verification.end <= clock.now() {
                return try page(.codeExpired(verification.phoneNumber), visit, failure: failure)
            }
            return try page(.limited, visit, failure: .maxChecksReached(retryAt: verification.end))
        }
        let lengths = VerificationCode.lengths
        let length = lengths.first { signups.useCase.isCode(String(repeating: "0", count: $0)) } ?? lengths.upperBound
        return try page(.code(verification, length: length), visit, failure: failure)
    }

    private func page(
        _ content: SignupPage.Content,
        _ visit: Visit,
        failure: PhoneFailure? = nil,
        sessionOf request: Request? = nil
    ) throws -> Response {
        let session = request.flatMap { cookies.value(.session, of: $0) }
        let page = SignupPage(
            content: content,
            client: visit.query?.request.client,
            sharesNumber: visit.query?.request.scopes.contains(.phone) ?? false,
            redirectURI: visit.query?.request.redirectURI,
            isPopup: visit.query?.isPopup ?? false,
            location: visit.location,
            changeLocation: visit.location.appendingQuery([("step", "number")]),
            failure: failure,
            formToken: try cookies.formToken(for: session ?? visit.cookie),
            texts: visit.texts,
            now: clock.now(),
            nonce: try identifiers.makeNonce()
        )
        return setting(visit, in: page.response)
    }

    private func setting(_ visit: Visit, in response: Response) -> Response {
        var response = response
        if visit.cookie != cookies.value(.signup, of: visit.request) {
            cookies.set(.signup, visit.cookie, for: signups.ttl, in: &response)
        }
        return response
    }

    func confirmation(of signedIn: SignedIn, _ request: Request, _ client: OAuthClient?) throws -> Response {
        let cookie = cookies.value(.session, of: request) ?? ""
        return try page(.confirmSignOut(signedIn.account.phoneNumber), request, client, cookies.formToken(for: cookie))
    }

    func signedOut(_ request: Request) throws -> Response { try page(.signedOut, request) }

    private func page(
        _ content: SignupPage.Content,
        _ request: Request,
        _ client: OAuthClient? = nil,
        _ formToken: String = ""
    ) throws -> Response {
        SignupPage(
            content: content,
            client: client,
            location: Self.location(of: request),
            formToken: formToken,
            texts: texts(for: request, nil, nil),
            now: clock.now(),
            nonce: try identifiers.makeNonce()
        ).response
    }

    /// What goes wrong is a page as well.
    func guarding(
        _ request: Request,
        _ context: APIContext,
        _ work: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        if let canonical = request.withoutTrailingSlash { return canonical }
        do {
            return try await work(request, context)
        } catch AuthorizationQuery.Refusal.response(let response) {
            return response.redirect
        } catch AuthorizationQuery.Refusal.untrusted(let reason) {
            return try page(.untrusted(reason), request)
        } catch Refusal.form {
            return try page(.expired, request)
        } catch {
            let problem = error as? Problem ?? (error as? PhoneFailure).map { Problem($0, at: clock.now()) }
            guard let problem else { throw error }
            outages.log(problem, at: clock.now(), in: context)
            return try page(problem.code == .unavailable ? .unavailable : .expired, request)
        }
    }
}

extension PhoneFailure {
    /// Whether there is nothing to do but to wait. While no more messages are sent, the last code is still valid.
    fileprivate var isLimit: Bool {
        switch self {
        case .rateLimited, .maxChecksReached: true
        default: false
        }
    }

    /// Whether a number's earlier code can still be entered, though no other one is sent now.
    fileprivate var leavesCodeValid: Bool {
        switch self {
        case .resendTooSoon, .maxSendsReached: true
        default: false
        }
    }
}

extension Request {
    /// The way to the page's own address, which is relative to the folder that it is in, as all that the page refers to; nil
    /// without a slash at the end, which the router ignores.
    var withoutTrailingSlash: Response? {
        guard path.hasSuffix("/") else { return nil }
        let page = path.split(separator: "/").last ?? ""
        return Response(
            status: .permanentRedirect,
            headers: [.location: "../\(page)" + (queryText.map { "?\($0)" } ?? "")]
        )
    }

    /// Of the languages that the browser accepts: `KR` of `ko-KR`. But many people have `en-US` who are not there: it is
    /// what browsers have by default.
    fileprivate var acceptedRegions: [Region?] {
        let tags = (headers[.acceptLanguage] ?? "").split(separator: ",").prefix(10)
            .compactMap { LanguageTag(String($0.prefix { $0 != ";" }.filter { $0 != " " })) }
        return tags.filter { $0.description != "en-US" }.map(\.region)
    }
}

extension LanguageTag {
    /// The subtag of a country (RFC 5646 section 2.2.4).
    fileprivate var region: Region? {
        description.split(separator: "-").dropFirst().first { $0.utf8.count == 2 }.flatMap { Region(String($0)) }
    }
}
