public import Logging
import Synchronization

/// Keeps every log line with its metadata.
public final class LogRecorder: Sendable {
    private let kept = Mutex<[String]>([])

    public init() {}

    /// All lines so far: message and metadata, sorted by key.
    public var lines: [String] { kept.withLock { $0 } }

    /// Whether any line contains this text. IDs and durations are left out, which may contain any digits by chance.
    public func bears(_ text: String) -> Bool {
        lines.contains { line in
            line.replacing(/[0-9a-f]{16,}|http\.microseconds=[0-9]+/, with: "").contains(text)
        }
    }

    /// A logger that writes here, at the most verbose level.
    public var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(recorder: self) }
        logger.logLevel = .trace
        return logger
    }

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
            let line = (["\(event.level) \(event.message)"] + all.map { "\($0.key)=\($0.value)" }).joined(
                separator: " "
            )
            recorder.kept.withLock { $0.append(line) }
        }
    }
}
