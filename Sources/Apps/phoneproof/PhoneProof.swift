import ArgumentParser
import CoreEncodings
import Glibc
import PhoneHTTP
import PhoneService

@main
struct PhoneProof: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: programName,
        abstract: "Verify phone numbers by SMS, and sign people up with them.",
        discussion: """
            Exit codes: 0 success, 1 invalid input or failed check, 64 usage error, 69 service unavailable, \
            78 configuration error, 130 interrupted.
            """,
        version: PhoneAPI.version,
        groupedSubcommands: [
            CommandGroup(
                name: "Everyday",
                subcommands: [SignupCommand.self, ServeCommand.self, KeysCommand.self, NumberCommand.self]
            ),
            CommandGroup(
                name: "Service",
                subcommands: [
                    CheckConfigCommand.self, ApplyCommand.self, DoctorCommand.self, SupportBundleCommand.self,
                ]
            ),
            CommandGroup(
                name: "Message",
                subcommands: [
                    OutboxCommand.self, VerificationsCommand.self, GatewaysCommand.self, RouteCommand.self,
                    CostsCommand.self,
                    WebhooksCommand.self,
                ]
            ),
            CommandGroup(name: "Abuse", subcommands: [GuardCommand.self, LimitsCommand.self]),
            CommandGroup(
                name: "People",
                subcommands: [AccountsCommand.self, ClientsCommand.self, EraseCommand.self, AuditCommand.self]
            ),
            CommandGroup(
                name: "Database",
                subcommands: [BackupCommand.self, RestoreCommand.self, CopyCommand.self, MigrateCommand.self]
            ),
            CommandGroup(
                name: "Other",
                subcommands: docks.compactMap { ($0 as? any DockWithCommands.Type)?.command }
                    + [StubCommand.self, CompletionsCommand.self]
            ),
        ]
    )

    private static var asksForHelp: Bool {
        let arguments = arguments()
        return arguments.first == "help" || arguments.contains { ["-h", "-help", "--help"].contains($0) }
    }

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
            } catch let error where exitCode(for: error).isSuccess && !asksForHelp {
                // The help of a group of commands, none of which was named: a script must not take it for success.
                StandardError.write(fullMessage(for: error).asTyped)
                exit(withError: ExitCode.validationFailure)
            }
        } catch {
            let (status, text) = (exitCode(for: error), fullMessage(for: error).asTyped.withRegionMeant)
            // Help and the like, which quote no argument.
            if status.isSuccess {
                Swift.print(text)
                exit()
            }
            if let unknown = UnknownCommand(in: arguments(), of: Self.self) {
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

/// What this program was called by, which its help and its hints repeat; its name in what is for everybody.
let programName: String = {
    let isForEverybody = ["completions", "--experimental-dump-help", "--generate-completion-script"]
    guard let typed = commandLine.first, !typed.isEmpty, !isForEverybody.contains(commandLine.dropFirst().first ?? "")
    else { return "phoneproof" }
    return typed.quotedForShell
}()

extension String {
    /// The text with this program as it was called, where it says what to type: `phoneproof COMMAND`.
    var asTyped: String { replacing(/`phoneproof(\s)/) { "`\(programName)\($0.1)" } }

    /// ArgumentParser's error about a region that is none, with the one that was probably meant.
    fileprivate var withRegionMeant: String {
        guard let error = firstMatch(of: /The value '(.*)' is invalid for '--region <region>'/),
            let region = Settings.region(near: String(error.1))
        else { return self }
        return replacing(error.0, with: "\(error.0). Did you mean '\(region)'?", maxReplacements: 1)
    }

    /// The text as a word of a shell's command.
    var quotedForShell: String {
        let isPlain = utf8.allSatisfy { $0.isUnreserved || "/:@%+=,".utf8.contains($0) }
        return isPlain ? self : "'\(replacing("'", with: #"'\''"#))'"
    }
}

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
