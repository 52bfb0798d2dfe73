public import CoreEncodings

/// The configuration of an ``HTTPGateway``: what is sent where, and how the response is interpreted. Besides the
/// secret, its templates may contain others.
public struct HTTPGatewayConfiguration: Hashable, Sendable, ConcealsSecrets {
    public enum Method: String, CaseIterable, Sendable {
        case post = "POST"
        case put = "PUT"
    }

    public let endpoint: EndpointURL
    public let method: Method
    public let format: RequestFormat
    /// Whether the vendor guarantees that a message with a repeated `{{id}}` is not sent again.
    public let isIdempotent: Bool

    let headers: [HTTPHeaderTemplate]
    let body: RequestTemplate
    let sender: String?
    let secret: String?
    let verdicts: HTTPGatewayVerdicts

    /// - Parameters:
    ///   - headers: templates of `name: value`. A `Content-Type` replaces the format's.
    ///   - body: a template, with variables for the number and the text at least.
    ///   - sender: the value of `{{from}}`.
    public init(
        endpoint: EndpointURL,
        method: Method,
        format: RequestFormat,
        headers: [String],
        body: String,
        sender: String?,
        secret: String?,
        verdicts: HTTPGatewayVerdicts,
        isIdempotent: Bool
    ) throws(HTTPGatewayConfigurationError) {
        (self.endpoint, self.method, self.format) = (endpoint, method, format)
        (self.sender, self.secret, self.verdicts, self.isIdempotent) = (sender, secret, verdicts, isIdempotent)
        do {
            self.body = try format.template(body)
        } catch {
            throw HTTPGatewayConfigurationError(field: .body, problem: error)
        }
        self.headers = try Self.headers(headers)
        try validate()
    }

    public var description: String { "\(method.rawValue) to \(endpoint.origin), \(format.rawValue)" }

    private static func headers(_ texts: [String]) throws(HTTPGatewayConfigurationError) -> [HTTPHeaderTemplate] {
        var headers: [HTTPHeaderTemplate] = []
        do {
            for text in texts { headers.append(try HTTPHeaderTemplate(text)) }
        } catch {
            throw HTTPGatewayConfigurationError(field: .headers, problem: error)
        }
        guard Set(headers.map { $0.name.lowercased() }).count == headers.count else {
            throw HTTPGatewayConfigurationError(field: .headers, problem: .header)
        }
        return headers
    }

    private func validate() throws(HTTPGatewayConfigurationError) {
        func require(
            _ isValid: Bool,
            _ field: HTTPGatewayConfigurationError.Field,
            _ problem: HTTPGatewayConfigurationError.Problem
        ) throws(HTTPGatewayConfigurationError) {
            guard isValid else { throw HTTPGatewayConfigurationError(field: field, problem: problem) }
        }
        let inHeaders = Set(headers.flatMap(\.value.variables))
        let used = inHeaders.union(body.variables)
        let usesNumber = !used.isDisjoint(with: RequestVariable.numbers)
        let usesSecret = !used.isDisjoint(with: RequestVariable.secrets)
        try require(usesNumber, .body, .missing("{{to}}, {{to_digits}} or {{to_national}}"))
        try require(!Set(body.variables).isDisjoint(with: RequestVariable.texts), .body, .missing("{{body}}"))
        try require(sender != nil || !used.contains(.from), .from, .notSet)
        try require(sender == nil || used.contains(.from), .from, .notUsed)
        try require(!inHeaders.contains(.from) || sender?.isPrintableASCII ?? true, .from, .characters)
        try require(secret != nil || !usesSecret, .secret, .notSet)
        try require(secret == nil || usesSecret, .secret, .notUsed)
        try require(secret?.isPrintableASCII ?? true, .secret, .characters)
        try require(!isIdempotent || used.contains(.id), .idempotent, .needsID)
    }
}

/// What is wrong with a ``HTTPGatewayConfiguration``. It quotes nothing that may be secret.
public struct HTTPGatewayConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A setting below `sms.http`.
    public enum Field: String, Sendable {
        case headers, body, from, secret, idempotent
    }

    /// The requirement, as the rest of a sentence that begins with the setting's name.
    public struct Problem: Error, Hashable, Sendable, ExpressibleByStringInterpolation {
        let text: String

        public init(stringLiteral text: String) { self.text = text }

        static let unclosedVariable: Problem = "has a {{ without its }}"
        public static let notSet: Problem = "is used by sms.http.headers or sms.http.body, and must be set"
        static let notUsed: Problem = "is set, and neither sms.http.headers nor sms.http.body use it"
        static let header: Problem = """
            must each be a name, a colon and a value in ASCII, each name once; not among them are Connection, \
            Content-Length, Expect, Host, TE, Trailer, Transfer-Encoding and Upgrade, nor {{body}} in any
            """
        static let characters: Problem = "must be printable ASCII"
        /// Without the message's ID a repetition cannot be recognised.
        static let needsID: Problem = "needs {{id}} in sms.http.body or sms.http.headers"

        static func unknownVariable(_ name: String) -> Problem {
            let names = RequestVariable.allCases.map { "{{\($0.rawValue)}}" }.joined(separator: ", ")
            return "has {{\(name.utf8.count > 40 ? "..." : name)}}, which there is not; there are \(names)"
        }

        /// With its variables filled in, it cannot be parsed, or a value would be lost.
        static func malformedBody(_ format: RequestFormat) -> Problem {
            switch format {
            case .json: "must be JSON once its gaps are filled in, and each gap must stand within quotes"
            case .form: "must be a form (name=value&name=value), with everything percent-encoded that is not a gap"
            case .xml: "must be well-formed XML of elements, attributes and text once its gaps are filled in"
            case .text: "cannot be read"
            }
        }

        static func missing(_ what: String) -> Problem { "must have \(what)" }
    }

    public let field: Field
    public let problem: Problem

    public var description: String { problem.text }
}
