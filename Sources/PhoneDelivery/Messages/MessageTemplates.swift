#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The texts of messages, one for each locale, checked when they are loaded so that none fails when it is sent.
///
/// A text is compiled in for `en` and `ko`. A directory may replace them and add others:
///
/// ```
/// messages/ko/verification.txt      [{{service}}] 인증번호 {{code}} (타인 노출 금지)
/// messages/pt-BR/verification.txt   {{code}} é o seu código {{service}}. Expira em {{minutes}} min.
/// ```
///
/// A file is plain UTF-8 text, of one or more lines. `{{code}}` must occur; `{{service}}` is the name of the service and
/// `{{minutes}}` how long the code holds. There are no other variables, no escapes and no comments. Put the code early,
/// where a notification shows it. Below the text follow the lines for autofill, if the ``MessageContext`` asks for them.
/// A whole message has to fit one SMS: in Korean 90 bytes of CP949, in English 160 units of GSM-7, in any other
/// language 160 units of GSM-7 or 70 of UCS-2. Names that begin with a dot are passed over.
public struct MessageTemplates: Sendable {
    /// The name of a file in the directory of its locale.
    static let fileName = "verification.txt"

    /// By locale in lower case, for language tags ignore case (RFC 5646 §2.1.1).
    private let templates: [String: MessageTemplate]
    private let defaultTemplate: MessageTemplate

    /// Loads and checks the texts.
    ///
    /// - Parameters:
    ///   - directory: a path with a directory for each locale; `nil` for the built-in texts alone.
    ///   - context: what the messages will bear. The length is checked with it, a code of ten digits and two digits of
    ///     minutes.
    ///   - defaultLocale: the locale for those who ask for none, or for one that has no text.
    ///   - allowsLongMessages: whether a message may cost more than one SMS, be it by its length or by a character outside
    ///     its alphabet; 1,000 UTF-16 code units are the most even then, and 140 bytes with an Android app hash.
    /// - Throws: the first problem found, in the order of file names.
    public init(
        directory: String? = nil,
        context: MessageContext,
        defaultLocale: String = "en",
        allowsLongMessages: Bool = false
    ) throws(MessageTemplateError) {
        var templates: [String: MessageTemplate] = [:]
        if let directory {
            templates = try Self.load(directory)
        }
        for (locale, text) in BuiltInMessages.verification where templates[locale] == nil {
            let file = "built-in/\(locale)/\(Self.fileName)"
            templates[locale] = try MessageTemplate(text: text.utf8, locale: locale, file: file)
        }
        for template in templates.values.sorted(by: { $0.file < $1.file }) {
            try template.checkLength(in: context, allowsLongMessages: allowsLongMessages)
        }
        guard let defaultTemplate = templates[defaultLocale.lowercased()] else {
            throw MessageTemplateError(file: directory ?? "built-in", problem: .noDefault(locale: defaultLocale))
        }
        self.templates = templates
        self.defaultTemplate = defaultTemplate
    }

    /// The locales that have a text of their own, in alphabetical order.
    public var locales: [String] {
        templates.values.map(\.locale).sorted()
    }

    /// Fills in the text of a locale.
    ///
    /// - Parameters:
    ///   - code: 4 to 10 ASCII digits.
    ///   - locale: a language tag; without a text for `ko-KR` that for `ko` is taken, and else the default one. Any
    ///     text may be passed, for it is looked up and never becomes a path.
    ///   - minutes: how long the code holds, 1 to 99.
    ///   - context: what the message bears besides its code. If it is not the one that the texts were loaded with, the
    ///     message may be longer than one SMS; it says so itself.
    /// - Returns: the message, with its cost.
    /// - Throws: an error if the code or the minutes are none; never for the locale or the context.
    public func render(
        code: String,
        locale: String?,
        minutes: Int,
        context: MessageContext
    ) throws(MessageRenderError) -> RenderedMessage {
        guard 4...10 ~= code.utf8.count, code.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            throw .malformedCode
        }
        guard 1...99 ~= minutes else { throw .minutesOutOfRange(minutes) }
        let template = locale.flatMap(template) ?? defaultTemplate
        return RenderedMessage(body: template.body(code: code, minutes: minutes, in: context), locale: template.locale)
    }

    /// The template of the longest tag that the locale begins with (lookup, RFC 4647 §3.4).
    private func template(for locale: String) -> MessageTemplate? {
        // The longest tag that software must bear (RFC 5646 §4.4.1). Anything longer is no locale, but could be long
        // enough to make the loop below slow.
        guard locale.utf8.count <= 35 else { return nil }
        var tag = String(locale.lowercased().map { $0 == "_" ? "-" : $0 })
        while true {
            if let template = templates[tag] { return template }
            guard let hyphen = tag.lastIndex(of: "-") else { return nil }
            tag = String(tag[..<hyphen])
        }
    }
}

extension MessageTemplates {
    private static func load(_ directory: String) throws(MessageTemplateError) -> [String: MessageTemplate] {
        var templates: [String: MessageTemplate] = [:]
        for locale in try names(in: directory) {
            let localeDirectory = "\(directory)/\(locale)"
            guard isLanguageTag(locale) else {
                throw MessageTemplateError(file: localeDirectory, problem: .notALocale)
            }
            guard templates[locale.lowercased()] == nil else {
                throw MessageTemplateError(file: localeDirectory, problem: .duplicateLocale)
            }
            for name in try names(in: localeDirectory) where name != fileName {
                throw MessageTemplateError(file: "\(localeDirectory)/\(name)", problem: .unexpectedFile)
            }
            let file = "\(localeDirectory)/\(fileName)"
            guard let text = FileManager.default.contents(atPath: file) else {
                throw MessageTemplateError(file: file, problem: .unreadable)
            }
            templates[locale.lowercased()] = try MessageTemplate(text: text, locale: locale, file: file)
        }
        return templates
    }

    private static func names(in directory: String) throws(MessageTemplateError) -> [String] {
        do {
            // A mounted Kubernetes ConfigMap keeps its own entries beside the files: `..data` and the like.
            return try FileManager.default.contentsOfDirectory(atPath: directory).filter { !$0.hasPrefix(".") }.sorted()
        } catch {
            throw MessageTemplateError(file: directory, problem: .unreadable)
        }
    }

    /// Whether a name is a language with any subtags, as in `ko` or `zh-Hant-TW` (the common part of RFC 5646 §2.1).
    private static func isLanguageTag(_ name: String) -> Bool {
        let subtags = name.split(separator: "-", omittingEmptySubsequences: false)
        return 2...3 ~= (subtags.first?.count ?? 0)
            && subtags.allSatisfy { subtag in
                1...8 ~= subtag.count && subtag.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            }
    }
}
