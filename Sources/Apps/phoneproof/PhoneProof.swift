import ArgumentParser
import Glibc
import PhoneHTTP
import PhoneService

@main
struct PhoneProof: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phoneproof",
        abstract: "Verify phone numbers by SMS, and sign people up with them.",
        discussion: """
            Exit codes: 0 success, 1 invalid input or failed check, 64 usage error, 69 service unavailable, \
            78 configuration error, 130 interrupted.
            """,
        version: PhoneAPI.version,
        subcommands: [
            SignupCommand.self, ServeCommand.self, StubCommand.self, NumberCommand.self, RouteCommand.self,
            MigrateCommand.self,
            CopyCommand.self, BackupCommand.self, RestoreCommand.self, LimitsCommand.self, GuardCommand.self,
            OutboxCommand.self, GatewaysCommand.self, CostsCommand.self, WebhooksCommand.self, AuditCommand.self,
            AccountsCommand.self,
            ClientsCommand.self,
            EraseCommand.self, CheckConfigCommand.self, DoctorCommand.self, SupportBundleCommand.self,
            CompletionsCommand.self, KeysCommand.self,
        ] + docks.compactMap { ($0 as? any DockWithCommands.Type)?.command }
    )

    /// ArgumentParser's own `main` would print invalid arguments without escaping them.
    static func main() async {
        do {
            guard !commandLine.isEmpty else {
                throw ValidationError("the arguments of this program cannot be found; mount /proc")
            }
            var command = try parseAsRoot(arguments())
            do {
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
            } catch let error where exitCode(for: error).isSuccess && commandLine.dropFirst().first != "help" {
                // The help of a group of commands, none of which was named: a script must not take it for success.
                StandardError.write(fullMessage(for: error))
                exit(withError: ExitCode.validationFailure)
            }
        } catch {
            let (status, text) = (exitCode(for: error), fullMessage(for: error))
            // Help and the like, which quote no argument.
            if status.isSuccess { exit(withError: error) }
            if let unknown = UnknownCommand(in: commandLine.dropFirst(), of: Self.self) {
                StandardError.write(unknown.message)
            } else if !text.isEmpty {
                StandardError.write(text)
            }
            exit(withError: status)
        }
    }
}

/// The name of this program, as it was called, and its arguments; empty if they cannot be found.
///
/// Swift looks for them beside the environment, where it finds none if a preloaded library has called `setenv` first
/// (https://github.com/swiftlang/swift/issues/76080), as OpenTelemetry's injector does. The kernel's list (proc(5)) is
/// that of the start.
let commandLine: [String] = {
    guard CommandLine.arguments.isEmpty, let file = fopen("/proc/self/cmdline", "re") else {
        return CommandLine.arguments
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    // Each ends with a NUL; any may be empty.
    return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
        .map { String(decoding: $0, as: UTF8.self) }
}()

/// A subcommand that does not exist, and the one that was probably meant. ArgumentParser calls it an unexpected
/// argument.
struct UnknownCommand {
    let message: String

    /// Nil if the arguments begin with existing commands.
    init?(in arguments: some Sequence<String>, of root: any ParsableCommand.Type) {
        var (command, path) = (root, [root.configuration.commandName ?? ""])
        for argument in arguments {
            let children = command.configuration.subcommands
            guard !children.isEmpty, !argument.hasPrefix("-"), argument != "help" else { return nil }
            if let child = children.first(where: { $0.configuration.commandName == argument }) {
                (command, path) = (child, path + [argument])
                continue
            }
            let names = children.compactMap { $0.configuration.commandName }
            let nearest = names.map { (name: $0, distance: argument.distance(to: $0)) }
                .filter { $0.distance <= 2 }
                .min { $0.distance < $1.distance }
            let hint = nearest.map { " Did you mean '\($0.name)'?" } ?? ""
            let place = path.joined(separator: " ")
            message = "Error: Unknown command '\(argument)'.\(hint)\n  See '\(place) --help' for the commands."
            return
        }
        return nil
    }
}

extension String {
    /// How many characters to insert, delete, replace or swap with the next one (optimal string alignment).
    fileprivate func distance(to other: String) -> Int {
        let (one, other) = (Array(self), Array(other))
        var rows = [Array(0...other.count)]
        for (i, character) in one.enumerated() {
            var row = [i + 1]
            for (j, target) in other.enumerated() {
                var least = Swift.min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (character == target ? 0 : 1))
                if i > 0, j > 0, character == other[j - 1], one[i - 1] == target {
                    least = Swift.min(least, rows[i - 1][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[one.count][other.count]
    }
}
