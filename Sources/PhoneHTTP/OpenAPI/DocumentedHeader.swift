/// The header fields of answers that the document tells of.
enum DocumentedHeader: String, CaseIterable {
    case accessControlAllowHeaders = "Access-Control-Allow-Headers"
    case accessControlAllowMethods = "Access-Control-Allow-Methods"
    case accessControlAllowOrigin = "Access-Control-Allow-Origin"
    case accessControlExposeHeaders = "Access-Control-Expose-Headers"
    case accessControlMaxAge = "Access-Control-Max-Age"
    case allow = "Allow"
    case cacheControl = "Cache-Control"
    case contentDisposition = "Content-Disposition"
    case contentSecurityPolicy = "Content-Security-Policy"
    case crossOriginResourcePolicy = "Cross-Origin-Resource-Policy"
    case entityTag = "ETag"
    case idempotentReplayed = "Idempotent-Replayed"
    case location = "Location"
    case rateLimit = "RateLimit"
    case rateLimitPolicy = "RateLimit-Policy"
    case referrerPolicy = "Referrer-Policy"
    case requestID = "X-Request-Id"
    case retryAfter = "Retry-After"
    case strictTransportSecurity = "Strict-Transport-Security"
    case vary = "Vary"
    case wwwAuthenticate = "WWW-Authenticate"
    case contentTypeOptions = "X-Content-Type-Options"

    /// Those of every answer.
    static let common: [DocumentedHeader] = [
        .requestID, .cacheControl, .contentSecurityPolicy, .crossOriginResourcePolicy, .contentTypeOptions,
        .referrerPolicy,
    ]

    /// Those that any answer may have.
    static let occasional: [DocumentedHeader] = [.strictTransportSecurity]

    /// Those of answers that pages of other sites may see.
    static let crossOrigin: [DocumentedHeader] = [.vary, .accessControlAllowOrigin, .accessControlExposeHeaders]

    /// Those of answers that tell a browser whether such a page may ask.
    static let preflight: [DocumentedHeader] = [
        .vary, .accessControlAllowOrigin, .accessControlExposeHeaders, .accessControlAllowMethods,
        .accessControlAllowHeaders, .accessControlMaxAge,
    ]

    /// The fields of an answer, as OpenAPI describes them, with those that any answer has or may have.
    static func json(required: [DocumentedHeader], optional: [DocumentedHeader]) -> JSON {
        .object(
            (common + required).map { $0.reference(isRequired: true) }
                + (optional + occasional).map { $0.reference(isRequired: false) }
        )
    }

    /// As what it occurs: whether all answers of a status have it, or some.
    var occurrences: [Bool] {
        switch self {
        case .accessControlAllowHeaders, .accessControlAllowMethods, .accessControlExposeHeaders,
            .accessControlMaxAge, .idempotentReplayed, .strictTransportSecurity, .vary:
            [false]
        case .accessControlAllowOrigin, .rateLimit, .rateLimitPolicy, .retryAfter, .wwwAuthenticate: [true, false]
        case .allow, .cacheControl, .contentDisposition, .contentSecurityPolicy, .contentTypeOptions,
            .crossOriginResourcePolicy, .entityTag,
            .location, .referrerPolicy, .requestID:
            [true]
        }
    }

    /// The name of its entry among the components.
    func componentName(isRequired: Bool) -> String {
        isRequired ? rawValue : "Optional-" + rawValue
    }

    /// The field as OpenAPI describes it.
    func json(isRequired: Bool) -> JSON {
        ["description": .string(description), "required": .bool(isRequired), "schema": schema.json]
    }

    /// Where an answer refers to it.
    private func reference(isRequired: Bool) -> JSON.Member {
        JSON.Member(
            rawValue,
            ["$ref": .string("#/components/headers/" + componentName(isRequired: isRequired))]
        )
    }

    private var description: String {
        switch self {
        case .accessControlAllowHeaders: "What a page of another site may send."
        case .accessControlAllowMethods: "By which methods a page of another site may ask."
        case .accessControlAllowOrigin:
            "The site whose page asks, if the operator has named it (https://fetch.spec.whatwg.org/#http-cors-protocol); "
                + "`*` where any may."
        case .accessControlExposeHeaders: "What a page of another site may read besides the body."
        case .accessControlMaxAge: "For how many seconds a browser may go by this."
        case .allow: "The methods that the path takes (RFC 9110 section 10.2.1)."
        case .cacheControl:
            "Nothing is to be kept by caches, but for this document, which is to be asked for anew, and for what tells "
                + "how to verify access tokens."
        case .contentDisposition: "Has browsers keep the answer as a file (RFC 6266)."
        case .contentSecurityPolicy: "Keeps browsers from taking an answer for a page."
        case .crossOriginResourcePolicy:
            "Keeps browsers from handing an answer to pages of other origins, unless it is for all."
        case .entityTag: "Changes when the document does; `If-None-Match` with it is answered by 304."
        case .idempotentReplayed: "The answer was given before, to a request with the same `Idempotency-Key`."
        case .location: "The path of what was made."
        case .rateLimit: "What is left of each limit that is reached (draft-ietf-httpapi-ratelimit-headers-10)."
        case .rateLimitPolicy: "The limits that are reached: how many, within how many seconds."
        case .referrerPolicy: "Keeps browsers from telling other sites of paths."
        case .requestID:
            "The name of the request in the server's log: the one that it came with, if that has up to 64 letters, "
                + "digits, and any of `-._~`, or one that the server gave it."
        case .retryAfter: "In how many seconds the same request may succeed (RFC 9110 section 10.2.3)."
        case .strictTransportSecurity: "Where the service speaks TLS: for how long a browser is to come back by it."
        case .vary: "What else the answer depends on, where pages of other sites may ask."
        case .wwwAuthenticate: "How to show who one is (RFC 9110 section 11.6.1)."
        case .contentTypeOptions: "Keeps browsers from guessing at media types."
        }
    }

    private var schema: Schema {
        switch self {
        case .accessControlAllowHeaders, .accessControlAllowMethods, .accessControlExposeHeaders, .vary:
            .text(pattern: "^[A-Za-z-]+(, [A-Za-z-]+)*$")
        case .accessControlAllowOrigin: .text(pattern: "^(\\*|https?://[^/]+)$").such(as: "https://shop.example")
        case .accessControlMaxAge: .count()
        case .allow: .text(pattern: "^[A-Z]+(, [A-Z]+)*$").such(as: "GET, HEAD, OPTIONS")
        case .cacheControl: .choice(of: ["no-store", "no-cache", DiscoveryRoutes.cacheControl])
        case .contentDisposition: .constant(.string(AccountRoutes.disposition))
        case .contentSecurityPolicy: .constant("default-src 'none'; frame-ancestors 'none'")
        case .crossOriginResourcePolicy: .choice(of: ["same-origin", "cross-origin"])
        case .entityTag: .text(pattern: "^\"[0-9a-f]{16}\"$")
        case .idempotentReplayed: .constant("true")
        case .location: .text(pattern: "^/v1/([a-z-]+/)+[a-z]+_[0-9a-f]{32}$")
        case .rateLimit: .text().such(as: #""address-sends-1h";r=0;t=3600"#)
        case .rateLimitPolicy: .text().such(as: #""address-sends-1h";q=10;w=3600"#)
        case .referrerPolicy: .constant("no-referrer")
        case .requestID: .text(pattern: "^[A-Za-z0-9._~-]{1,64}$").such(as: "0f8a4c6d2b1e97531")
        case .retryAfter: .count(from: 1).such(as: 30)
        case .strictTransportSecurity: .text(pattern: "^max-age=[0-9]+$")
        case .wwwAuthenticate: .text(pattern: "^Bearer realm=\"phoneproof\"").such(as: #"Bearer realm="phoneproof""#)
        case .contentTypeOptions: .constant("nosniff")
        }
    }
}
