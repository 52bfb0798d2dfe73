public import CoreEncodings
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import Texts

enum RequestVariable: String, CaseIterable, Sendable {
    /// The number in E.164, `+821012345678`.
    case to
    /// The number in E.164 without its plus sign, `821012345678`.
    case toDigits = "to_digits"
    /// The number in national format, `01012345678`.
    case toNational = "to_national"
    case body
    /// The text in UTF-16BE (UCS-2) and hexadecimal, as SMS centres have it.
    case bodyHex = "body_hex"
    case code, service, minutes
    /// The vendor's template for the message (``VendorTemplates``).
    case template
    case from
    /// The message's ID, the same for every attempt.
    case id
    case language
    case secret
    /// The account's secret in base64: `user:password` for basic authentication (RFC 7617).
    case secretBase64 = "secret_base64"
    /// When the request is made, in seconds since 1970-01-01T00:00:00Z.
    case unixTime = "unix_time"
    /// The same in UTC, `2026-11-28T09:00:00Z` (ISO 8601).
    case isoTime = "iso_time"
    /// Its day, `2026-11-28`.
    case date
    /// 32 random hexadecimal digits, others for every attempt.
    case nonce

    static let numbers: Set<RequestVariable> = [.to, .toDigits, .toNational]
    static let texts: Set<RequestVariable> = [.body, .bodyHex]
    /// What only a message with a code has.
    static let partsOfCodes: Set<RequestVariable> = [.code, .service, .minutes, .template]
    static let secrets: Set<RequestVariable> = [.secret, .secretBase64]
    static let attempts: Set<RequestVariable> = [.unixTime, .isoTime, .date, .nonce]
    /// What may have line breaks, or characters that a header or a path cannot have.
    static let free: Set<RequestVariable> = [.body, .bodyHex, .service]
}

/// What the variables of one request stand for.
struct RequestValues {
    let message: GatewayMessage
    let sender: String
    let secret: String
    let template: String
    let moment: Timestamp
    let nonce: String

    subscript(_ variable: RequestVariable) -> String {
        switch variable {
        case .to: message.to.e164
        case .toDigits: String(message.to.e164.dropFirst())
        case .toNational: message.to.nationalDigits
        case .body: message.body
        case .bodyHex:
            TextEncoding.hexadecimal.encode(message.body.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
        case .code: message.variables?.code ?? ""
        case .service: message.variables?.service ?? ""
        case .minutes: message.variables.map { String($0.minutes) } ?? ""
        case .template: template
        case .from: sender
        case .id: message.dedupeKey
        case .language: message.language.description
        case .secret: secret
        case .secretBase64: secret.utf8.base64
        case .unixTime: String(moment.milliseconds / 1000)
        case .isoTime: moment.description.prefix { $0 != "." } + "Z"
        case .date: String(moment.description.prefix { $0 != "T" })
        case .nonce: nonce
        }
    }
}

typealias RequestTemplate = Template<RequestVariable>

extension Template<RequestVariable> {
    init(_ text: Substring) throws(HTTPGatewayConfigurationError.Problem) {
        try self.init(text, unclosed: .unclosedVariable) { (name) throws(HTTPGatewayConfigurationError.Problem) in
            guard let variable = RequestVariable(rawValue: name) else { throw .unknownVariable(name) }
            return variable
        }
    }
}

/// A URL with variables in its path and its query, where values are percent-encoded.
public struct RequestURL: Hashable, Sendable, ConcealsSecrets {
    /// The URL with a zero for each variable.
    public let endpoint: EndpointURL
    let template: RequestTemplate

    /// Nil unless it is an http or https URL without a user or a fragment, with known variables after its host, and no
    /// text of a message before its query.
    public init?(_ text: String) {
        guard let template = try? RequestTemplate(text[...]), let endpoint = EndpointURL(template.filled { _ in "0" }),
            template.literals.allSatisfy({ String(percentDecoding: $0[...]) != nil }),
            let scheme = text.firstRange(of: "://"),
            text[scheme.upperBound...].first(where: { "/?{".contains($0) }) != "{",
            let beforeQuery = try? RequestTemplate(text.prefix { $0 != "?" }),
            Set(beforeQuery.variables).isDisjoint(with: RequestVariable.free)
        else { return nil }
        (self.endpoint, self.template) = (endpoint, template)
    }

    public var description: String { endpoint.origin }
}

/// A body's format, which determines how values are escaped so that they cannot break out of their place.
public enum RequestFormat: String, CaseIterable, Hashable, Sendable {
    case json, form, xml
    /// Nothing is escaped.
    case text

    var contentType: String {
        switch self {
        case .json: "application/json"
        case .form: URLEncodedForm.contentType
        case .xml: "application/xml; charset=utf-8"
        case .text: "text/plain; charset=utf-8"
        }
    }

    func escaped(_ value: String) -> String {
        switch self {
        case .json: String(JSON.string(value).text.dropFirst().dropLast())
        case .form: value.percentEncoded
        case .xml: value.unicodeScalars.map(Self.escapedInXML).joined()
        case .text: value
        }
    }

    /// Parses a body's template; a form may be on several lines.
    func template(_ text: String) throws(HTTPGatewayConfigurationError.Problem) -> RequestTemplate {
        let text = text.inNFC
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingSpace }
        let template = try RequestTemplate(self == .form ? lines.joined()[...] : text[...].trimmingSpace)
        let variables = template.variables
        guard let texts = texts(in: template.filled { escaped(Self.probe($0)) }),
            // A parser finds each variable's value, wherever it is.
            Set(variables).allSatisfy({ variable in
                let found = texts.reduce(0) { $0 + $1.ranges(of: Self.probe(variable)).count }
                return found == variables.count { $0 == variable }
            })
        else { throw .malformedBody(self) }
        return template
    }

    /// A value that breaks a body in which it is not escaped, or has no place.
    private static func probe(_ variable: RequestVariable) -> String { "\"<&'\\\n=%+é\(variable.rawValue);" }

    /// The strings that a parser finds in a body; nil if it is malformed.
    private func texts(in body: String) -> [String]? {
        switch self {
        case .json: JSON(parsing: body)?.strings
        case .xml: XMLElement(document: Array(body.utf8)).map(Self.texts)
        case .form: Self.formTexts(body)
        case .text: [body]
        }
    }

    private static func texts(in element: XMLElement) -> [String] {
        element.attributes.values + [element.text] + element.children.flatMap(texts)
    }

    /// Names and values, if everything is percent-encoded that must be.
    private static func formTexts(_ body: String) -> [String]? {
        guard body.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        let texts = body.split(separator: "&", omittingEmptySubsequences: false).flatMap { field in
            field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { String(percentDecoding: $0, hasPlusForSpace: true) }
        }
        let decoded = texts.compactMap(\.self)
        return decoded.count == texts.count ? decoded : nil
    }

    private static func escapedInXML(_ character: Unicode.Scalar) -> String {
        switch character {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "'": "&apos;"
        // In an attribute they would become spaces (XML 1.0 section 3.3.3).
        case "\n", "\r", "\t": "&#\(character.value);"
        default: character.isXMLCharacter ? String(character) : "\u{FFFD}"
        }
    }
}

extension Substring {
    fileprivate var trimmingSpace: Substring {
        let start = drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
    }
}
