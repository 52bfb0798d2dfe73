/// Why a message template was refused, and where to look.
public struct MessageTemplateError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What can be wrong with a template or with the directory that holds it.
    public enum Problem: Error, Equatable {
        /// The file or directory is missing or may not be read.
        case unreadable
        /// The directory has an entry whose name is no language tag, such as `ko` or `pt-BR`.
        case notALocale
        /// Another directory is of the same locale: names differ in letter case alone.
        case duplicateLocale
        /// The directory of a locale has a file that is no template, say a misspelt one; those that it may have.
        case unexpectedFile(known: [String])
        /// The directory of templates has an entry whose name is none of a template.
        case notATemplateName
        /// A template is named as the service's own texts are.
        case reservedTemplateName
        /// The directory of a template has no text.
        case emptyTemplate
        /// No template is of the locale that is to serve those who ask for another.
        case noDefault(locale: String)
        /// The line is not UTF-8.
        case notUTF8
        /// There is nothing but white space.
        case empty
        /// A control character, a line break other than LF or CR LF, or a byte order mark.
        case controlCharacter(Unicode.Scalar)
        /// The line begins with `@`, which is kept for the line that binds a code to a web host.
        case startsWithAtSign
        /// A `{{` without its `}}` on the same line, or the other way round.
        case unbalancedBraces
        /// A variable of that name does not exist, or not for messages of this kind.
        case unknownVariable(String, known: [String])
        /// A template's own variable may not be called that.
        case malformedVariable(String)
        /// The text lacks the variable of that name, without which nobody could do anything with the message.
        case missingVariable(String)
        /// The text has a character outside the alphabet of its language.
        case foreignCharacter(Unicode.Scalar, alphabet: String)
        /// The service is named with a character outside the alphabet of the template's language.
        case foreignCharacterInServiceName(Unicode.Scalar, alphabet: String)
        /// With the longest code or the link, the service's name and the lines for autofill, the message would be longer than
        /// `limit`.
        case tooLong(Int, limit: Int, unit: String)
    }

    /// The file or directory, as a path below the one that was given; `built-in/…` for a text that is compiled in.
    public let file: String

    /// The line, from 1, if the problem is in one.
    public let line: Int?

    /// What is wrong.
    public let problem: Problem

    init(file: String, line: Int? = nil, problem: Problem) {
        self.file = file
        self.line = line
        self.problem = problem
    }

    /// One line, as in `config/messages/en/verification.txt:2: there is no variable {{cdoe}}; …`.
    public var description: String {
        "\(file)\(line.map { ":\($0)" } ?? ""): \(problem.explanation)"
    }
}

extension MessageTemplateError.Problem {
    fileprivate var explanation: String {
        switch self {
        case .unreadable:
            "cannot be read: it is missing, of another kind, or may not be opened"
        case .notALocale:
            "is not named after a language, such as ko or pt-BR"
        case .duplicateLocale:
            "is of the same locale as another directory beside it"
        case .unexpectedFile(let known):
            "is no message; those of a locale are " + known.joined(separator: " and ")
        case .notATemplateName:
            "is no name of a template: 1 to 16 lower-case letters, digits and hyphens, and no hyphen first"
        case .reservedTemplateName:
            "is how the texts in the folders of locales are called; choose another name"
        case .emptyTemplate:
            "has no text; put one into a folder named after its language, as in en/verification.txt"
        case .noDefault(let locale):
            "there is no message for the default locale \(locale)"
        case .notUTF8:
            "is not UTF-8"
        case .empty:
            "is empty"
        case .controlCharacter(let character):
            "must not contain the control character \(character.nameInError)"
        case .startsWithAtSign:
            "must not begin with @; the line for autofill is added when a web host is configured"
        case .unbalancedBraces:
            "{{ and }} must come in pairs on one line"
        case .unknownVariable(let name, let known):
            "there is no variable {{\(name)}}; there are \(known.map { "{{\($0)}}" }.joined(separator: ", "))"
        case .malformedVariable(let name):
            "{{\(name)}} can be no variable: a template's own are named by 1 to 20 lower-case letters, digits and underscores"
        case .missingVariable(let name):
            "lacks {{\(name)}}"
        case .foreignCharacter(let character, let alphabet):
            "\(alphabet) lacks \(character.nameInError); replace it, or allow long messages"
        case .foreignCharacterInServiceName(let character, let alphabet):
            "\(alphabet) lacks \(character.nameInError) of the service's name; "
                + "give the service a name for this language, write one in place of {{service}}, or allow long messages"
        case .tooLong(let length, let limit, let unit):
            "may come to \(length) \(unit), and the limit is \(limit)"
        }
    }
}
