public import Logging
import Synchronization

/// Keeps what is logged, at every level, as lines: `warning: the message [key=value key=value]`.
public final class LogRecorder: Sendable {
    private struct Recorded {
        var lines: [String] = []
        var messages: [String] = []
        var waiting:
            [UInt64: (condition: @Sendable (Recorded) -> Bool, continuation: CheckedContinuation<Void, Never>)] = [:]
        var waitingCount: UInt64 = 0
    }

    private let recorded = Mutex(Recorded())

    public init() {}

    /// All lines so far: level, message and metadata, sorted by key.
    public var lines: [String] { recorded.withLock { $0.lines } }

    /// The lines without their metadata.
    public var messages: [String] { recorded.withLock { $0.messages } }

    /// Whether any line contains this text. IDs and durations are left out, which may contain any digits by chance.
    public func contains(_ text: String) -> Bool {
        lines.contains { line in
            line.replacing(/[0-9a-f]{16,}|http\.microseconds=[0-9]+/, with: "").contains(text)
        }
    }

    /// A logger that writes here, at the most verbose level.
    public var logger: Logger {
        Logger(label: "test") { _ in Handler(recorder: self) }
    }

    /// Waits until this was logged this many times.
    ///
    /// - Throws: `CancellationError`, which is how a test ends whose time is up.
    public func logged(_ message: String, times: Int = 1) async throws {
        try await wait { recorded in recorded.messages.count { $0 == message } >= times }
    }

    /// Waits until a line was logged that contains this.
    public func anything(of text: String) async throws {
        try await wait { recorded in recorded.lines.contains { $0.contains(text) } }
    }

    private func wait(until condition: @escaping @Sendable (Recorded) -> Bool) async throws {
        let id = recorded.withLock { recorded in
            recorded.waitingCount += 1
            return recorded.waitingCount
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = recorded.withLock { recorded in
                    guard !condition(recorded), !Task.isCancelled else { return true }
                    recorded.waiting[id] = (condition, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            recorded.withLock { $0.waiting.removeValue(forKey: id)?.continuation }?.resume()
        }
        try Task.checkCancellation()
    }

    private func record(_ message: String, metadata: String) {
        let over = recorded.withLock { recorded in
            recorded.lines.append("\(message) [\(metadata)]")
            recorded.messages.append(message)
            let over = recorded.waiting.filter { $0.value.condition(recorded) }
            for id in over.keys { recorded.waiting[id] = nil }
            return over.values.map(\.continuation)
        }
        for continuation in over { continuation.resume() }
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
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            let pairs = all.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
            recorder.record("\(event.level): \(event.message)", metadata: pairs)
        }
    }
}
