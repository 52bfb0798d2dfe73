#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension MessageTemplate {
    /// The compiled-in texts of a kind.
    static func builtIn(_ kind: MessageKind) throws(MessageTemplateError) -> [MessageTemplate] {
        var templates: [MessageTemplate] = []
        for (locale, text) in kind.builtInTexts {
            let file = "built-in/\(locale)/\(kind.fileName)"
            templates.append(try MessageTemplate(text: text.utf8, kind: kind, locale: locale, file: file))
        }
        return templates
    }

    /// The texts of a directory, which has one for each locale.
    ///
    /// - Throws: the first problem found.
    static func load(_ directory: String) throws(MessageTemplateError) -> [MessageTemplate] {
        var templates: [MessageTemplate] = []
        for locale in try names(in: directory) {
            let localeDirectory = "\(directory)/\(locale)"
            guard isLanguageTag(locale) else {
                throw MessageTemplateError(file: localeDirectory, problem: .notALocale)
            }
            guard !templates.contains(where: { $0.locale.lowercased() == locale.lowercased() }) else {
                throw MessageTemplateError(file: localeDirectory, problem: .duplicateLocale)
            }
            templates += try load(localeDirectory, of: locale)
        }
        return templates
    }

    private static func load(_ directory: String, of locale: String) throws(MessageTemplateError) -> [MessageTemplate] {
        let names = try names(in: directory)
        for name in names where !MessageKind.allCases.contains(where: { $0.fileName == name }) {
            throw MessageTemplateError(file: "\(directory)/\(name)", problem: .unexpectedFile)
        }
        var templates: [MessageTemplate] = []
        // Of a directory without any text the first is missed.
        for kind in MessageKind.allCases where names.isEmpty || names.contains(kind.fileName) {
            let file = "\(directory)/\(kind.fileName)"
            guard let text = FileManager.default.contents(atPath: file) else {
                throw MessageTemplateError(file: file, problem: .unreadable)
            }
            templates.append(try MessageTemplate(text: text, kind: kind, locale: locale, file: file))
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
