import HTTPTypes
import PhoneDomain

/// The fields that every answer bears, unless it has one of that name already.
struct CommonFields: Sendable {
    private var fields: HTTPFields = [
        .cacheControl: "no-store",
        .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
        .crossOriginResourcePolicy: "same-origin",
        .xContentTypeOptions: "nosniff",
    ]

    /// - Parameter transportSecurity: for how long a browser is to come back by TLS alone (RFC 6797); nil, or nothing at
    ///   all, where there is no TLS: it passes over the field there.
    init(transportSecurity: Duration? = nil) {
        // Paths bear names of signups and numbers, which are nobody's business elsewhere
        // (https://www.w3.org/TR/referrer-policy/#referrer-policy-no-referrer).
        if let name = HTTPField.Name("Referrer-Policy") { fields[name] = "no-referrer" }
        if let transportSecurity, transportSecurity > .zero {
            // Without includeSubDomains: what else there is on the host's subdomains is not ours to decide.
            fields[.strictTransportSecurity] = "max-age=\(transportSecurity.wholeSecondsRoundedUp)"
        }
    }

    /// Adds those that are not there.
    func add(to headers: inout HTTPFields) {
        for field in fields where !headers.contains(field.name) { headers.append(field) }
    }
}

extension HTTPField.Name {
    /// By what name a client or a proxy knows a request.
    static let requestID = HTTPField.Name("X-Request-Id")
}
