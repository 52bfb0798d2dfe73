import CoreEncodings
import HTTPTypes
import PhoneDomain
import PhoneNumbers

/// The other sites whose pages may sign people up and keep them signed in (CORS,
/// https://fetch.spec.whatwg.org/#http-cors-protocol). All else is closed to them: it is for programs, and an API key
/// must not be in a page. Only ``Discovery`` is open to every site.
public struct CrossOrigins: Sendable {
    public static let none = CrossOrigins([])

    private let texts: Set<String>
    /// Whether pages of this machine may, whatever their port.
    private let allowsLocalPages: Bool
    private var areas: [PageArea] = PageArea.own

    /// - Parameter origins: none for the service's own pages only.
    public init(_ origins: [WebOrigin], allowsLocalPages: Bool = false) {
        texts = Set(origins.map(\.description))
        self.allowsLocalPages = allowsLocalPages
    }

    /// The same sites with what others let pages use (``APIRouter/openToPages(sending:reading:)``).
    func adding(_ areas: [PageArea]) -> CrossOrigins {
        var origins = self
        origins.areas += areas
        return origins
    }

    /// Credentials are not allowed: the page itself sends the tokens of a signup or a session.
    func mark(_ response: inout Response, to request: Request) {
        guard !texts.isEmpty || allowsLocalPages, let area = area(of: request) else { return }
        let isPreflight = request.method == .options && request.headers[.accessControlRequestMethod] != nil
        // A cache must not give one site the response to another.
        response.headers[.vary] =
            isPreflight ? "Origin, Access-Control-Request-Method, Access-Control-Request-Headers" : "Origin"
        guard let origin = request.headers[.origin], allows(origin) else { return }
        response.headers[.accessControlAllowOrigin] = origin
        if !isPreflight { response.headers[.accessControlExposeHeaders] = area.exposedFields }
        guard isPreflight, let allowed = response.headers[.allow] else { return }
        response.headers[.accessControlAllowMethods] = allowed
        response.headers[.accessControlAllowHeaders] = area.requestFields
        // In seconds. Chromium caches a preflight for no more than two hours.
        response.headers[.accessControlMaxAge] = "7200"
    }

    private func allows(_ origin: String) -> Bool {
        texts.contains(origin) || allowsLocalPages && WebOrigin(origin)?.isLocal == true
    }

    /// The origin of a page whose browser will not show it the response; nil if there is none, or it is not a site's.
    func refusedOrigin(of request: Request) -> WebOrigin? {
        guard let text = request.headers[.origin], !allows(text), area(of: request) != nil,
            let origin = WebOrigin(text), origin.authority != request.authority.map({ $0[...] })
        else { return nil }
        return origin
    }

    private func area(of request: Request) -> PageArea? { areas.first { request.isAtOrBelow($0.root) } }
}

/// A path that pages of other sites may use, with everything below it.
struct PageArea: Sendable {
    let root: String
    let requestFields: String
    let exposedFields: String

    /// The fields beside those of all paths.
    init(_ root: String, sending requestFields: [String] = [], reading exposedFields: [String] = []) {
        self.root = root
        self.requestFields =
            (["Authorization, Content-Type, X-Request-Id, Traceparent, Tracestate"] + requestFields)
            .joined(separator: ", ")
        let exposed =
            "Content-Disposition, Location, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, X-Request-Id"
        self.exposedFields = ([exposed] + exposedFields).joined(separator: ", ")
    }

    /// Those of the service's own API.
    static let own =
        [accounts]
        + [
            "/v1/signups", TokenRoutes.path, TokenEndpoint.path, TokenEndpoint.userInfoPath,
            TokenEndpoint.revocationPath, "/v1/sessions", "/v1/number-changes",
        ]
        .map { PageArea($0) }

    private static let accounts = PageArea(
        "/v1/accounts",
        sending: ["Idempotency-Key"],
        reading: ["Idempotent-Replayed"]
    )
}

/// An origin as browsers write it in `Origin` (RFC 6454 section 6.2): `https://example.com:8443`.
public struct WebOrigin: Hashable, Sendable, LosslessStringConvertible {
    public let description: String

    /// - Returns: nil unless it is a scheme, `://`, a host and perhaps a port, all as browsers write them: in lower
    ///   case, without the scheme's default port, and with nothing after.
    public init?(_ text: String) {
        guard text.utf8.count <= 300, let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
            return nil
        }
        let (scheme, authority) = (text[..<colon], text[colon...].dropFirst(3))
        let host = authority.withoutPort
        guard Self.isScheme(scheme), Self.isHost(host) else { return nil }
        if host.endIndex < authority.endIndex {
            let port = authority[host.endIndex...].dropFirst()
            // `UInt16` alone accepts signs and leading zeros.
            guard let number = UInt16(port), number > 0, String(number) == port else { return nil }
            guard !(scheme == "http" && number == 80 || scheme == "https" && number == 443) else { return nil }
        }
        description = text
    }

    /// Whether its traffic can be read on the way (`http` to another machine).
    public var isPlain: Bool { description.hasPrefix("http://") && !isLocal }

    /// Whether it is this machine's.
    var isLocal: Bool {
        (description.hasPrefix("http://") || description.hasPrefix("https://"))
            && EndpointURL.isLoopback(authority.withoutPort)
    }

    /// The host, and the port unless it is the scheme's.
    var authority: Substring { description.drop { $0 != "/" }.dropFirst(2) }

    private static func isScheme(_ text: Substring) -> Bool {
        text.utf8.first?.isASCIILowerCase == true
            && text.utf8.allSatisfy { isLowercaseOrDigit($0) || "+-.".utf8.contains($0) }
    }

    private static func isHost(_ host: Substring) -> Bool {
        if host.hasPrefix("[") { return host.hasSuffix("]") && IPAddress(String(host.dropFirst().dropLast())) != nil }
        return !host.isEmpty && host.utf8.allSatisfy { isLowercaseOrDigit($0) || "-._".utf8.contains($0) }
    }

    private static func isLowercaseOrDigit(_ byte: UInt8) -> Bool { byte.isASCIILowerCase || byte.isASCIIDigit }
}
