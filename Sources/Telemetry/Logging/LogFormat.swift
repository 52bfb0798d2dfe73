/// How a line of the log is written.
public enum LogFormat: String, Sendable, CaseIterable {
    /// For people.
    case text
    /// For programs: a JSON object (RFC 8259) on each line.
    case json
}
