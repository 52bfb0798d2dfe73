import CoreEncodings
import HTTPTypes
import PhoneAccounts
import PhoneDomain

/// Sign-in of devices without a browser, for their programs (RFC 8628).
extension TokenEndpoint {
    static let devicePath = "/oauth2/device_authorization"
    static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

    /// The codes to begin with (section 3.2).
    @Sendable func startDevice(request: Request, context: APIContext) async throws -> Response {
        guard request.isContent(Request.formType) == true else { throw Request.notForm.inOAuth(.invalidRequest) }
        guard !request.isOfOtherSite else { throw Self.otherSite }
        let form = try await request.oauthForm(["client_id", "client_secret", "scope"])
        guard let client = try await client(of: request, form), let discovery else { throw Self.invalidClient }
        guard client.profile.signsInDevices else { throw Self.noDevices }
        let names = (form["scope"] ?? "").split(separator: " ").prefix(20)
        let scopes = Set(names.compactMap { OpenIDScope(rawValue: "\($0)") })
        guard scopes.contains(.openID) else { throw Self.noOpenID }
        let started = try await accounts.startDevice(
            of: client,
            scopes,
            userAgent: request.headers[.userAgent],
            from: context.address
        )
        let page = discovery.url(of: DeviceRoutes.path)
        return Response(
            json: [
                "device_code": .string(started.code.text), "user_code": .string(started.userCode.description),
                "verification_uri": .string(page),
                "verification_uri_complete": .string(
                    page.appendingQuery([(DeviceRoutes.codeName, started.userCode.description)])
                ),
                "expires_in": .integer(started.expiresIn.components.seconds),
                "interval": .integer(started.interval.components.seconds),
            ],
            headers: [.cacheControl: "no-store"]
        )
    }

    /// The tokens of a device that a person has approved, or why there are none (section 3.5).
    func tokens(with code: SecretToken, of client: OAuthClient?, _ context: APIContext) async throws -> Response {
        guard let client else { throw Self.invalidClient }
        guard client.profile.signsInDevices else { throw Self.noDevices }
        let (answer, tokens, idToken) = try await accounts.ask(with: code, of: client, from: context.address)
        if let tokens, let idToken { return Response(json: tokens.json(idToken: idToken)) }
        switch answer {
        case .slowDown: throw Self.refusal("Ask less often: five seconds more each time.", .slowDown)
        case .expired: throw Self.refusal("The codes have expired; begin again.", .expiredToken)
        case .denied: throw Self.refusal("The person has refused.", .accessDenied)
        case .pending, .tokens:
            throw Self.refusal("The person has not answered yet; ask again after the interval.", .authorizationPending)
        }
    }

    private static func refusal(_ detail: String, _ error: Problem.OAuthError) -> Problem {
        Problem(.invalidRequest, detail).inOAuth(error)
    }

    private static let noDevices = Problem.field(
        "client_id",
        "must be that of a client that signs people in on devices (clients update --device-sign-in)"
    ).inOAuth(.unauthorizedClient)
    private static let otherSite = Problem.malformed(
        "A page of another site has sent this; it is for the programs of devices."
    ).inOAuth(.invalidRequest)
    private static let noOpenID = Problem.field("scope", "must contain openid").inOAuth(.invalidScope)
}
