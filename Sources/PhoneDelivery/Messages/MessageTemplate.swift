/// One message with variables in place of what differs from person to person.
struct MessageTemplate: Sendable {
    enum Part: Sendable, Equatable {
        case literal(String)
        case variable(TemplateVariable)
    }

    let kind: MessageKind
    let locale: String
    let file: String
    let lines: [[Part]]
    let alphabet: MessageAlphabet
    /// Its variables beside those of its kind, in alphabetical order.
    let ownVariables: [String]
    /// How long it is without what its variables stand for.
    let fixedLength: TextLength
    /// The line that goes below it where a warning against telling the code is wanted (``SharingWarning``).
    let warning: String?

    /// Reads a template.
    ///
    /// - Parameters:
    ///   - text: the bytes of the file; lines end in LF or CR LF, and blank lines at the end do not count.
    ///   - kind: what its messages are for.
    ///   - locale: the language of the text.
    ///   - file: what errors name.
    ///   - mayHaveOwnVariables: whether it may have variables beside those of its kind.
    /// - Throws: the first problem found.
    init(
        text: some BidirectionalCollection<UInt8>,
        kind: MessageKind,
        locale: String,
        file: String,
        mayHaveOwnVariables: Bool = false
    ) throws(MessageTemplateError) {
        var lines: [[Part]] = []
        for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            do {
                lines.append(try Self.parse(line, kind, mayHaveOwnVariables: mayHaveOwnVariables))
            } catch {
                throw MessageTemplateError(file: file, line: lines.count + 1, problem: error)
            }
        }
        while lines.last?.isEmpty == true {
            lines.removeLast()
        }
        guard !lines.isEmpty else { throw MessageTemplateError(file: file, problem: .empty) }
        guard lines.joined().contains(.variable(kind.requiredVariable)) else {
            throw MessageTemplateError(file: file, problem: .missingVariable(kind.requiredVariable.name))
        }
        self.kind = kind
        self.locale = locale
        self.file = file
        self.lines = lines
        let ownVariables = lines.joined().compactMap { part in
            if case .variable(.own(let name)) = part { name } else { nil }
        }
        self.ownVariables = Set(ownVariables).sorted()
        alphabet = MessageAlphabet(locale: locale)
        let literals = lines.map { line in
            line.map { part in
                if case .literal(let text) = part { text } else { "" }
            }
            .joined()
        }
        fixedLength = TextLength(of: literals.joined(separator: "\n"))
        warning =
            kind == .verification
            ? SharingWarning.line(below: literals.joined(separator: "\n"), locale: locale) : nil
    }

    /// Its variables, as often as it has them.
    var variables: some Sequence<TemplateVariable> {
        lines.joined().lazy.compactMap { part in
            if case .variable(let variable) = part { variable } else { nil }
        }
    }

    /// The text as it was written, with each variable by its first name.
    var source: String {
        text { $0.written }.joined(separator: "\n")
    }

    /// The lines with their variables filled in, in one pass: a value that looks like a variable stays as it is.
    func text(_ value: (TemplateVariable) -> String) -> [String] {
        lines.map { line in
            line.map { part in
                switch part {
                case .literal(let text): text
                case .variable(let variable): value(variable)
                }
            }
            .joined()
        }
    }

    private static func parse(
        _ bytes: some BidirectionalCollection<UInt8>,
        _ kind: MessageKind,
        mayHaveOwnVariables: Bool
    ) throws(MessageTemplateError.Problem) -> [Part] {
        guard let line = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        if let character = line.unicodeScalars.first(where: \.isControlOrLineBreak) {
            throw .controlCharacter(character)
        }
        if line.allSatisfy(\.isWhitespace) { return [] }
        if line.unicodeScalars.first == "@" { throw .startsWithAtSign }

        var parts: [Part] = []
        var rest = line[...]
        while let opening = rest.firstRange(of: "{{") {
            parts += try literal(rest[..<opening.lowerBound])
            rest = rest[opening.upperBound...]
            guard let closing = rest.firstRange(of: "}}") else { throw .unbalancedBraces }
            let name = String(rest[..<closing.lowerBound])
            parts.append(.variable(try variable(name, kind, mayBeOwn: mayHaveOwnVariables)))
            rest = rest[closing.upperBound...]
        }
        return parts + (try literal(rest))
    }

    private static func variable(
        _ name: String,
        _ kind: MessageKind,
        mayBeOwn: Bool
    ) throws(MessageTemplateError.Problem) -> TemplateVariable {
        let builtIn = TemplateVariable(builtIn: name)
        if let builtIn, kind.variables.contains(builtIn) { return builtIn }
        guard mayBeOwn, builtIn == nil else { throw .unknownVariable(name, known: kind.variables.map(\.name)) }
        guard let own = TemplateVariable(own: name) else { throw .malformedVariable(name) }
        return own
    }

    private static func literal(_ text: Substring) throws(MessageTemplateError.Problem) -> [Part] {
        if text.contains("}}") { throw .unbalancedBraces }
        return text.isEmpty ? [] : [.literal(String(text))]
    }
}
