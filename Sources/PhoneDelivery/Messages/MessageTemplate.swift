/// One message with variables in place of what differs from person to person.
struct MessageTemplate: Sendable {
    enum Variable: String, CaseIterable {
        case code, service, minutes, link

        /// The variable as it is written.
        var written: String { "{{\(rawValue)}}" }
    }

    enum Part: Sendable, Equatable {
        case literal(String)
        case variable(Variable)
    }

    let kind: MessageKind
    let locale: String
    let file: String
    let lines: [[Part]]

    /// Reads a template.
    ///
    /// - Parameters:
    ///   - text: the bytes of the file; lines end in LF or CR LF, and blank lines at the end do not count.
    ///   - kind: what its messages are for.
    ///   - locale: the language of the text.
    ///   - file: what errors name.
    /// - Throws: the first problem found.
    init(
        text: some BidirectionalCollection<UInt8>,
        kind: MessageKind,
        locale: String,
        file: String
    ) throws(MessageTemplateError) {
        var lines: [[Part]] = []
        for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            do {
                lines.append(try Self.parse(line.last == UInt8(ascii: "\r") ? line.dropLast() : line, kind))
            } catch {
                throw MessageTemplateError(file: file, line: lines.count + 1, problem: error)
            }
        }
        while lines.last?.isEmpty == true {
            lines.removeLast()
        }
        guard !lines.isEmpty else { throw MessageTemplateError(file: file, problem: .empty) }
        guard lines.joined().contains(.variable(kind.requiredVariable)) else {
            throw MessageTemplateError(file: file, problem: .missingVariable(kind.requiredVariable.rawValue))
        }
        self.kind = kind
        self.locale = locale
        self.file = file
        self.lines = lines
    }

    /// The text of a code's message, with the lines for autofill.
    func body(code: String, minutes: Int, in context: MessageContext) -> String {
        let text = text(in: context) { $0 == .code ? code : String(minutes) }
        return (text + context.autofillLines(code: code)).joined(separator: "\n")
    }

    /// The text of a notice. It has no lines for autofill: there is nothing to fill in.
    func body(link: String, in context: MessageContext) -> String {
        text(in: context) { _ in link }.joined(separator: "\n")
    }

    /// The lines with their variables filled in, in one pass: a value that looks like a variable stays as it is.
    private func text(in context: MessageContext, _ value: (Variable) -> String) -> [String] {
        lines.map { line in
            line.map { part in
                switch part {
                case .literal(let text): text
                case .variable(.service): context.service(in: locale).description
                case .variable(let variable): value(variable)
                }
            }
            .joined()
        }
    }

    private static func parse(
        _ bytes: some BidirectionalCollection<UInt8>,
        _ kind: MessageKind
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
            guard let variable = Variable(rawValue: name), kind.variables.contains(variable) else {
                throw .unknownVariable(name, known: kind.variables.map(\.rawValue))
            }
            parts.append(.variable(variable))
            rest = rest[closing.upperBound...]
        }
        return parts + (try literal(rest))
    }

    private static func literal(_ text: Substring) throws(MessageTemplateError.Problem) -> [Part] {
        if text.contains("}}") { throw .unbalancedBraces }
        return text.isEmpty ? [] : [.literal(String(text))]
    }
}
