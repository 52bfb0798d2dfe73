import HTTPTypes

/// The ways in which an operation fails by one status: problems as they are answered, one at least of each code.
struct DocumentedProblems: Sendable {
    let problems: [Problem]
    /// The header fields that the answer may have besides those of the problems.
    var optional: [DocumentedHeader] = []

    /// The answer as OpenAPI describes it.
    var json: JSON {
        let codes = Self.codes(of: problems)
        return [
            "description": .string(codes.map { "`\($0.rawValue)`: \($0.meaning)" }.joined(separator: " ")),
            "headers": headers,
            "content": .object(
                Dictionary(grouping: problems, by: \.contentType).sorted { $0.key > $1.key }.flatMap { type, problems in
                    JSON.content(type, .problem(oneOf: Self.codes(of: problems)), examples: Self.examples(of: problems))
                }
            ),
        ]
    }

    /// Each code once, in order.
    private static func codes(of problems: [Problem]) -> [ProblemCode] {
        problems.reduce(into: []) { codes, problem in
            if !codes.contains(problem.code) { codes.append(problem.code) }
        }
    }

    private var headers: JSON {
        let own = DocumentedHeader.allCases.filter { header in problems.contains { $0.bears(header) } }
        let required = own.filter { header in problems.allSatisfy { $0.bears(header) } }
        return DocumentedHeader.json(required: required, optional: own.filter { !required.contains($0) } + optional)
    }

    private static func examples(of problems: [Problem]) -> [(name: String, value: JSON)] {
        var seen: [ProblemCode: Int] = [:]
        return problems.map { problem in
            let number = seen[problem.code, default: 0] + 1
            seen[problem.code] = number
            return (problem.code.rawValue + (number > 1 ? "_\(number)" : ""), problem.json)
        }
    }
}

extension Problem {
    fileprivate func bears(_ header: DocumentedHeader) -> Bool {
        HTTPField.Name(header.rawValue).map { headers.contains($0) } ?? false
    }
}
