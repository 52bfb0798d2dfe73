import CoreEncodings
import PhoneDomain

/// The configuration of an ``HTTPGateway``: what is sent where, and how the response is interpreted. Besides the
/// secret, its templates may contain others.
public struct HTTPGatewayConfiguration: Hashable, Sendable, ConcealsSecrets {
    public enum Method: String, CaseIterable, Sendable {
        case post = "POST"
        case put = "PUT"
    }

    public let url: RequestURL
    public let method: Method
    public let format: RequestFormat
    /// Whether the vendor guarantees that a message with a repeated `{{id}}` is not sent again.
    public let isIdempotent: Bool

    let headers: [HTTPHeaderTemplate]
    let body: RequestTemplate
    let sender: String?
    let secret: String?
    let templates: VendorTemplates?
    let digests: [RequestDigest]
    let verdicts: HTTPGatewayVerdicts

    /// - Parameters:
    ///   - headers: templates of `name: value`. A `Content-Type` replaces the format's.
    ///   - body: a template; empty if all is in the URL.
    ///   - sender: the value of `{{from}}`.
    ///   - digests: what the headers may use, such as a signature (``RequestDigest``).
    public init(
        url: RequestURL,
        method: Method,
        format: RequestFormat,
        headers: [String],
        body: String,
        sender: String?,
        secret: String?,
        templates: VendorTemplates? = nil,
        digests: [String] = [],
        verdicts: HTTPGatewayVerdicts,
        isIdempotent: Bool
    ) throws(HTTPGatewayConfigurationError) {
        (self.url, self.method, self.format, self.templates) = (url, method, format, templates)
        (self.sender, self.secret, self.verdicts, self.isIdempotent) = (sender, secret, verdicts, isIdempotent)
        do {
            self.body = try body.isEmpty ? RequestTemplate("") : format.template(body)
        } catch {
            throw HTTPGatewayConfigurationError(field: .body, problem: error)
        }
        do {
            self.digests = try RequestDigest.all(digests)
        } catch {
            throw HTTPGatewayConfigurationError(field: .sign, problem: error)
        }
        self.headers = try Self.headers(headers, self.digests.map(\.name))
        try validate()
    }

    public var description: String {
        "\(method.rawValue) to \(url), \(format.rawValue)\(takesCodes ? ", codes alone" : "")"
    }

    /// Whether it gets messages with a code alone: a notice has no part of a vendor's template.
    public var takesCodes: Bool { !variables.isDisjoint(with: RequestVariable.partsOfCodes) }

    private var variables: Set<RequestVariable> {
        let signed = headers.flatMap(\.value.variables) + digests.flatMap(\.variables)
        return Set(signed.compactMap(\.plain) + body.variables + url.template.variables)
    }

    private static func headers(
        _ texts: [String],
        _ digests: [String]
    ) throws(HTTPGatewayConfigurationError) -> [HTTPHeaderTemplate] {
        var headers: [HTTPHeaderTemplate] = []
        do {
            for text in texts { headers.append(try HTTPHeaderTemplate(text, digests)) }
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
        let inHeaders = headers.flatMap(\.value.variables)
        let (inContent, used) = (Set(body.variables + url.template.variables), variables)
        let sent = inContent.union(inHeaders.compactMap(\.plain))
        let usesSecret = !used.isDisjoint(with: RequestVariable.secrets)
        let digestsUsed = (inHeaders + digests.flatMap(\.variables)).compactMap(\.digest)
        try require(
            !sent.isDisjoint(with: RequestVariable.numbers),
            .body,
            .missing("{{to}}, {{to_digits}} or {{to_national}}")
        )
        try require(
            !inContent.isDisjoint(with: RequestVariable.texts) || sent.contains(.code),
            .body,
            .missing("{{body}} or {{code}}")
        )
        try require(sender != nil || !used.contains(.from), .from, .notSet)
        try require(sender == nil || used.contains(.from), .from, .notUsed)
        try require(!inHeaders.contains(.plain(.from)) || sender?.isPrintableASCII ?? true, .from, .characters)
        try require(secret != nil || !usesSecret, .secret, .notSet)
        try require(secret == nil || usesSecret, .secret, .notUsed)
        try require(secret?.isPrintableASCII ?? true, .secret, .characters)
        try require(templates != nil || !used.contains(.template), .templates, .notSet)
        try require(templates == nil || used.contains(.template), .templates, .notUsed)
        try require(Set(digests.map(\.name)).isSubset(of: digestsUsed), .sign, .digest)
        try require(!isIdempotent || used.contains(.id), .idempotent, .needsID)
        try require(!isIdempotent || inContent.isDisjoint(with: RequestVariable.attempts), .idempotent, .differs)
    }
}

/// What is wrong with a ``HTTPGatewayConfiguration``. It quotes nothing that may be secret.
public struct HTTPGatewayConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A setting below `sms.http`.
    public enum Field: String, Sendable {
        case headers, body, from, secret, templates, sign, idempotent
    }

    /// The requirement, as the rest of a sentence that begins with the setting's name.
    public struct Problem: Error, Hashable, Sendable, ExpressibleByStringInterpolation {
        let text: String

        public init(stringLiteral text: String) { self.text = text }

        static let unclosedVariable: Problem = "has a {{ without its }}"
        public static let notSet: Problem = "is used by the URL, the headers or the body, and must be set"
        static let notUsed: Problem = "is set, and neither the URL nor the headers nor the body use it"
        static let header: Problem = """
            must each be a name, a colon and a value in ASCII, each name once; not among them are Connection, \
            Content-Length, Expect, Host, TE, Trailer, Transfer-Encoding and Upgrade, nor {{body}} or {{service}} in any
            """
        static let digest: Problem = """
            must each be a name, sha256 or hmac_sha1 or hmac_sha256 with a key, a colon and a text: each name once, of \
            lower-case letters, digits and underscores, and used below it
            """
        static let characters: Problem = "must be printable ASCII"
        /// Without the message's ID a repetition cannot be recognised.
        static let needsID: Problem = "needs {{id}} in the URL, the headers or the body"
        /// Every attempt must be the same, byte for byte.
        static let differs: Problem = "allows no time and no nonce in the URL and the body"

        static func unknownVariable(_ name: String, beside others: [String] = []) -> Problem {
            let names = (RequestVariable.allCases.map(\.rawValue) + others).map { "{{\($0)}}" }.joined(separator: ", ")
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

/// A vendor's templates, by a set of texts of the service's and a language.
public struct VendorTemplates: Hashable, Sendable {
    /// One of them: `*=T1` for any language, `ko=T2`, or `order/ko=T3` for a set of texts.
    public struct Entry: Hashable, Sendable, LosslessStringConvertible {
        let set: TemplateName
        /// Nil for any other.
        let language: LanguageTag?
        let id: String

        public var description: String { "\(set)/\(language?.description ?? "*")=\(id)" }

        public init?(_ description: String) {
            guard let equals = description.firstIndex(of: "=") else { return nil }
            let place = description[..<equals].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            let (id, tag) = (String(description[equals...].dropFirst()), place[place.count - 1])
            let language = LanguageTag(tag)
            guard place.count <= 2, let set = place.count == 1 ? .standard : TemplateName(place[0]),
                tag == "*" || language != nil, !id.isEmpty, id.isPrintableASCII
            else { return nil }
            (self.set, self.language, self.id) = (set, language, id)
        }
    }

    private let ids: [TemplateName: [String: String]]

    /// Nil unless one is for any language of the service's own texts, and no two are for the same.
    public init?(_ entries: [Entry]) {
        let pairs = entries.map { ($0.set, [$0.language?.description ?? "*": $0.id]) }
        let ids = Dictionary(pairs) { $0.merging($1) { one, _ in one } }
        guard ids.values.reduce(0, { $0 + $1.count }) == entries.count, ids[.standard]?["*"] != nil else { return nil }
        self.ids = ids
    }

    /// The template of the set for the longest tag that the language begins with, else the set's for any language, else
    /// that of the service's own texts.
    func id(for set: TemplateName, in language: LanguageTag) -> String {
        let parts = language.description.split(separator: "-")
        let tags = (1...parts.count).reversed().map { parts.prefix($0).joined(separator: "-") } + ["*"]
        return [set, .standard].lazy.compactMap { name in tags.lazy.compactMap { ids[name]?[$0] }.first }.first ?? ""
    }
}
