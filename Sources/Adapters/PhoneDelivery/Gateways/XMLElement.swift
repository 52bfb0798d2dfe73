/// An element of an XML document of the kind that programs exchange: elements, attributes and text
/// (https://www.w3.org/TR/xml/).
///
/// The rest of XML, document types and entities above all, is not supported: it is not needed here, and it is where XML
/// parsers are attacked.
struct XMLElement: Hashable {
    /// The name with its prefix.
    let name: String
    var attributes: [String: String] = [:]
    var children: [XMLElement] = []
    /// The element's text without that of its children.
    var text = ""

    init(name: String) { self.name = name }

    /// Parses a document; nil unless it is well-formed UTF-8 of elements, attributes and text alone.
    init?(document: [UInt8]) {
        guard let text = String(validating: document, as: UTF8.self) else { return nil }
        var parser = XMLParser(text)
        guard let root = parser.root() else { return nil }
        self = root
    }

    func child(_ name: String) -> XMLElement? { children.first { $0.name == name } }
}

private struct XMLParser {
    /// Deeper than any response about one message.
    private static let maxDepth = 32

    private static let entities: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]

    private var rest: Substring.UnicodeScalarView

    init(_ text: String) { rest = text[...].unicodeScalars }

    mutating func root() -> XMLElement? {
        _ = take("\u{FEFF}")
        if take("<?xml ") {
            while !take("?>") {
                guard let next = rest.popFirst(), next.isXMLCharacter else { return nil }
            }
        }
        skipSpace()
        guard take("<"), let element = element(depth: 1) else { return nil }
        skipSpace()
        return rest.isEmpty ? element : nil
    }

    /// The element whose `<` has been taken, to its end.
    private mutating func element(depth: Int) -> XMLElement? {
        guard depth <= Self.maxDepth, let name = name() else { return nil }
        var element = XMLElement(name: name)
        while case let hasSpace = skipSpace(), !take(">") {
            if take("/>") { return element }
            guard hasSpace, let key = self.name(), element.attributes[key] == nil else { return nil }
            skipSpace()
            guard take("=") else { return nil }
            skipSpace()
            guard let value = quoted() else { return nil }
            element.attributes[key] = value
        }
        while !take("</") {
            if take("<") {
                guard let child = self.element(depth: depth + 1) else { return nil }
                element.children.append(child)
            } else {
                guard let next = character() else { return nil }
                element.text.unicodeScalars.append(next)
            }
        }
        guard self.name() == name else { return nil }
        skipSpace()
        return take(">") ? element : nil
    }

    private mutating func quoted() -> String? {
        guard let quote = rest.popFirst(), quote == "\"" || quote == "'" else { return nil }
        var value = ""
        while let next = rest.first {
            if next == quote {
                rest.removeFirst()
                return value
            }
            guard next != "<", let character = character() else { return nil }
            value.unicodeScalars.append(character)
        }
        return nil
    }

    /// A character of text, literal or as a reference.
    private mutating func character() -> Unicode.Scalar? {
        guard let first = rest.popFirst(), first.isXMLCharacter, first != "<" else { return nil }
        guard first == "&" else { return first }
        var reference = ""
        while let next = rest.popFirst(), reference.utf8.count < 10 {
            if next == ";" { return Self.character(of: reference) }
            reference.unicodeScalars.append(next)
        }
        return nil
    }

    private static func character(of reference: String) -> Unicode.Scalar? {
        if let character = entities[reference] { return character }
        let isHexadecimal = reference.hasPrefix("#x")
        let digits = reference.dropFirst(isHexadecimal ? 2 : 1)
        guard reference.hasPrefix("#"), digits.allSatisfy(\.isHexDigit) else { return nil }
        let scalar = UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init)
        return scalar.flatMap { $0.isXMLCharacter ? $0 : nil }
    }

    private mutating func name() -> String? {
        guard let first = rest.first, first.isXMLNameStart else { return nil }
        let name = rest.prefix(while: \.isXMLNameCharacter)
        rest.removeFirst(name.count)
        return String(name)
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let space = rest.prefix { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\n" }
        rest.removeFirst(space.count)
        return !space.isEmpty
    }

    private mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.unicodeScalars) else { return false }
        rest.removeFirst(text.unicodeScalars.count)
        return true
    }
}

extension Unicode.Scalar {
    /// XML 1.0, production Char.
    var isXMLCharacter: Bool {
        switch value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// Beyond ASCII, more than XML allows.
    fileprivate var isXMLNameStart: Bool {
        isASCII ? properties.isAlphabetic || self == "_" || self == ":" : isXMLCharacter
    }

    fileprivate var isXMLNameCharacter: Bool {
        isXMLNameStart || "0"..."9" ~= self || self == "-" || self == "."
    }
}
