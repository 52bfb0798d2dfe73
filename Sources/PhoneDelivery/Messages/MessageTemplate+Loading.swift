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

    /// The texts of a directory, which has a folder for each locale, and maybe one of named sets, which is passed over.
    ///
    /// - Throws: the first problem found.
    static func load(_ directory: String) throws(MessageTemplateError) -> [MessageTemplate] {
        let locales = try names(in: directory).filter { $0 != TemplateSet.folder }
        return try load(directory, locales: locales, kinds: MessageKind.allCases, mayHaveOwnVariables: false)
    }

    /// The texts of some folders of a directory.
    ///
    /// - Parameters:
    ///   - directory: the path.
    ///   - locales: the names of the folders.
    ///   - kinds: what each of them may have a text for.
    ///   - mayHaveOwnVariables: whether the texts may have variables beside those of their kind.
    /// - Throws: the first problem found.
    static func load(
        _ directory: String,
        locales: [String],
        kinds: [MessageKind],
        mayHaveOwnVariables: Bool
    ) throws(MessageTemplateError) -> [MessageTemplate] {
        var templates: [MessageTemplate] = []
        for locale in locales {
            let localeDirectory = "\(directory)/\(locale)"
            guard isLanguageTag(locale) else {
                throw MessageTemplateError(file: localeDirectory, problem: .notALocale)
            }
            guard !templates.contains(where: { $0.locale.lowercased() == locale.lowercased() }) else {
                throw MessageTemplateError(file: localeDirectory, problem: .duplicateLocale)
            }
            let names = try names(in: localeDirectory)
            for name in names where !kinds.contains(where: { $0.fileName == name }) {
                let problem = MessageTemplateError.Problem.unexpectedFile(known: kinds.map(\.fileName))
                throw MessageTemplateError(file: "\(localeDirectory)/\(name)", problem: problem)
            }
            // Of a directory without any text the first is missed.
            for kind in kinds where names.isEmpty || names.contains(kind.fileName) {
                let file = "\(localeDirectory)/\(kind.fileName)"
                guard let text = FileManager.default.contents(atPath: file) else {
                    throw MessageTemplateError(file: file, problem: .unreadable)
                }
                templates.append(
                    try MessageTemplate(
                        text: text,
                        kind: kind,
                        locale: locale,
                        file: file,
                        mayHaveOwnVariables: mayHaveOwnVariables
                    )
                )
            }
        }
        return templates
    }

    /// The entries of a directory, in alphabetical order.
    ///
    /// - Throws: if it cannot be read.
    static func names(in directory: String) throws(MessageTemplateError) -> [String] {
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
