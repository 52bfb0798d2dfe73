/// A text with gaps, `{{to}}` and the like, that a message is filled into.
struct RequestTemplate: Hashable {
    /// Literal text, or a gap.
    enum Part: Hashable {
        case literal(String)
        case variable(RequestVariable)
    }

    let parts: [Part]

    /// Reads a template.
    ///
    /// - Throws: ``HTTPGatewayConfigurationError/Problem``, if a gap is not closed, or is for something that there is not.
    init(_ text: some StringProtocol) throws(HTTPGatewayConfigurationError.Problem) {
        var parts: [Part] = []
        var rest = text[...]
        while let start = rest.firstRange(of: "{{") {
            if start.lowerBound > rest.startIndex { parts.append(.literal(String(rest[..<start.lowerBound]))) }
            guard let end = rest[start.upperBound...].firstRange(of: "}}") else { throw .unclosedVariable }
            let name = String(rest[start.upperBound..<end.lowerBound])
            guard let variable = RequestVariable(rawValue: name) else { throw .unknownVariable(name) }
            parts.append(.variable(variable))
            rest = rest[end.upperBound...]
        }
        if !rest.isEmpty { parts.append(.literal(String(rest))) }
        self.parts = parts
    }

    /// Each as often as it occurs.
    var variables: [RequestVariable] {
        parts.compactMap { part in if case .variable(let variable) = part { variable } else { nil } }
    }

    /// What is written out.
    var literals: [String] {
        parts.compactMap { part in if case .literal(let text) = part { text } else { nil } }
    }

    /// The text with its gaps filled in.
    ///
    /// - Parameter value: gives what stands for a variable, escaped as its place wants it.
    func filled(_ value: (RequestVariable) -> String) -> String {
        parts.map { part in
            switch part {
            case .literal(let text): text
            case .variable(let variable): value(variable)
            }
        }
        .joined()
    }
}
