import PhoneNumbers

/// How the message of a verification differs from the service's own wording, which applies where a part is nil.
public struct MessageWording: Hashable, Sendable {
    public var service: String?
    public var template: TemplateName?
    /// The hash of the Android app that reads it (https://developers.google.com/identity/sms-retriever/overview): 11
    /// characters.
    public var appHash: String?
    public var warnsAgainstSharing = false
    public var substitutions: [String: String] = [:]
    /// The whole text, of a client that is trusted with it; nothing is added to it.
    public var text: MessageText?

    public init(
        service: String? = nil,
        template: TemplateName? = nil,
        appHash: String? = nil,
        warnsAgainstSharing: Bool = false,
        substitutions: [String: String] = [:]
    ) {
        (self.service, self.template, self.appHash) = (service, template, appHash)
        (self.warnsAgainstSharing, self.substitutions) = (warnsAgainstSharing, substitutions)
    }
}

extension MessageWording {
    /// The text form, as it is stored: a line for each part. Nothing in a wording has a line break, which
    /// ``MessageCatalog/error(in:language:)`` ensures; a value with one would be cut there. Only ``text``, whose lines
    /// are numbered by their order, may have several.
    public var rawText: String {
        var lines: [String] = []
        if let service { lines.append("s " + service) }
        if let template { lines.append("t " + template.description) }
        if let appHash { lines.append("a " + appHash) }
        if warnsAgainstSharing { lines.append("w") }
        lines += substitutions.sorted { $0.key < $1.key }.map { "v \($0.key)=\($0.value)" }
        lines = lines.map { String($0.prefix { !$0.isNewline }) }
        let ownLines = text?.description.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        lines += ownLines?.map { "x " + Substring($0) } ?? []
        return lines.joined(separator: "\n")
    }

    public init?(rawText: String) {
        self.init()
        var ownLines: [String] = []
        // By bytes: the first character of a value may combine with the space before it.
        for line in rawText.utf8.split(separator: UInt8(ascii: "\n")) {
            let text = String(Substring(line.dropFirst(2)))
            switch String(Substring(line.prefix(2))) {
            case "s ": service = text
            case "t ":
                guard let name = TemplateName(text) else { return nil }
                template = name
            case "a ": appHash = text
            case "w": warnsAgainstSharing = true
            case "x ": ownLines.append(text)
            case "v ":
                guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { return nil }
                let name = String(Substring(line[..<equals].dropFirst(2)))
                substitutions[name] = String(Substring(line[equals...].dropFirst()))
            default: return nil
            }
        }
        if !ownLines.isEmpty {
            guard let own = MessageText(ownLines.joined(separator: "\n")) else { return nil }
            text = own
        }
    }
}

/// The text of a message with `{{code}}`, once or more often, for the code. It has no character that
/// ``Unicode/Scalar/isAllowedInMessage`` excludes but line feeds.
public struct MessageText: Hashable, Sendable, LosslessStringConvertible {
    public let description: String
    private static let variable = "{{code}}".utf8

    public init?(_ description: String) {
        self.description = description
        guard description.unicodeScalars.allSatisfy({ $0 == "\n" || $0.isAllowedInMessage }), parts.count > 1
        else { return nil }
    }

    /// The text with this in place of each `{{code}}`.
    public func with(code: String) -> String { parts.joined(separator: code) }

    /// What is around the code. By bytes: by characters it takes as long as the rest of a request.
    private var parts: [Substring] {
        description.utf8.split(separator: Self.variable, omittingEmptySubsequences: false).map { Substring($0) }
    }
}

extension Unicode.Scalar {
    /// Whether a client may put this into a message: nothing that ends a line, is invisible, or changes the direction
    /// of the text around it. The two joiners that Persian, the scripts of India and emoji are written with (U+200C,
    /// U+200D) and selectors of variants are allowed.
    package var isAllowedInMessage: Bool {
        // Most texts: printable ASCII.
        if (0x20..<0x7F).contains(value) || self == "\u{200C}" || self == "\u{200D}" { return true }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: properties.isVariationSelector || !properties.isDefaultIgnorableCodePoint
        }
    }
}

public enum MessageWordingError: Error, Hashable, Sendable {
    case templateUnknown
    /// The template has no text for that language, nor for the standard one.
    case translationMissing
    case substitutionsMissing([String])
    /// A value that no message may contain: a line break, a control character, a link, or one that is too long; by the
    /// name of the variable, or `service` or `app_hash`.
    case valueRefused(String)
    /// Longer than one SMS where long ones are not allowed; or longer than any may be.
    case tooLong
}

public struct MessageTemplateListing: Hashable, Sendable {
    public struct Translation: Hashable, Sendable {
        public let locale: String
        /// The text with `{{service}}`, `{{code}}`, `{{minutes}}` and the template's own variables.
        public let text: String
        /// Whether it is used for languages that the set lacks.
        public let isDefault: Bool

        public init(locale: String, text: String, isDefault: Bool) {
            (self.locale, self.text, self.isDefault) = (locale, text, isDefault)
        }
    }

    public let name: TemplateName
    /// The texts, in order of their locales.
    public let translations: [Translation]

    public init(name: TemplateName, translations: [Translation]) {
        (self.name, self.translations) = (name, translations)
    }
}

/// The name of a set of message texts: 1 to 16 lower-case ASCII letters, digits and hyphens, a letter or a digit first.
/// That short, it is its own ID of 128 bits (``hexadecimal``), and no table has to map one to the other.
public struct TemplateName: Hashable, Sendable, LosslessStringConvertible {
    public let description: String
    public static let standard = TemplateName(validated: "default")
    private init(validated description: String) { self.description = description }

    public init?(_ description: String) {
        let bytes = description.utf8
        guard (1...16).contains(bytes.count), bytes.first != UInt8(ascii: "-"),
            bytes.allSatisfy({ $0.isASCIILowerCase || $0.isASCIIDigit || $0 == UInt8(ascii: "-") })
        else { return nil }
        self.description = description
    }

    /// The bytes of the name as 32 lower-case hexadecimal digits, padded with zeros.
    public var hexadecimal: String {
        // No byte is less than 0x10, so each has two digits.
        let digits = description.utf8.map { String($0, radix: 16) }.joined()
        return digits + String(repeating: "0", count: 32 - digits.utf8.count)
    }

    public init?(hexadecimal text: String) {
        guard text.utf8.count == 32, let number = UInt128(text, radix: 16) else { return nil }
        let bytes = (0..<16).map { UInt8(truncatingIfNeeded: number >> (120 - 8 * $0)) }
        let name = bytes.prefix { $0 != 0 }
        guard bytes.dropFirst(name.count).allSatisfy({ $0 == 0 }) else { return nil }
        self.init(String(decoding: name, as: UTF8.self))
    }
}

public protocol MessageCatalog: Sendable {
    /// Every set of texts for messages with a code, in the order of their names, the service's own
    /// (``TemplateName/standard``) first.
    var templates: [MessageTemplateListing] { get }
    /// The languages of the built-in messages.
    var builtInLanguages: [LanguageTag] { get }
    /// Why no message can be made in this wording with the longest code, if none can.
    func error(in wording: MessageWording, language: LanguageTag) -> MessageWordingError?
}
