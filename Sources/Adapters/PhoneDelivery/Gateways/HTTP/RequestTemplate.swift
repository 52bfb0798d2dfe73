import CoreEncodings
import PhoneDomain
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
    case from
    /// The message's ID, the same for every attempt.
    case id
    case language
    case secret
    /// The account's secret in base64: `user:password` for basic authentication (RFC 7617).
    case secretBase64 = "secret_base64"

    static let numbers: Set<RequestVariable> = [.to, .toDigits, .toNational]
    static let texts: Set<RequestVariable> = [.body, .bodyHex]
    static let secrets: Set<RequestVariable> = [.secret, .secretBase64]

    func value(in message: GatewayMessage, sender: String?, secret: String?) -> String {
        switch self {
        case .to: message.to.e164
        case .toDigits: String(message.to.e164.dropFirst())
        case .toNational: message.to.nationalDigits
        case .body: message.body
        case .bodyHex:
            TextEncoding.hexadecimal.encode(message.body.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
        case .from: sender ?? ""
        case .id: message.dedupeKey
        case .language: message.language.description
        case .secret: secret ?? ""
        case .secretBase64: (secret ?? "").utf8.base64
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

/// A header with variables, `Authorization: Bearer {{secret}}`.
struct HTTPHeaderTemplate: Hashable {
    /// Those that the client sets itself (RFC 9110 sections 7 and 8, RFC 9112 section 6).
    private static let reserved: Set = [
        "connection", "content-length", "expect", "host", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    let name: String
    let value: RequestTemplate

    /// - Throws: also for a header with the text, which has line breaks.
    init(_ text: String) throws(HTTPGatewayConfigurationError.Problem) {
        guard let colon = text.firstIndex(of: ":") else { throw .header }
        let name = text[..<colon]
        let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        // RFC 9110 section 5.6.2.
        let marks = Set("!#$%&'*+-.^_`|~".utf8)
        guard !name.isEmpty, !value.isEmpty, !Self.reserved.contains(name.lowercased()),
            name.utf8.allSatisfy({ $0.isASCIIAlphanumeric || marks.contains($0) })
        else { throw .header }
        self.name = String(name)
        self.value = try RequestTemplate(value)
        guard Set(self.value.variables).isDisjoint(with: RequestVariable.texts),
            self.value.literals.allSatisfy(\.isPrintableASCII)
        else {
            throw .header
        }
    }

    /// The header, without any character of a value that would end it.
    func filled(_ value: (RequestVariable) -> String) -> GatewayClient.Header {
        (name, self.value.filled { String(decoding: value($0).utf8.filter { 0x20...0x7E ~= $0 }, as: UTF8.self) })
    }
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
