public import Logging
public import PhoneDomain

/// Writes each entry of the log as one line.
///
/// Metadata has dotted keys: what is nested is written under the keys on the way to it, joined by dots. A request's name
/// is `request.id`, whatever the server below calls it, and within a trace every line bears its `trace.id`.
public struct LineLogHandler: LogHandler {
    public var logLevel: Logger.Level = .info
    public var metadata: Logger.Metadata = [:]
    public var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let format: LogFormat
    private let now: @Sendable () -> Timestamp
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - label: the name of what logs.
    ///   - format: how lines are written.
    ///   - now: says what time it is.
    ///   - write: takes a whole line, without its end.
    public init(
        label: String,
        format: LogFormat,
        now: @escaping @Sendable () -> Timestamp,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.label = label
        self.format = format
        self.now = now
        self.write = write
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let own = event.metadata { all.merge(own) { $1 } }
        var fields: [(key: String, value: String)] = []
        for (key, value) in all { Self.flatten(value, under: Self.name(of: key), into: &fields) }
        if let trace = TraceParent.current?.traceID { fields.append(("trace.id", trace)) }
        // Its type alone: its words may bear anything.
        if let error = event.error { fields.append(("error.type", String(reflecting: type(of: error)))) }
        fields.sort { $0.key < $1.key }
        switch format {
        case .text: write(text(event, fields))
        case .json: write(json(event, fields))
        }
    }

    private func text(_ event: LogEvent, _ fields: [(key: String, value: String)]) -> String {
        var line = "\(now()) \(event.level) \(label):"
        for field in fields { line += " \(field.key)=\(Self.printable(field.value))" }
        return line + " \(Self.printable(event.message.description))"
    }

    private func json(_ event: LogEvent, _ fields: [(key: String, value: String)]) -> String {
        var json = JSONText()
        json.beginObject()
        json.member("time", now().description)
        json.member("level", event.level.rawValue)
        json.member("logger", label)
        json.member("message", event.message.description)
        for field in fields { json.member(field.key, field.value) }
        json.endObject()
        return json.text
    }

    /// Hummingbird has a name of its own for what everyone else calls this.
    private static func name(of key: String) -> String {
        key == "hb.request.id" ? "request.id" : key
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

    /// On one line, whatever is in it: what ends a line would let whoever chooses a value forge the next.
    private static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.reduce(into: "") { text, scalar in
            guard isControl(scalar) else { return text.unicodeScalars.append(scalar) }
            let digits = String(scalar.value, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029
    }
}
