import CoreEncodings
import PhoneDomain
import PhoneNumbers
import Texts

/// A message's text with variables.
struct MessageTemplate: Sendable {
    let kind: MessageKind
    let locale: String
    let file: String
    let lines: [Template<TemplateVariable>]
    let alphabet: MessageAlphabet
    /// Including repetitions.
    let variables: [TemplateVariable]
    /// The variables beside those of its kind, in alphabetical order.
    let ownVariables: [String]
    /// The line below it where a warning against sharing the code is wanted (``SharingWarning``).
    let warning: String?

    /// - Parameters:
    ///   - text: the bytes of the file; lines end in LF or CR LF, and blank lines at the end do not count.
    ///   - file: the name in errors.
    init(
        text: some BidirectionalCollection<UInt8>,
        kind: MessageKind,
        locale: String,
        file: String,
        mayHaveOwnVariables: Bool = false
    ) throws(MessageTemplateError) {
        var lines: [Template<TemplateVariable>] = []
        for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            do {
                lines.append(try Self.parse(line, kind, mayHaveOwnVariables: mayHaveOwnVariables))
            } catch {
                throw MessageTemplateError(file: file, line: lines.count + 1, problem: error)
            }
        }
        while lines.last?.parts.isEmpty == true { lines.removeLast() }
        guard !lines.isEmpty else { throw MessageTemplateError(file: file, problem: "is empty") }
        let variables = lines.flatMap(\.variables)
        guard variables.contains(kind.requiredVariable) else {
            throw MessageTemplateError(file: file, problem: "lacks {{\(kind.requiredVariable.name)}}")
        }
        (self.kind, self.locale, self.file, self.lines, self.variables) = (kind, locale, file, lines, variables)
        let ownVariables = variables.compactMap { if case .own(let name) = $0 { name } else { nil } }
        self.ownVariables = Set(ownVariables).sorted()
        alphabet = MessageAlphabet(locale: locale)
        let literals = lines.map { $0.literals.joined() }.joined(separator: "\n")
        warning = kind == .verification ? SharingWarning.line(below: literals, locale: locale) : nil
    }

    /// The text with each variable by its first name.
    var source: String { text { "{{\($0.name)}}" }.joined(separator: "\n") }

    func text(_ value: (TemplateVariable) -> String) -> [String] { lines.map { $0.filled(value) } }

    private static func parse(
        _ bytes: some BidirectionalCollection<UInt8>,
        _ kind: MessageKind,
        mayHaveOwnVariables: Bool
    ) throws(MessageTemplateError.Problem) -> Template<TemplateVariable> {
        guard let line = String(validating: bytes, as: UTF8.self)?.inNFC else { throw "is not UTF-8" }
        if let character = line.unicodeScalars.first(where: \.isControlOrLineBreak) {
            throw "must not contain the control character \(character.nameInError)"
        }
        let text = line.allSatisfy(\.isWhitespace) ? "" : line[...]
        if line.unicodeScalars.first == "@" {
            throw "must not begin with @; the line for autofill is added when a web host is configured"
        }

        return try Template(
            text,
            unclosed: .unbalancedBraces,
            checkLiteral: { (literal) throws(MessageTemplateError.Problem) in
                if literal.contains("}}") { throw .unbalancedBraces }
            },
            variable: { (name) throws(MessageTemplateError.Problem) in
                try variable(name, kind, mayBeOwn: mayHaveOwnVariables)
            }
        )
    }

    private static func variable(
        _ name: String,
        _ kind: MessageKind,
        mayBeOwn: Bool
    ) throws(MessageTemplateError.Problem) -> TemplateVariable {
        let builtIn = TemplateVariable(builtIn: name)
        if let builtIn, kind.variables.contains(builtIn) { return builtIn }
        guard mayBeOwn, builtIn == nil else {
            let known = kind.variables.map { "{{\($0.name)}}" }.joined(separator: ", ")
            throw "there is no variable {{\(name)}}; there are \(known)"
        }
        guard let own = TemplateVariable(own: name) else {
            throw """
            {{\(name)}} can be no variable: a template's own are named by 1 to 20 lower-case letters, digits and \
            underscores
            """
        }
        return own
    }
}

enum TemplateVariable: Sendable, Hashable {
    case code, service, minutes, link
    /// A variable of the template itself, whose value comes with each message.
    case own(String)

    private static let builtIn: [TemplateVariable] = [.code, .service, .minutes, .link]

    /// Also with Twilio's name of the service, so that its texts can be used as they are
    /// (https://www.twilio.com/docs/verify/api/templates).
    init?(builtIn name: String) {
        let name = name == "friendly_name" ? TemplateVariable.service.name : name
        guard let variable = Self.builtIn.first(where: { $0.name == name }) else { return nil }
        self = variable
    }

    /// `nil` unless the name is 1 to 20 lower-case letters, digits and underscores, and not that of a built-in one.
    init?(own name: String) {
        guard (1...20).contains(name.utf8.count),
            name.utf8.allSatisfy({ $0.isASCIILowerCase || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }),
            TemplateVariable(builtIn: name) == nil
        else { return nil }
        self = .own(name)
    }

    var name: String {
        switch self {
        case .code: "code"
        case .service: "service"
        case .minutes: "minutes"
        case .link: "link"
        case .own(let name): name
        }
    }
}

/// The purpose of a message: each kind has a text of its own in every language.
enum MessageKind: Sendable, CaseIterable {
    /// It contains a code.
    case verification
    /// It notifies the old number of an account that the number was changed, with a link to undo that.
    case numberChange

    var fileName: String {
        switch self {
        case .verification: "verification.txt"
        case .numberChange: "number-changed.txt"
        }
    }

    /// The text unless a directory replaces it. These are compiled in, so that the library and an executable alone can
    /// send; `config/messages` has the same texts as a starting point.
    func builtInText(in texts: Texts) -> String {
        switch self {
        case .verification: texts.messages.verification
        case .numberChange: texts.messages.numberChange
        }
    }

    var variables: [TemplateVariable] {
        switch self {
        case .verification: [.code, .service, .minutes]
        case .numberChange: [.service, .link]
        }
    }

    var requiredVariable: TemplateVariable {
        switch self {
        case .verification: .code
        case .numberChange: .link
        }
    }
}

/// The line by which a message warns against sharing its code, for clients that want one
/// (``PhoneDomain/MessageWording/warnsAgainstSharing``).
enum SharingWarning {
    /// Nil if the text has a warning already, or there is none in its language.
    static func line(below text: String, locale: String) -> String? {
        let text = text.lowercased()
        guard let texts = LanguageTag(locale).flatMap(Languages.texts(in:)),
            texts.messages.sharingWarningMarks.allSatisfy({ !text.contains($0) })
        else { return nil }
        return texts.messages.sharingWarning
    }
}
