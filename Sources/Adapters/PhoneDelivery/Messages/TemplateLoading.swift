import FoundationEssentials
import Glibc
import PhoneDomain
import Texts

extension MessageTemplate {
    static func builtIn(_ kind: MessageKind) throws(MessageTemplateError) -> [MessageTemplate] {
        var templates: [MessageTemplate] = []
        for texts in Languages.builtIn {
            let (locale, text) = (texts.language.description, kind.builtInText(in: texts))
            let file = "built-in/\(locale)/\(kind.fileName)"
            templates.append(try MessageTemplate(text: text.utf8, kind: kind, locale: locale, file: file))
        }
        return templates
    }

    /// The texts of a directory, which has a folder for each locale; that of named sets is ignored.
    static func load(_ directory: String) throws(MessageTemplateError) -> [MessageTemplate] {
        let locales = try MessageFolder.names(in: directory).filter { $0 != TemplateSet.folder }
        return try load(directory, locales: locales, kinds: MessageKind.allCases, mayHaveOwnVariables: false)
    }

    /// - Parameter locales: the folders in the directory.
    fileprivate static func load(
        _ directory: String,
        locales: [String],
        kinds: [MessageKind],
        mayHaveOwnVariables: Bool
    ) throws(MessageTemplateError) -> [MessageTemplate] {
        var templates: [MessageTemplate] = []
        for locale in locales {
            let localeDirectory = "\(directory)/\(locale)"
            guard isLanguageTag(locale) else {
                throw MessageTemplateError(file: localeDirectory, "is not named after a language, such as ko or pt-BR")
            }
            guard !templates.contains(where: { $0.locale.lowercased() == locale.lowercased() }) else {
                let problem = "is of the same locale as another directory beside it"
                throw MessageTemplateError(file: localeDirectory, problem)
            }
            let all = try MessageFolder.names(in: localeDirectory)
            let names = all.filter { $0 != MessageFolder.pageTexts }
            for name in names where !kinds.contains(where: { $0.fileName == name }) {
                let known = kinds.map(\.fileName).joined(separator: " and ")
                let file = "\(localeDirectory)/\(name)"
                throw MessageTemplateError(file: file, "is no message; those of a locale are \(known)")
            }
            // For a directory without any text, the first is reported as missing.
            for kind in kinds where names.contains(kind.fileName) || all.isEmpty {
                let file = "\(localeDirectory)/\(kind.fileName)"
                let text = try MessageFolder.contents(of: file)
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

    /// Whether a name is a language with optional subtags, as in `ko` or `zh-Hant-TW` (the common part of RFC 5646
    /// §2.1).
    private static func isLanguageTag(_ name: String) -> Bool {
        let subtags = name.split(separator: "-", omittingEmptySubsequences: false)
        return 2...3 ~= (subtags.first?.count ?? 0)
            && subtags.allSatisfy { subtag in
                1...8 ~= subtag.count && subtag.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            }
    }
}

/// The folder with the texts of operators (`messages.directory`).
package enum MessageFolder {
    /// The file of a language with the texts of pages and errors, which are no messages.
    package static let pageTexts = "texts.yaml"

    /// The most bytes of a file: a text that fits into messages is shorter, with all its comments.
    private static let mostBytes = 65_536

    package static func contents(of file: String) throws(MessageTemplateError) -> [UInt8] {
        guard let stream = fopen(file, "r") else { throw MessageTemplateError(file: file, problem: .unreadable) }
        defer { fclose(stream) }
        let bytes = [UInt8](unsafeUninitializedCapacity: mostBytes + 1) { buffer, count in
            count = fread(buffer.baseAddress, 1, buffer.count, stream)
        }
        guard ferror(stream) == 0 else { throw MessageTemplateError(file: file, problem: .unreadable) }
        guard bytes.count <= mostBytes else {
            throw MessageTemplateError(file: file, problem: "is longer than \(mostBytes) bytes")
        }
        return bytes
    }

    /// The entries of a directory, in alphabetical order.
    package static func names(in directory: String) throws(MessageTemplateError) -> [String] {
        do {
            // A mounted Kubernetes ConfigMap has entries of its own beside the files: `..data` and the like.
            return try FileManager.default.contentsOfDirectory(atPath: directory).filter { !$0.hasPrefix(".") }.sorted()
        } catch {
            throw MessageTemplateError(file: directory, problem: .unreadable)
        }
    }
}

extension TemplateSet {
    /// The folder of the named sets, beside those of locales. No language has so long a tag.
    fileprivate static let folder = "templates"

    /// The named sets of a directory of messages; none without the folder.
    static func load(_ directory: String, defaultLocale: String) throws(MessageTemplateError) -> [TemplateSet] {
        guard try MessageFolder.names(in: directory).contains(folder) else { return [] }
        let directory = "\(directory)/\(folder)"
        var sets: [TemplateSet] = []
        for name in try MessageFolder.names(in: directory) {
            let file = "\(directory)/\(name)"
            func error(_ problem: MessageTemplateError.Problem) -> MessageTemplateError {
                MessageTemplateError(file: file, problem: problem)
            }
            guard let name = TemplateName(name) else {
                throw error(
                    "is no name of a template: 1 to 16 lower-case letters, digits and hyphens, and no hyphen first"
                )
            }
            guard name != .standard else {
                throw error("is how the texts in the folders of locales are called; choose another name")
            }
            let templates = try MessageTemplate.load(
                file,
                locales: try MessageFolder.names(in: file),
                kinds: [.verification],
                mayHaveOwnVariables: true
            )
            guard !templates.isEmpty else {
                throw error("has no text; put one into a folder named after its language, as in en/verification.txt")
            }
            let texts = LocalizedTemplates(templates)
            sets.append(TemplateSet(name: name, texts: texts, fallback: texts.nearest(to: defaultLocale)))
        }
        return sets
    }
}

/// Why a message template was refused, and where to look.
public struct MessageTemplateError: Error, Sendable, Equatable, CustomStringConvertible {
    struct Problem: Error, Equatable, ExpressibleByStringInterpolation {
        let text: String

        init(stringLiteral text: String) { self.text = text }

        static let unreadable: Problem = "cannot be read: it is missing, of another kind, or may not be opened"
        static let unbalancedBraces: Problem = "{{ and }} must come in pairs on one line"
    }

    /// Or directory; `built-in/…` for a text that is compiled in.
    let file: String
    /// The line, from 1; nil if the problem is not in one.
    var line: Int?
    let problem: Problem

    /// - Parameter line: from 1; nil if the problem is not in one.
    package init(file: String, line: Int? = nil, _ problem: String) {
        (self.file, self.line, self.problem) = (file, line, Problem(stringLiteral: problem))
    }

    init(file: String, line: Int? = nil, problem: Problem) {
        (self.file, self.line, self.problem) = (file, line, problem)
    }

    /// One line, as in `config/messages/en/verification.txt:2: there is no variable {{cdoe}}; …`.
    public var description: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(problem.text)" }
}
