import CoreEncodings
public import Logging
import PhoneDomain
public import PhoneSignup
import Synchronization

/// Writes each entry of the log as one line.
///
/// Keys of nested metadata are joined by dots. A request's ID is `request.id`, whatever the HTTP server calls it, and
/// within a trace every line has its `trace.id`.
public struct LineLogHandler: LogHandler {
    /// The level of the process, unless a logger has one of its own.
    public var logLevel: Logger.Level {
        get { ownLevel ?? threshold.level }
        set { ownLevel = newValue }
    }
    private var ownLevel: Logger.Level?
    public var metadata: Logger.Metadata = [:]

    private let threshold: LogThreshold
    private let label: String
    private let format: LogFormat
    private let now: @Sendable () -> Timestamp
    private let write: @Sendable (String) -> Void

    /// - Parameter write: called with each line, without a line break.
    public init(
        label: String,
        format: LogFormat,
        threshold: LogThreshold = LogThreshold(.info),
        now: @escaping @Sendable () -> Timestamp,
        write: @escaping @Sendable (String) -> Void
    ) {
        (self.label, self.format, self.now, self.write) = (label, format, now, write)
        self.threshold = threshold
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var all = metadata
        if let own = event.metadata { all.merge(own) { $1 } }
        var fields: [(key: String, value: String)] = []
        for (key, value) in all { Self.flatten(value, under: key, into: &fields) }
        if let trace = TraceParent.current?.traceID { fields.append(("trace.id", trace)) }
        // Its type alone: its description may contain a number or a code.
        if let error = event.error { fields.append(("error.type", String(reflecting: type(of: error)))) }
        fields.sort { $0.key < $1.key }
        switch format {
        case .text: write(text(event, fields))
        case .short: write(short(event, fields))
        case .json: write(json(event, fields))
        }
    }

    private func text(_ event: LogEvent, _ fields: [(key: String, value: String)]) -> String {
        var line = "\(now()) \(event.level) \(label):"
        for field in fields { line += " \(field.key)=\(Self.printable(field.value))" }
        return line + " \(Self.printable(event.message.description))"
    }

    private func short(_ event: LogEvent, _ fields: [(key: String, value: String)]) -> String {
        let values = Dictionary(fields) { first, _ in first }
        var line = now().description.dropFirst("2026-01-01T".count).prefix("00:00:00".count) + " "
        if let status = values["http.status"], let method = values["http.method"], let route = values["http.route"],
            let duration = values["http.microseconds"].flatMap({ Int($0) })
        {
            line += "\(status) \(method) \(route) \(max(1, duration / 1000)) ms"
            return Self.printable(String(line))
        }
        if event.level > .info { line += "\(event.level): " }
        line += event.message.description
        for field in fields where event.level > .info && field.key != "request.id" && field.key != "trace.id" {
            line += " \(field.key)=\(field.value)"
        }
        return Self.printable(String(line))
    }

    private func json(_ event: LogEvent, _ fields: [(key: String, value: String)]) -> String {
        let head = [
            ("time", now().description), ("level", event.level.rawValue), ("logger", label),
            ("message", event.message.description),
        ]
        return JSON.object((head + fields).map { JSON.Member($0.0, .string($0.1)) }).text
    }

    private static func flatten(
        _ value: Logger.Metadata.Value,
        under key: String,
        into fields: inout [(key: String, value: String)]
    ) {
        switch value {
        case .string(let text): fields.append((key, text))
        case .stringConvertible(let value): fields.append((key, value.description))
        case .dictionary(let members):
            for (name, value) in members { flatten(value, under: "\(key).\(name)", into: &fields) }
        case .array(let values):
            for (index, value) in values.enumerated() { flatten(value, under: "\(key).\(index)", into: &fields) }
        }
    }

    /// Escapes control characters: a line break in a value would let a client forge the next line.
    private static func printable(_ text: String) -> String {
        text.unicodeScalars.contains(where: isControl) ? text.escaping(isControl) : text
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029
    }
}

/// The lowest level that a process logs, which may change while it runs.
public final class LogThreshold: Sendable {
    private let current: Mutex<Logger.Level>

    public init(_ level: Logger.Level) { current = Mutex(level) }

    public var level: Logger.Level { current.withLock { $0 } }

    public func set(_ level: Logger.Level) { current.withLock { $0 = level } }
}

public enum LogFormat: String, Sendable, CaseIterable {
    /// Lines that people read, with all that is known.
    case text
    /// Lines for a developer in a terminal: the time in UTC, and what was answered how fast, or the message.
    case short
    /// A JSON object (RFC 8259) on each line, which programs read.
    case json
}
