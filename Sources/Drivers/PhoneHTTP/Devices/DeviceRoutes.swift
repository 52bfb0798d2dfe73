import HTTPTypes
import PhoneAccounts
import PhoneDomain

/// The page on which a person approves a sign-in on a device without a browser: it asks for the code that the device
/// shows, has the person sign in as ever, and shows who asks. All of it works without a script.
struct DeviceRoutes: Sendable {
    static let path = "/device"
    static let codeName = "user_code"

    let pages: SignupPages
    private var accounts: AccountUseCase { pages.accounts }

    func addRoutes(to router: APIRouter) {
        router.get(Self.path) { request, context in
            try await pages.guarding(request, context) { try await limiting($0, $1, show) }
        }
        router.post(Self.path) { request, context in
            try await pages.guarding(request, context) { try await limiting($0, $1, decide) }
        }
    }

    /// The way back to this page once a person has signed in for it; nil if they did for something else.
    static func continuation(of request: Request) throws -> Response? {
        guard let code = request.queryFields[codeName].flatMap(UserCode.init(typed:)) else { return nil }
        return try .redirection(to: "device".appendingQuery([(codeName, code.description)]))
    }

    @Sendable private func show(_ request: Request, _ context: APIContext) async throws -> Response {
        guard let typed = request.queryFields.filled[Self.codeName] else {
            return try page(.code("", isWrong: false), request)
        }
        if request.isPartOfOtherSite { throw BrowserCookies.FormFault.otherSite }
        let code = UserCode(typed: typed)
        guard let (device, client) = try await accounts.device(with: code, from: context.address), let code else {
            return try page(.code(String(typed.prefix(40)), isWrong: true), request)
        }
        guard let signedIn = try await pages.signedIn(request),
            let cookie = pages.cookies.value(.session, of: request)
        else { return try .redirection(to: "signup".appendingQuery([(Self.codeName, code.description)])) }
        return try page(
            .question(
                device,
                client,
                code,
                signedIn.account.phoneNumber,
                formToken: pages.cookies.formToken(for: cookie)
            ),
            request
        )
    }

    @Sendable private func decide(_ request: Request, _ context: APIContext) async throws -> Response {
        let form = try await request.decodeForm()
        if let fault = try pages.cookies.fault(
            of: form,
            with: pages.cookies.value(.session, of: request),
            from: request
        ) {
            throw fault
        }
        guard let signedIn = try await pages.signedIn(request) else { throw BrowserCookies.FormFault.expired }
        let code = form[Self.codeName].flatMap(UserCode.init(typed:))
        do {
            let isApproved = try await accounts.decide(
                code,
                isApproved: form["decision"] == "approve",
                by: signedIn,
                from: context.address
            )
            return try page(isApproved ? .done : .refused, request)
        } catch PhoneFailure.notSignedIn {
            return try page(.code("", isWrong: true), request)
        }
    }

    private func limiting(
        _ request: Request,
        _ context: APIContext,
        _ work: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await work(request, context)
        } catch let failure as PhoneFailure {
            guard case .rateLimited = failure else { throw failure }
            return try page(.limited(failure), request)
        }
    }

    private func page(_ content: DevicePage.Content, _ request: Request) throws -> Response {
        DevicePage(
            content: content,
            identity: pages.identity,
            texts: request.texts(else: pages.locale.language),
            now: pages.clock.now(),
            nonce: try pages.identifiers.makeRandomText()
        ).response
    }
}
