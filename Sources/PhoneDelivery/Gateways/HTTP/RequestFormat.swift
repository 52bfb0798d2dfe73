import FoundationEssentials

/// What a body is written in, and so how values are escaped in it: none breaks out of its place.
public enum RequestFormat: String, CaseIterable, Hashable, Sendable {
    case json, form, xml
    /// Nothing is escaped: the body has no places but the whole.
    case text

    /// What the body is called, unless the configuration calls it otherwise.
    var contentType: String {
        switch self {
        case .json: "application/json"
        case .form: URLEncodedForm.contentType
        case .xml: "application/xml; charset=utf-8"
        case .text: "text/plain; charset=utf-8"
        }
    }

    /// A value as it stands in a body.
    func escaped(_ value: String) -> String {
        switch self {
        case .json: value.unicodeScalars.map(Self.escapedInJSON).joined()
        case .form: value.percentEncoded
        case .xml: value.unicodeScalars.map(Self.escapedInXML).joined()
        case .text: value
        }
    }

    /// A template as it is used: a form may be written on several lines.
    func template(_ text: String) throws(HTTPGatewayConfigurationError.Problem) -> RequestTemplate {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingSpace }
        let template = try RequestTemplate(self == .form ? lines.joined() : String(text[...].trimmingSpace))
        guard let values = values(in: template.filled { escaped(Self.probe($0)) }), bears(template.variables, values)
        else { throw .malformedBody(self) }
        return template
    }

    /// Whether each variable has come through, wherever it stands.
    private func bears(_ variables: [RequestVariable], _ values: [String]) -> Bool {
        Set(variables).allSatisfy { variable in
            values.reduce(0) { $0 + $1.ranges(of: Self.probe(variable)).count }
                == variables.count { $0 == variable }
        }
    }

    /// A value that tears a body apart in which it is not escaped, or stands where nothing may.
    private static func probe(_ variable: RequestVariable) -> String {
        "\"<&'\\\n=%+é\(variable.rawValue);"
    }

    /// The texts that a reader of this format finds in a body; nil if it can read none.
    private func values(in body: String) -> [String]? {
        switch self {
        case .json:
            (try? JSONDecoder().decode(JSONValue.self, from: Data(body.utf8))).map(\.texts)
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
            field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.percentDecoded)
        }
        let decoded = texts.compactMap(\.self)
        return decoded.count == texts.count ? decoded : nil
    }

    private static func escapedInJSON(_ character: Unicode.Scalar) -> String {
        switch character {
        case "\"": return "\\\""
        case "\\": return "\\\\"
        case "\u{0}"..."\u{1F}":
            let digits = String(character.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: return String(character)
        }
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

    /// Nil if a percent sign is not followed by two hexadecimal digits, or what is encoded is no UTF-8.
    fileprivate var percentDecoded: String? {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                continue
            }
            let digits = Substring(rest.prefix(2))
            guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
