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

    static func failed(_ line: String) -> Failure { Failure(status: .failed, lines: [line]) }
    static func usage(_ line: String) -> Failure { Failure(status: .usage, lines: [line]) }
    static func unreachable(_ line: String) -> Failure { Failure(status: .unreachable, lines: [line]) }
    static func configuration(_ line: String) -> Failure { Failure(status: .configuration, lines: [line]) }

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
            let failure = error as? Failure ?? .store(error) ?? .configuration("\(error)")
            for line in failure.lines {
                // One line, whatever was quoted in it.
                StandardError.write("phoneproof: \(String(line.map { $0.isNewline ? " " : $0 }))")
            }
            throw ExitCode(failure.status.rawValue)
        }
    }

    /// Ends the command with an exit code, and without an error message unless it is done.
    func end(with status: ExitStatus) throws {
        if status != .done { throw Failure(status: status, lines: []) }
    }
}

extension Failure {
    /// An error of a database; nil for other errors. A process manager retries ``ExitStatus/unreachable``; for the others somebody
    /// must correct something first.
    static func store(_ error: any Error) -> Failure? {
        switch error {
        case SQLiteStoreError.folderLocked: return unreachable("\(error)")
        case is UnreadableRecord: return configuration("\(error)")
        case is BackupError: return failed("\(error)")
        default: break
        }
        return switch error as? PostgreSQLStoreError {
        case nil: nil
        case .unreachable, .disconnected, .timedOut, .waitedTooLong:
            unreachable("\(error); see that it runs and that database.url names it")
        case .readOnly, .outcomeUnknown, .overloaded, .conflict, .closed: unreachable("\(error)")
        case .refused:
            configuration(
                "\(error); correct database.url (PHONEPROOF_DATABASE_URL), or the password file that PGPASSFILE names"
            )
        case .olderSchema: configuration("\(error), by `phoneproof migrate`")
        case .invalidURL, .newerSchema, .failed: configuration("\(error)")
        }
    }
}

// Values of the domain that read themselves from text are arguments as they are.

extension Region: ExpressibleByArgument {
    public static var defaultCompletionKind: CompletionKind { .list(NumberingPlans.builtIn.regions.map(\.description)) }
}

extension LanguageTag: ExpressibleByArgument {
    /// Those of the prompt and of the built-in messages.
    public static var defaultCompletionKind: CompletionKind { .list(["en", "ko"]) }
}

extension AuditEntry.Action: ExpressibleByArgument {}
extension ServerURL: ExpressibleByArgument {}
extension OutboxMessage.Status: ExpressibleByArgument {}
extension CallerName: ExpressibleByArgument {}
extension APIScope: ExpressibleByArgument {}
extension Identifier: ExpressibleByArgument {}
extension EventID: ExpressibleByArgument {}
extension Event.Kind: ExpressibleByArgument {}
extension Event.Status: ExpressibleByArgument {}

extension PastTime: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}
