/// What was found of one thing: of the settings, of the machine, or of the service. `check-config`, `doctor`, the log of a
/// start, `/v1/admin/health` and the console show lists of these.
public struct Finding: Hashable, Sendable {
    public enum Verdict: String, Sendable {
        case fine = "ok"
        case doubtful = "warning"
        case failed = "error"
    }

    /// At most nine characters if it is a fact of the settings.
    public let subject: String
    public let verdict: Verdict
    /// What is so, without secrets and numbers. What is wrong with the settings ends with the key of the setting in
    /// parentheses.
    public let text: String
    /// What the operator can do about it.
    public let advice: String?

    public init(_ subject: String, _ verdict: Verdict, _ text: String, advice: String? = nil) {
        (self.subject, self.verdict, self.text, self.advice) = (subject, verdict, text, advice)
    }

    public init(_ subject: String, _ text: String) { self.init(subject, .fine, text) }

    /// What is unsafe about the settings.
    public static func warning(_ text: String) -> Finding { Finding("settings", .doubtful, text) }

    /// Why the service would not start with the settings.
    public static func error(_ text: String) -> Finding { Finding("settings", .failed, text) }

    /// What is set; nil for what is off.
    public static func facts(_ subject: String, _ text: String?) -> [Finding] { [Finding(subject, text ?? "off")] }

    /// A line of `check-config`.
    public var line: String {
        let what = verdict == .fine ? subject : verdict.rawValue
        return what + String(repeating: " ", count: max(0, 10 - what.count)) + text
    }

    /// A line of `doctor`.
    public func line(usesUnicode: Bool) -> String {
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
