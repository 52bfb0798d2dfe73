import Logging
import Synchronization

@testable import PhoneDelivery

/// Keeps what is logged, at every level, as lines: `warning: the message [key=value key=value]`.
final class LogRecorder: Sendable {
    private struct Recorded {
        var lines: [String] = []
        var messages: [String] = []
        var counts: [String: Int] = [:]
    }

    private let recorded = Mutex(Recorded())
    private let changes = WakeSignal()

    var lines: [String] { recorded.withLock { $0.lines } }

    /// The lines without their metadata.
    var messages: [String] { recorded.withLock { $0.messages } }

    var logger: Logger {
        Logger(label: "test") { _ in Handler(recorder: self) }
    }

    /// Waits until this was logged this many times.
    func logged(_ message: String, times: Int = 1) async throws {
        try await changes.until { self.recorded.withLock { $0.counts[message, default: 0] } >= times }
    }

    /// Waits until a line was logged that contains this.
    func anything(of text: String) async throws {
        try await changes.until { self.lines.contains { $0.contains(text) } }
    }

    private func record(_ message: String, metadata: String) {
        recorded.withLock { recorded in
            recorded.lines.append("\(message) [\(metadata)]")
            recorded.messages.append(message)
            recorded.counts[message, default: 0] += 1
        }
        changes.wake()
    }

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.MetadataValue? {
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
