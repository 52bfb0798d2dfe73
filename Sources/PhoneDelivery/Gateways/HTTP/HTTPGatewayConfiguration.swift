/// How a vendor is asked that has no gateway of its own: what is sent where, and how the answer is read. It bears a secret,
/// and perhaps more of them in its templates, so nothing that prints, logs or reflects it shows more than where.
public struct HTTPGatewayConfiguration: Hashable, Sendable {
    /// How a message is handed over.
    public enum Method: String, CaseIterable, Sendable {
        case post = "POST"
        case put = "PUT"
    }

    /// Where messages go.
    public let endpoint: WebhookEndpoint
    /// How.
    public let method: Method
    /// What the body is written in.
    public let format: RequestFormat
    /// Whether the vendor has promised that a message with a name that it has had is not sent again.
    public let isIdempotent: Bool

    let headers: [HTTPHeaderTemplate]
    let body: RequestTemplate
    let sender: String?
    let secret: String?
    let verdicts: HTTPGatewayVerdicts

    /// A configuration that holds together.
    ///
    /// - Parameters:
    ///   - endpoint: where messages go.
    ///   - method: how.
    ///   - format: what the body is written in.
    ///   - headers: `name: value`, with gaps. `Content-Type` among them takes the place of what the format is called.
    ///   - body: with gaps, for the number and the text at least.
    ///   - sender: what stands for `{{from}}`.
    ///   - secret: what stands for `{{secret}}`.
    ///   - verdicts: how the answer is read.
    ///   - isIdempotent: whether the vendor tells a repetition by `{{id}}`, and sends it once.
    /// - Throws: ``HTTPGatewayConfigurationError``.
    public init(
        endpoint: WebhookEndpoint,
        method: Method,
        format: RequestFormat,
        headers: [String],
        body: String,
        sender: String?,
        secret: String?,
        verdicts: HTTPGatewayVerdicts,
        isIdempotent: Bool
    ) throws(HTTPGatewayConfigurationError) {
        self.endpoint = endpoint
        self.method = method
        self.format = format
        self.sender = sender
        self.secret = secret
        self.verdicts = verdicts
        self.isIdempotent = isIdempotent
        do {
            self.body = try format.template(body)
        } catch {
            throw HTTPGatewayConfigurationError(field: .body, problem: error)
        }
        self.headers = try Self.headers(headers)
        try requireWhole()
    }

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

    private func requireWhole() throws(HTTPGatewayConfigurationError) {
        func require(
            _ field: HTTPGatewayConfigurationError.Field,
            _ problem: HTTPGatewayConfigurationError.Problem,
            unless isRight: Bool
        ) throws(HTTPGatewayConfigurationError) {
            guard isRight else { throw HTTPGatewayConfigurationError(field: field, problem: problem) }
        }
        let inHeaders = Set(headers.flatMap(\.value.variables))
        let used = inHeaders.union(body.variables)
        let numbers = RequestVariable.numbers
        try require(
            .body,
            .missing("{{to}}, {{to_digits}} or {{to_national}}"),
            unless: !used.isDisjoint(with: numbers)
        )
        try require(.body, .missing("{{body}}"), unless: body.variables.contains(.body))
        try require(.from, .notSet, unless: sender != nil || !used.contains(.from))
        try require(.from, .notUsed, unless: sender == nil || used.contains(.from))
        try require(.from, .characters, unless: !inHeaders.contains(.from) || sender?.isPrintableASCII ?? true)
        try require(.secret, .notSet, unless: secret != nil || used.isDisjoint(with: RequestVariable.secrets))
        try require(.secret, .notUsed, unless: secret == nil || !used.isDisjoint(with: RequestVariable.secrets))
        try require(.secret, .characters, unless: secret?.isPrintableASCII ?? true)
        try require(.idempotent, .needsID, unless: !isIdempotent || used.contains(.id))
    }
}

extension HTTPGatewayConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Method, address without path and query, and format.
    public var description: String { "\(method.rawValue) to \(endpoint.origin), \(format.rawValue)" }

    /// What ``description`` tells.
    public var debugDescription: String { description }

    /// What ``description`` tells, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["endpoint": endpoint.origin]) }
}
