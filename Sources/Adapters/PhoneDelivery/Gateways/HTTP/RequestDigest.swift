import CoreEncodings
import PhoneDomain
import PhoneNumbers

/// A digest that headers use, such as a signature: a name, a function, its key, and the text that goes into it.
///
///     content sha256: {{request_body}}
///     signature hmac_sha256 {{secret}}: {{unix_time}}.{{content}}
///
/// `{{content}}` is then its hexadecimal digits, and `{{content_base64}}` its base64. A digest alone as a key is its
/// bytes, as where a key is derived for a day. The text may begin in the line below the colon.
struct RequestDigest: Hashable {
    enum Function: String {
        case sha256
        case hmacSHA1 = "hmac_sha1"
        case hmacSHA256 = "hmac_sha256"
    }

    let name: String
    private let function: Function
    /// Nil for a digest without a key.
    private let key: SignedTemplate?
    private let text: SignedTemplate

    var variables: [SignedVariable] { (key?.variables ?? []) + text.variables }

    /// Each may use those before it.
    static func all(_ lines: [String]) throws(HTTPGatewayConfigurationError.Problem) -> [RequestDigest] {
        var digests: [RequestDigest] = []
        for line in lines { digests.append(try RequestDigest(line, after: digests.map(\.name))) }
        return digests
    }

    private init(_ line: String, after earlier: [String]) throws(HTTPGatewayConfigurationError.Problem) {
        guard let colon = line.firstRange(of: /:\s/) else { throw .digest }
        let words = line[..<colon.lowerBound].split(separator: " ")
        guard 2...3 ~= words.count, let function = Function(rawValue: String(words[1])),
            (words.count == 3) == (function != .sha256), words[0].wholeMatch(of: /[a-z][a-z0-9_]{0,31}/) != nil
        else { throw .digest }
        name = String(words[0])
        let others = earlier + SignedVariable.parts.map(\.name)
        // Neither may hide another variable.
        guard Set([name, name + "_base64"]).isDisjoint(with: others + others.map { $0 + "_base64" }),
            RequestVariable(rawValue: name) == nil, !name.hasSuffix("_base64")
        else { throw .digest }
        self.function = function
        key = try words.count == 3 ? SignedTemplate(words[2], earlier, inText: true) : nil
        text = try SignedTemplate(line[colon.upperBound...], earlier, inText: true)
    }

    func value(in request: SignedRequest, _ authenticator: any RequestAuthenticator) throws -> [UInt8] {
        let (message, key) = (Array(text.filled { request[$0] }.utf8), key.map(request.bytes) ?? [])
        return switch function {
        case .sha256: try authenticator.sha256(of: message)
        case .hmacSHA1: try authenticator.hmacSHA1(of: message, key: key)
        case .hmacSHA256: try authenticator.hmacSHA256(of: message, key: key)
        }
    }
}

/// A variable of a header or of a text that is signed.
enum SignedVariable: Hashable, Sendable {
    case plain(RequestVariable)
    case digest(String, isBase64: Bool)
    /// A part of the request as it is sent: the host with its port, the query without its question mark, the body.
    case host, query, body

    static let parts: [(name: String, variable: SignedVariable)] = [
        ("request_host", .host), ("request_query", .query), ("request_body", .body),
    ]

    var plain: RequestVariable? { if case .plain(let variable) = self { variable } else { nil } }
    var digest: String? { if case .digest(let name, _) = self { name } else { nil } }
}

typealias SignedTemplate = Template<SignedVariable>

extension Template<SignedVariable> {
    /// - Parameters:
    ///   - digests: the names of those that it may use.
    ///   - inText: whether it is signed, and may have the request as it is sent.
    init(_ text: Substring, _ digests: [String], inText: Bool) throws(HTTPGatewayConfigurationError.Problem) {
        try self.init(text, unclosed: .unclosedVariable) { (name) throws(HTTPGatewayConfigurationError.Problem) in
            if let variable = RequestVariable(rawValue: name) { return .plain(variable) }
            if digests.contains(name) { return .digest(name, isBase64: false) }
            if let digest = digests.first(where: { $0 + "_base64" == name }) { return .digest(digest, isBase64: true) }
            let parts = inText ? SignedVariable.parts : []
            guard let part = parts.first(where: { $0.name == name }) else {
                throw .unknownVariable(name, beside: digests + parts.map(\.name))
            }
            return part.variable
        }
    }
}

/// A request whose URL and body are made, and the digests of it.
struct SignedRequest {
    let values: RequestValues
    /// The host with its port, as in the `Host` header.
    let host: String
    let query: String
    let body: String
    private var digests: [String: [UInt8]] = [:]

    init(
        _ values: RequestValues,
        url: String,
        host: String,
        body: String,
        _ digests: [RequestDigest],
        _ authenticator: any RequestAuthenticator
    ) throws {
        (self.values, self.host, self.body) = (values, host, body)
        query = String(url.drop { $0 != "?" }.dropFirst())
        for digest in digests { self.digests[digest.name] = try digest.value(in: self, authenticator) }
    }

    subscript(_ variable: SignedVariable) -> String {
        switch variable {
        case .plain(let variable): values[variable]
        case .digest(let name, let isBase64):
            isBase64 ? (digests[name] ?? []).base64 : TextEncoding.hexadecimal.encode(digests[name] ?? [])
        case .host: host
        case .query: query
        case .body: body
        }
    }

    fileprivate func bytes(_ key: SignedTemplate) -> [UInt8] {
        if key.parts.count == 1, case .variable(.digest(let name, isBase64: false)) = key.parts[0] {
            return digests[name] ?? []
        }
        return Array(key.filled { self[$0] }.utf8)
    }
}

/// A header with variables, `Authorization: Bearer {{secret}}`.
struct HTTPHeaderTemplate: Hashable {
    /// The headers that the client sets itself (RFC 9110 sections 7 and 8, RFC 9112 section 6).
    private static let reserved: Set = [
        "connection", "content-length", "expect", "host", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    let name: String
    let value: SignedTemplate

    /// - Parameter digests: the names of those that it may use.
    /// - Throws: also for a header with a text, which may have line breaks.
    init(_ text: String, _ digests: [String]) throws(HTTPGatewayConfigurationError.Problem) {
        guard let colon = text.firstIndex(of: ":") else { throw .header }
        let name = text[..<colon]
        let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        // RFC 9110 section 5.6.2.
        let marks = Set("!#$%&'*+-.^_`|~".utf8)
        guard !name.isEmpty, !value.isEmpty, !Self.reserved.contains(name.lowercased()),
            name.utf8.allSatisfy({ $0.isASCIIAlphanumeric || marks.contains($0) })
        else { throw .header }
        self.name = String(name)
        self.value = try SignedTemplate(value, digests, inText: false)
        guard Set(self.value.variables.compactMap(\.plain)).isDisjoint(with: RequestVariable.free),
            self.value.literals.allSatisfy(\.isPrintableASCII)
        else { throw .header }
    }

    /// The header, without any character of a value that would end it.
    func filled(_ value: (SignedVariable) -> String) -> GatewayClient.Header {
        (name, self.value.filled { String(decoding: value($0).utf8.filter { 0x20...0x7E ~= $0 }, as: UTF8.self) })
    }
}
