public import ArgumentParser
public import CoreEncodings
import Glibc
import PhoneAccounts
public import PhoneAdministration
public import PhoneCLI
public import PhoneDomain
public import PhoneNumbers
import PhoneService
import PhoneSignup
import PhoneStore
import Texts

/// Escapes control characters, as that of `PhoneService` does: in this whole module, whatever a file imports.
func print(_ line: String) { PhoneService.print(line) }

/// Who acts and why, as the audit log has it: the options of commands that change something.
struct OperatorOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The reason, for the audit log.",
            discussion: "Stored as written, up to \(AuditReason.longest) characters: leave phone numbers out.",
            valueName: "text"
        ),
        transform: { text in
            guard let reason = AuditReason(text) else {
                throw ValidationError("it \(AuditReason.requirement)")
            }
            return reason
        }
    )
    var reason: AuditReason?

    var author: Operator { Operator(owner: Self.owner, reason: reason) }

    /// The account that this process runs as.
    static var owner: Owner {
        .operator(getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(getuid())")
    }
}

/// How long a list may be.
struct RowLimit: ParsableArguments {
    @Option(help: "Maximum number of rows, 1 to 10000.") var limit = 50

    func validate() throws { try require("--limit", limit, in: 1...10_000) }
}

extension ParsableArguments {
    func require(_ option: String, _ value: Int, in range: ClosedRange<Int>) throws {
        guard range.contains(value) else {
            throw ValidationError("\(option) must be from \(range.lowerBound) to \(range.upperBound)")
        }
    }
}

extension ListingStyle {
    static var standardOutput: ListingStyle {
        isatty(STDOUT_FILENO) == 1 ? .short(now: SystemWallClock().now()) : .full
    }
}

/// A command that reports what it throws.
protocol Command: AsyncParsableCommand {
    func execute() async throws
}

extension Command {
    func run() async throws {
        do {
            try await execute()
            // A key or an export that nobody can read is no success. Who closes a pipe has read enough.
            if fflush(nil) != 0, errno != EPIPE {
                throw Failure.failed("the output could not be written: \(String(cString: strerror(errno)))")
            }
        } catch {
            let failure = error as? Failure ?? .store(error) ?? .configuration("\(error)")
            for line in failure.lines {
                // One line, whatever was quoted in it.
                StandardError.write("phoneproof: \(String(line.asTyped.map { $0.isNewline ? " " : $0 }))")
            }
            throw ExitCode(failure.status.rawValue)
        }
    }

    /// Ends the command with an exit code, and without an error message unless it is done.
    func end(with status: ExitStatus) throws {
        if status != .done { throw Failure(status: status, lines: []) }
    }
}

// Values of the domain that read themselves from text are arguments as they are.

extension Region: ExpressibleByArgument {
    /// Nil unless its numbers are known.
    public init?(argument: String) {
        guard let region = Settings.knownRegion(argument) else { return nil }
        self = region
    }

    public static var defaultCompletionKind: CompletionKind { .list(NumberingPlans.builtIn.regions.map(\.description)) }
}

extension LanguageTag: ExpressibleByArgument {
    /// Nil unless there are texts in it.
    public init?(argument: String) {
        self.init(argument)
        if Languages.texts(in: self) == nil { return nil }
    }

    /// The languages of the prompt and of the built-in messages.
    public static var defaultCompletionKind: CompletionKind { .list(Languages.all.map(\.language.description)) }
}

extension AuditEntry.Action: ExpressibleByArgument {}
extension Channel: ExpressibleByArgument {}
extension CostReport.Grouping: ExpressibleByArgument {}
extension OutboxMessage.Status: ExpressibleByArgument {}
extension ImportAccount.Conflict: ExpressibleByArgument {}
extension PeopleSource: ExpressibleByArgument {}
extension CallerName: ExpressibleByArgument {}
extension VerificationStatus: ExpressibleByArgument {}
extension Labels.Reference: ExpressibleByArgument {}
extension Labels.Tag: ExpressibleByArgument {}
extension ClientAddress: ExpressibleByArgument {}
extension APIScope: ExpressibleByArgument {}

extension Owner: ExpressibleByArgument {
    public init?(argument: String) { self.init(rawValue: argument) }
}

extension EventID: ExpressibleByArgument {}
extension Event.Kind: ExpressibleByArgument {
    public init?(argument: String) { self.init(ofWebhooks: argument) }
    public static var allValueStrings: [String] { ofWebhooks.map(\.rawValue) }
}

extension Event.Status: ExpressibleByArgument {}

extension EndpointURL: ExpressibleByArgument {
    public init?(argument: String) { self.init(base: argument) }
}

extension PastTime: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}
