import HTTPTypes
package import PhoneAccounts
package import PhoneAdministration
package import PhoneDomain
import PhoneSignup
package import Texts

/// Sign-in by a key on the person's device in place of a code, which a dock brings. The pages and operators know it by
/// this alone.
package protocol KeySignIn: SignInKeyDesk {
    /// Shows what only it can do, on each page that has some of it.
    var script: HTML { get }
    /// The page of who is signed in about their keys.
    var path: String { get }
    func linkText(in texts: Texts) -> String
    /// Says that a key does not sign in.
    func refusal(in texts: Texts) -> String
    /// What is in the form that signs in, which is hidden until the script shows it.
    func signInFields(in texts: Texts) -> HTML

    /// Who has signed in by this form; nil if nobody has. Throws ``BrowserCookies/FormFault/replaced`` for one that came
    /// twice, and has signed somebody in.
    func signIn(by form: FormFields, userAgent: String?, from address: ClientAddress?) async throws -> IssuedTokens?

    /// What a person is offered after signing in by a code; nil for nothing.
    ///
    /// - Parameters:
    ///   - failed: whether it was tried just now, and failed.
    ///   - token: the field by which a form is known to be of this browser.
    func offer(to signedIn: SignedIn, failed: Bool, token: HTML, in texts: Texts) async throws -> PagePart?
    func page(of signedIn: SignedIn, failed: Bool, token: HTML, in texts: Texts) async throws -> PagePart

    /// Does what a form of one of these pages says.
    ///
    /// - Returns: whether it was done.
    func act(
        on form: FormFields,
        for signedIn: SignedIn,
        userAgent: String?,
        from address: ClientAddress?
    ) async throws -> Bool
}

/// What is in the frame of a page.
package struct PagePart: Sendable {
    let heading: String
    let body: HTML
    package init(_ heading: String, _ body: HTML) { (self.heading, self.body) = (heading, body) }
}

/// What a form about a person's keys says.
enum KeyAction: String {
    case add = "add_key"
    case rename = "rename_key"
    case remove = "remove_key"
    case confirm = "confirm_key"
    /// Not now.
    case skip = "skip_key"

    init?(_ form: FormFields) { self.init(rawValue: form["action"] ?? "") }
}

extension BrowserCookies.Kind {
    /// Who wants no key is not asked again for a while.
    fileprivate static let noKey = BrowserCookies.Kind("no_key")
}

extension SignupPages {
    /// How long after signing in what a client has asked for is still done: a session of before may not be enough for it.
    private static let offerTime: Duration = .seconds(600)
    private static let skipTime: Duration = .seconds(30 * 86_400)

    func addKeyRoutes(of key: any KeySignIn, to router: APIRouter) {
        router.get("/\(key.path)") { request, context in
            try await guarding(request, context) { request, _ in try await keyPage(of: key, request) }
        }
        router.post("/\(key.path)") { request, context in
            try await guarding(request, context) { request, context in
                let form = try await request.decodeForm()
                let signedIn = try await holder(of: form, request)
                let isDone = try await act(on: form, by: key, for: signedIn, request, context)
                return isDone ? try .redirection(to: key.path) : try await keyPage(of: key, request, failed: true)
            }
        }
    }

    private func keyPage(of key: any KeySignIn, _ request: Request, failed: Bool = false) async throws -> Response {
        guard let signedIn = try await signedIn(request), let cookie = cookies.value(.session, of: request) else {
            return try .redirection(to: "signup")
        }
        let texts = request.texts(else: locale.language)
        let part = try await key.page(of: signedIn, failed: failed, token: token(for: cookie), in: texts)
        return try page(.key(part), request)
    }

    /// - Parameter visit: that which goes on after the form: a sign-in for one client, or with one request, is none for
    ///   another.
    private func token(for cookie: String, in visit: Visit? = nil) throws(PhoneFailure) -> HTML {
        let token = try cookies.formToken(for: subject(cookie, visit))
        return "<input type=\"hidden\" name=\"form_token\" value=\"\(token)\">"
    }

    private func subject(_ cookie: String, _ visit: Visit?) -> String {
        visit.map { "\(cookie) \($0.location)" } ?? cookie
    }

    /// Who is signed in in the browser that a form is of.
    private func holder(of form: FormFields, _ request: Request, in visit: Visit? = nil) async throws -> SignedIn {
        let cookie = cookies.value(.session, of: request).map { subject($0, visit) }
        if let fault = try cookies.fault(of: form, with: cookie, from: request) { throw fault }
        guard let signedIn = try await signedIn(request) else { throw BrowserCookies.FormFault.expired }
        return signedIn
    }

    private func act(
        on form: FormFields,
        by key: any KeySignIn,
        for signedIn: SignedIn,
        _ request: Request,
        _ context: APIContext
    ) async throws -> Bool {
        try await key.act(on: form, for: signedIn, userAgent: request.headers[.userAgent], from: context.address)
    }

    func signIn(by key: any KeySignIn, _ form: FormFields, _ visit: Visit) async throws -> Response {
        let userAgent = visit.request.headers[.userAgent]
        do {
            guard let tokens = try await key.signIn(by: form, userAgent: userAgent, from: visit.context.address) else {
                return try page(phone(firstText(visit), visit), visit, refusesKey: true)
            }
            return try await goOn(tokens, visit)
        } catch BrowserCookies.FormFault.replaced {
            // A second tap: the browser has the session of the first.
            return try await refuse(nil, form, visit)
        }
    }

    /// The page after a sign-in by a code that offers a key.
    func keyOffer(to tokens: IssuedTokens, _ visit: Visit) async throws -> Response? {
        guard cookies.value(.noKey, of: visit.request) == nil else { return nil }
        return try await offer(to: tokens.signedIn, with: tokens.refreshToken.secret.text, visit)
    }

    private func offer(
        to signedIn: SignedIn,
        with cookie: String,
        failed: Bool = false,
        _ visit: Visit
    ) async throws -> Response? {
        let part = try await key?.offer(
            to: signedIn,
            failed: failed,
            token: token(for: cookie, in: visit),
            in: visit.texts
        )
        return try part.map { try page(.key($0), visit) }
    }

    /// The answer to the offer: what the person came for goes on.
    func take(
        _ action: KeyAction,
        by key: any KeySignIn,
        _ form: FormFields,
        _ visit: Visit
    ) async throws -> Response {
        let request = visit.request
        let signedIn: SignedIn
        do { signedIn = try await holder(of: form, request, in: visit) } catch let fault as BrowserCookies.FormFault {
            return try await refuse(fault, form, visit)
        }
        if action != .skip {
            let isDone = try await act(on: form, by: key, for: signedIn, request, visit.context)
            // Of several keys each is asked about.
            if !isDone || action != .add, let cookie = cookies.value(.session, of: request),
                let offer = try await offer(to: signedIn, with: cookie, failed: !isDone, visit)
            {
                return offer
            }
        }
        let isFresh = clock.now() <= signedIn.session.createdAt + Self.offerTime
        var response =
            if isFresh, let query = visit.query {
                try await finish(query, for: signedIn, visit.context)
            } else {
                try Response.redirection(to: visit.location)
            }
        if action == .skip { cookies.set(.noKey, "1", for: Self.skipTime, in: &response) }
        return response
    }
}
