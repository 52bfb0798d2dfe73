import HTTPTypes

/// The ways in which an operation fails by one status: problems as they are answered, one at least of each code.
struct DocumentedProblems: Sendable {
    let problems: [Problem]
    /// The header fields that the answer may have besides those of the problems.
    var optional: [DocumentedHeader] = []

    /// The answer as OpenAPI describes it.
    var json: JSON {
        let codes = problems.reduce(into: [ProblemCode]()) { codes, problem in
            if !codes.contains(problem.code) { codes.append(problem.code) }
        }
        return [
            "description": .string(codes.map { "`\($0.rawValue)`: \($0.meaning)" }.joined(separator: " ")),
            "headers": headers,
            "content": .object(JSON.content("application/problem+json", .problem(oneOf: codes), examples: examples)),
        ]
    }

    private var headers: JSON {
        let own = DocumentedHeader.allCases.filter { header in problems.contains { $0.bears(header) } }
        let required = own.filter { header in problems.allSatisfy { $0.bears(header) } }
        return DocumentedHeader.json(required: required, optional: own.filter { !required.contains($0) } + optional)
    }

    private var examples: [(name: String, value: JSON)] {
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
