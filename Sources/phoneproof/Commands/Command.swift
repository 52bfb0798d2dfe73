public import ArgumentParser
public import PhoneCLI
public import PhoneDomain
import PostgreSQLStore
import Records
import SQLiteStore

/// The end of a command that failed: a line on the standard error stream for each error, and an exit code.
struct Failure: Error {
    let status: ExitStatus
    let lines: [String]

    init(_ status: ExitStatus, _ line: String) { self.init(status, lines: [line]) }

    init(_ status: ExitStatus, lines: [String]) {
        self.status = status
        self.lines = lines
    }

    var line: String { lines.joined(separator: "; ") }
}

/// A command that reports what it throws.
protocol Command: AsyncParsableCommand {
    func execute() async throws
}

extension Command {
    func run() async throws {
        do {
            try await execute()
        } catch {
            let failure = error as? Failure ?? Failure(store: error) ?? Failure(.configuration, "\(error)")
            for line in failure.lines {
                // One line, whatever was quoted in it.
                StandardError.write("phoneproof: \(String(line.map { $0.isNewline ? " " : $0 }))")
            }
            throw ExitCode(failure.status.rawValue)
        }
    }

    /// Ends the command with an exit code, and without an error message unless it is done.
    func end(with status: ExitStatus) throws {
        if status != .done { throw Failure(status, lines: []) }
    }
}

extension Failure {
    /// An error of a database. A process manager retries ``ExitStatus/unreachable``; for the others somebody must correct
    /// something first.
    ///
    /// - Returns: nil for other errors.
    init?(store error: any Error) {
        if case .folderLocked? = error as? SQLiteStoreError {
            self.init(.unreachable, "\(error)")
            return
        }
        if let error = error as? UnreadableRecord {
            self.init(.configuration, "\(error)")
            return
        }
        guard let error = error as? PostgreSQLStoreError else { return nil }
        switch error {
        case .unreachable, .disconnected, .timedOut, .waitedTooLong:
            self.init(.unreachable, "\(error); see that it runs and that database.url names it")
        case .readOnly, .outcomeUnknown, .overloaded, .conflict, .closed: self.init(.unreachable, "\(error)")
        case .refused:
            self.init(
                .configuration,
                "\(error); correct database.url (PHONEPROOF_DATABASE_URL), or the password file that PGPASSFILE names"
            )
        case .olderSchema: self.init(.configuration, "\(error), by `phoneproof migrate`")
        case .invalidURL, .newerSchema, .failed: self.init(.configuration, "\(error)")
        }
    }
}

// Values of the domain that read themselves from text are arguments as they are.

extension Region: ExpressibleByArgument {}

extension LanguageTag: ExpressibleByArgument {}

extension AuditEntry.Action: ExpressibleByArgument {}

extension PastTime: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension ServerURL: ExpressibleByArgument {}

extension OutboxMessage.Status: ExpressibleByArgument {}

extension CallerName: ExpressibleByArgument {}

extension APIScope: ExpressibleByArgument {}

extension Identifier: ExpressibleByArgument {}

extension EventID: ExpressibleByArgument {}

extension Event.Kind: ExpressibleByArgument {}

extension Event.Status: ExpressibleByArgument {}
