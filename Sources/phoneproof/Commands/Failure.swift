import ArgumentParser
import PhoneCLI

/// The end of a command that did not come through: one line on the standard error stream and an exit code.
struct Failure: Error {
    let status: ExitStatus
    let line: String

    init(_ status: ExitStatus, _ line: String) {
        self.status = status
        self.line = line
    }
}

extension AsyncParsableCommand {
    /// Does the work of a command, and turns what went wrong into a line and an exit code.
    func reporting(_ work: () async throws -> ExitStatus) async throws {
        let status: ExitStatus
        do {
            status = try await work()
        } catch {
            let failure = error as? Failure ?? Failure(store: error) ?? Failure(.configuration, "\(error)")
            // One line, whatever was quoted in it.
            let line = failure.line.map { $0.isNewline ? " " : $0 }
            StandardError.write("phoneproof: \(String(line))")
            status = failure.status
        }
        if status != .done { throw ExitCode(status.rawValue) }
    }
}
