import CoreEncodings
import HTTPTypes
import PhoneAccounts
import PhoneDomain

/// A client's request to have a person signed in (OpenID Connect Core 1.0 section 3.1.2.1), known to be valid: its
/// client is registered, and so is the place where the browser goes from here.
struct AuthorizationQuery: Sendable {
    enum Prompt: String {
        /// Nothing may be shown.
        case none
        // Each asks for a code again: who proves a number has chosen an account and consented, or made one (Initiating
        // User Registration via OpenID Connect 1.0).
        case login, consent, create
        case selectAccount = "select_account"
    }

    let request: AuthorizationRequest
    let state: String?
    let prompts: Set<Prompt>
    /// Whether the pages are in a window that a page of the client's has opened, and waits for.
    let isPopup: Bool
    /// How old the proof of the number may be.
    let maxAge: Duration?
    /// A phone number, in whatever form.
    let loginHint: String?
    /// An ID token of ours, of the person whom the client expects.
    let idTokenHint: String?
    let languages: [LanguageTag]

    /// What cannot be valid.
    enum Refusal: Error {
        /// It is not known who asks, or where the browser may be sent. The person sees an error page, and is sent
        /// nowhere.
        case untrusted(String)
        case response(AuthorizationResponse)

        static let tooLong = Refusal.untrusted("the request is longer than \(Response.longestLocation) bytes")
    }

    /// - Throws: ``Refusal``, and what the store throws.
    init(_ fields: FormFields, clients: OAuthClients, issuer: String) async throws {
        guard fields.byteCount <= Response.longestLocation else {
            throw Refusal.tooLong
        }
        // An empty parameter counts as omitted (RFC 6749 section 3.1).
        let parameters = fields.filled
        guard let id = parameters["client_id"].flatMap(OAuthClient.ID.init), !parameters.isRepeated("client_id"),
            let client = try await available({ try await clients.client(id) })
        else { throw Refusal.untrusted("client_id is not that of a client that is registered here") }
        guard let redirectURI = parameters["redirect_uri"].flatMap(RedirectURI.init),
            !parameters.isRepeated("redirect_uri"),
            client.mayRedirect(to: redirectURI)
        else { throw Refusal.untrusted("redirect_uri does not match exactly a URI that the client has registered") }
        let state = parameters.isRepeated("state") ? nil : parameters["state"]
        func refusal(_ error: AuthorizationResponse.Error, _ description: String) -> Refusal {
            .response(
                AuthorizationResponse(to: redirectURI, state: state, issuer: issuer, .failure(error, description))
            )
        }
        if let name = Self.names.first(where: parameters.isRepeated) {
            throw refusal(.invalidRequest, "\(name) is repeated")
        }
        if parameters["request"] != nil { throw refusal(.requestNotSupported, "send plain parameters") }
        if parameters["request_uri"] != nil { throw refusal(.requestURINotSupported, "send plain parameters") }
        guard let type = parameters["response_type"] else { throw refusal(.invalidRequest, "response_type is missing") }
        guard type == "code" else { throw refusal(.unsupportedResponseType, "response_type must be code") }
        guard parameters["response_mode"] ?? "query" == "query" else {
            throw refusal(.invalidRequest, "response_mode must be query")
        }
        // Without a method it would be `plain` (RFC 7636 section 4.3), by which the code alone were enough.
        let challenge = parameters["code_challenge"].flatMap { [UInt8](.base64URL, $0.utf8) }
        let hasNoChallenge = parameters["code_challenge"] == nil && parameters["code_challenge_method"] == nil
        guard
            hasNoChallenge
                ? !client.requiresPKCE : parameters["code_challenge_method"] == "S256" && challenge?.count == 32
        else {
            throw refusal(.invalidRequest, "code_challenge must be there, with the code_challenge_method S256")
        }
        let scopes = Set(
            (parameters["scope"] ?? "").split(separator: " ").compactMap { OpenIDScope(rawValue: "\($0)") }
        )
        guard scopes.contains(.openID) else { throw refusal(.invalidScope, "scope must contain openid") }
        let prompts = (parameters["prompt"] ?? "").split(separator: " ").map { Prompt(rawValue: String($0)) }
        guard !prompts.contains(nil), !prompts.contains(Prompt.none) || prompts.count == 1 else {
            throw refusal(.invalidRequest, "prompt must be none, or any of login, consent, select_account and create")
        }
        let maxAge = parameters["max_age"].map { Int($0) }
        guard maxAge.map({ $0.map { (0...1_000_000_000).contains($0) } ?? false }) ?? true else {
            throw refusal(.invalidRequest, "max_age must be a number of seconds")
        }
        guard (parameters["nonce"] ?? "").utf8.count <= 500, (state ?? "").utf8.count <= 2000 else {
            throw refusal(.invalidRequest, "nonce or state is too long")
        }
        // No database stores it.
        guard !(parameters["nonce"] ?? "").utf8.contains(0) else {
            throw refusal(.invalidRequest, "nonce contains a character NUL")
        }
        self.state = state
        self.prompts = Set(prompts.compactMap(\.self))
        isPopup = parameters["display"] == "popup"
        self.maxAge = maxAge.flatMap(\.self).map { .seconds($0) }
        loginHint = parameters["login_hint"].map { String($0.prefix(40)) }
        idTokenHint = parameters["id_token_hint"]
        languages = (parameters["ui_locales"] ?? "").split(separator: " ").prefix(10).compactMap {
            LanguageTag(String($0))
        }
        request = AuthorizationRequest(
            client: client,
            scopes: scopes,
            redirectURI: redirectURI,
            challenge: challenge,
            nonce: parameters["nonce"]
        )
    }

    private static let names = [
        "client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method", "display", "prompt", "max_age", "login_hint", "id_token_hint", "ui_locales", "request",
        "request_uri",
    ]

    func response(_ outcome: AuthorizationResponse.Outcome, issuer: String) -> AuthorizationResponse {
        AuthorizationResponse(to: request.redirectURI, state: state, issuer: issuer, outcome)
    }
}

/// What the client gets by way of the browser: in the query of a URL that it has registered.
struct AuthorizationResponse: Sendable {
    enum Outcome {
        case code(SecretToken)
        case failure(Error, String)
    }

    /// RFC 6749 section 4.1.2.1, and OpenID Connect Core 1.0 section 3.1.2.6.
    enum Error: String {
        case invalidRequest = "invalid_request"
        case unsupportedResponseType = "unsupported_response_type"
        case invalidScope = "invalid_scope"
        case temporarilyUnavailable = "temporarily_unavailable"
        case loginRequired = "login_required"
        case interactionRequired = "interaction_required"
        case requestNotSupported = "request_not_supported"
        case requestURINotSupported = "request_uri_not_supported"
    }

    let location: String

    /// - Parameter issuer: by which a client of several providers knows which one answers (RFC 9207).
    init(to uri: RedirectURI, state: String?, issuer: String, _ outcome: Outcome) {
        var fields: [(String, String)] =
            switch outcome {
            case .code(let code): [("code", code.text)]
            case .failure(let error, let description): [("error", error.rawValue), ("error_description", description)]
            }
        if let state { fields.append(("state", state)) }
        fields.append(("iss", issuer))
        location = uri.description.appendingQuery(fields)
    }

    /// 303, so that no browser sends a form on (RFC 9700 section 4.12).
    var redirect: Response { get throws { try .redirection(to: location) } }
}

extension Response {
    /// The most bytes: the length that everybody on the way should support (RFC 9110 section 4.1). Proxies answer 502
    /// to a longer one, and of what a request contains a byte may become three here.
    static let longestLocation = 8000

    static func redirection(
        _ status: HTTPResponse.Status = .seeOther,
        to location: String
    ) throws(AuthorizationQuery.Refusal) -> Response {
        guard location.utf8.count <= longestLocation else { throw .tooLong }
        return Response(status: status, headers: [.location: location])
    }
}

extension String {
    func appendingQuery(_ fields: [(String, String)]) -> String {
        guard !fields.isEmpty else { return self }
        let query = fields.map { "\($0.percentEncoded)=\($1.percentEncoded)" }.joined(separator: "&")
        return self + (contains("?") ? "&" : "?") + query
    }
}

extension Request {
    /// The query as forms are encoded, as OAuth has it (RFC 6749 appendix B): a plus sign is a space.
    var queryFields: FormFields { Self.formFields(in: queryText ?? "") }
}
