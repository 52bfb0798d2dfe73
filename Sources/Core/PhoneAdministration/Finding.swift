public import CoreEncodings
import PhoneDomain
public import PhoneSignup

/// What was found of one thing: of the settings, of the machine, or of the service. `check-config`, `doctor`, the log of a
/// start, `/v1/admin/health`, `gateways list`, the console and the metric `phoneproof_finding` show lists of these.
public struct Finding: Hashable, Sendable {
    /// What can be wrong with a running service, the worst first. Raw values are on the wire and in `config/alerts.yaml`.
    public enum Kind: String, Sendable, CaseIterable {
        case noGateway = "no_gateway"
        case gatewayDown = "gateway_down"
        case gatewayRefuses = "gateway_refuses"
        case gatewayPaused = "gateway_paused"
        case messagesWait = "messages_wait"
        case budget
        case disk
        case certificate
        case keys
        case messagesFail = "messages_fail"
        case webhooksDown = "webhooks_down"
        case numbersBlocked = "numbers_blocked"
        case guardOverridden = "guard_overridden"
        case eventsFailed = "events_failed"
        case clock
        case serviceGone = "service_gone"
    }

    public enum Verdict: String, Sendable {
        case fine = "ok"
        case doubtful = "warning"
        case failed = "error"
    }

    /// Nil for what is set, and for what is fine.
    public let kind: Kind?
    /// At most nine characters if it is a fact of the settings. A gateway's name, if it is about a gateway.
    public let subject: String
    public let verdict: Verdict
    /// What is so, without secrets and numbers. What is wrong with the settings ends with the key of the setting in
    /// parentheses.
    public let text: String
    /// What the operator can do about it.
    public let advice: String?
    /// When it began; nil if that is not known, or does not matter.
    public let since: Timestamp?

    public init(
        _ subject: String,
        _ verdict: Verdict,
        _ text: String,
        kind: Kind? = nil,
        advice: String? = nil,
        since: Timestamp? = nil
    ) {
        (self.subject, self.verdict, self.text) = (subject, verdict, text)
        (self.kind, self.advice, self.since) = (kind, advice, since)
    }

    public init(_ subject: String, _ text: String) { self.init(subject, .fine, text) }

    /// What is unsafe about the settings.
    public static func warning(_ text: String) -> Finding { Finding("settings", .doubtful, text) }

    /// Why the service would not start with the settings.
    public static func error(_ text: String) -> Finding { Finding("settings", .failed, text) }

    /// What is set; nil for what is off.
    public static func facts(_ subject: String, _ text: String?) -> [Finding] { [Finding(subject, text ?? "off")] }

    /// ``text`` with when it began, before its causes.
    public var sentence: String {
        guard let since else { return text }
        let end = text.indices.first { text[$0...].hasPrefix(": ") || text[$0...].hasPrefix("; ") } ?? text.endIndex
        return "\(text[..<end]), since \(since.time(on: nil))\(text[end...])"
    }

    /// A line of `check-config`.
    public var line: String {
        let what = verdict == .fine ? subject : verdict.rawValue
        return what + String(repeating: " ", count: max(1, 10 - what.count)) + text
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
        return "\(mark) \(subject)\(gap)\(sentence)\(advice.map { "; \($0)" } ?? "")"
    }
}

extension Timestamp {
    /// `2026-01-01 07:06 UTC`, or `07:06 UTC` on the same day.
    func time(on day: Timestamp?) -> String {
        let (text, date) = (description, day?.description.prefix(10))
        return (text.prefix(10) == date ? "" : "\(text.prefix(10)) ") + "\(text.dropFirst(11).prefix(5)) UTC"
    }
}

extension Finding {
    public var json: JSON {
        [
            "kind": .string(kind?.rawValue), "subject": .string(subject), "verdict": .string(verdict.rawValue),
            "text": .string(text), "since": .string(since?.description), "advice": .string(advice),
        ]
    }

    /// Nil for anything but ``json``.
    public init?(_ json: JSON) {
        guard let subject = json["subject"]?.string, let text = json["text"]?.string,
            let verdict = json["verdict"]?.string.flatMap(Verdict.init)
        else { return nil }
        self.init(
            subject,
            verdict,
            text,
            kind: json["kind"]?.string.flatMap(Kind.init),
            advice: json["advice"]?.string,
            since: json["since"]?.string.flatMap { Timestamp(rfc3339: $0) }
        )
    }
}
