/// One message with variables in place of what differs from person to person.
struct MessageTemplate: Sendable {
    enum Variable: String, CaseIterable {
        case code, service, minutes

        /// All of them, as they are written.
        static var list: String { allCases.map { "{{\($0.rawValue)}}" }.joined(separator: ", ") }
    }

    enum Part: Sendable, Equatable {
        case literal(String)
        case variable(Variable)
    }

    let locale: String
    let file: String
    let lines: [[Part]]

    /// Reads a template.
    ///
    /// - Parameters:
    ///   - text: the bytes of the file; lines end in LF or CR LF, and blank lines at the end do not count.
    ///   - locale: the language of the text.
    ///   - file: what errors name.
    /// - Throws: the first problem found.
    init(text: some BidirectionalCollection<UInt8>, locale: String, file: String) throws(MessageTemplateError) {
        var lines: [[Part]] = []
        for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            do {
                lines.append(try Self.parse(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
            } catch {
                throw MessageTemplateError(file: file, line: lines.count + 1, problem: error)
            }
        }
        while lines.last?.isEmpty == true {
            lines.removeLast()
        }
        guard !lines.isEmpty else { throw MessageTemplateError(file: file, problem: .empty) }
        guard lines.joined().contains(.variable(.code)) else {
            throw MessageTemplateError(file: file, problem: .missingCode)
        }
        self.locale = locale
        self.file = file
        self.lines = lines
    }

    /// The text with its variables filled in, in one pass: a value that looks like a variable stays as it is.
    func body(code: String, minutes: Int, in context: MessageContext) -> String {
        let text = lines.map { line in
            line.map { part in
                switch part {
                case .literal(let text): text
                case .variable(.code): code
                case .variable(.service): context.service(in: locale).description
                case .variable(.minutes): String(minutes)
                }
            }
            .joined()
        }
        return (text + context.autofillLines(code: code)).joined(separator: "\n")
    }

    private static func parse(_ bytes: some BidirectionalCollection<UInt8>) throws(MessageTemplateError.Problem)
        -> [Part]
    {
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
            let name = rest[..<closing.lowerBound]
            guard let variable = Variable(rawValue: String(name)) else { throw .unknownVariable(String(name)) }
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
