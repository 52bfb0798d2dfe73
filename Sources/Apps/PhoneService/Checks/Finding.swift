/// What was found out about one thing.
package struct Finding {
    package enum Verdict: String {
        case fine = "ok"
        case doubtful = "warning"
        case failed = "error"
    }

    package let subject: String
    package let verdict: Verdict
    package let text: String
    /// What to do about it.
    package let advice: String?

    package init(_ subject: String, _ verdict: Verdict, _ text: String, advice: String? = nil) {
        (self.subject, self.verdict, self.text, self.advice) = (subject, verdict, text, advice)
    }

    package func line(usesUnicode: Bool) -> String {
        let mark =
            switch verdict {
            case .fine: usesUnicode ? "✔" : "+"
            case .doubtful: "!"
            case .failed: usesUnicode ? "✗" : "x"
            }
        let gap = String(repeating: " ", count: max(1, 12 - subject.count))
        return "\(mark) \(subject)\(gap)\(text)\(advice.map { "; \($0)" } ?? "")"
    }
}
