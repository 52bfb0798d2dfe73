import HTTPTypes
import Hummingbird

/// The other sites whose pages may sign people up from the browser and keep them signed in, and what browsers are told of
/// that (CORS, https://fetch.spec.whatwg.org/#http-cors-protocol). Everything but signups and what they give is closed to
/// all of them: what else is served is for programs, and a key has no business in a page. But for ``DiscoveryRoutes``, which
/// are open to every site.
public struct CrossOrigins: Sendable {
    /// No other site.
    public static let none = CrossOrigins([])

    /// Which they are.
    public let origins: [WebOrigin]
    private let texts: Set<String>

    /// - Parameter origins: which they are; none for the service's own pages alone.
    public init(_ origins: [WebOrigin]) {
        self.origins = origins
        texts = Set(origins.map(\.description))
    }

    /// How long a browser may go by what it was told. Chromium takes no more than two hours.
    private static let maxAge = "7200"

    private static let requestFields =
        "Authorization, Content-Type, X-Request-Id, Traceparent, Tracestate"
    /// What a page may read besides the body and the few fields that it always may.
    private static let exposedFields =
        "Content-Disposition, Location, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, X-Request-Id"

    /// Adds to an answer what the browser has to know before it lets a page of another site see it, errors as well.
    ///
    /// Credentials are not allowed: the tokens of a signup and a session are some, and the page puts them into the request
    /// itself.
    func mark(_ response: inout Response, to request: Request) {
        guard !texts.isEmpty, Self.isForPages(request.uri.path) else { return }
        let isPreflight = request.method == .options && request.headers[.accessControlRequestMethod] != nil
        // No cache may give one site the answer to another.
        response.headers[.vary] =
            isPreflight ? "Origin, Access-Control-Request-Method, Access-Control-Request-Headers" : "Origin"
        guard let origin = request.headers[.origin], texts.contains(origin) else { return }
        response.headers[.accessControlAllowOrigin] = origin
        guard isPreflight else {
            response.headers[.accessControlExposeHeaders] = Self.exposedFields
            return
        }
        guard let allowed = response.headers[.allow] else { return }
        response.headers[.accessControlAllowMethods] = allowed
        response.headers[.accessControlAllowHeaders] = Self.requestFields
        response.headers[.accessControlMaxAge] = Self.maxAge
    }

    /// The paths that pages may use, with all that is below them.
    private static let paths = [
        "/v1/signups", TokenRoutes.path, TokenRoutes.revocationPath, "/v1/sessions", "/v1/accounts",
        "/v1/number-changes",
    ]

    private static func isForPages(_ path: String) -> Bool {
        paths.contains { path.hasPrefix($0) && (path.utf8.count == $0.utf8.count || path.hasPrefix($0 + "/")) }
    }
}
