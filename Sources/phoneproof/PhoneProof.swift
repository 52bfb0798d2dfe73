import ArgumentParser
import PhoneHTTP

/// The program. It reads what was asked for, puts the adapters together, and runs.
@main
struct PhoneProof: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phoneproof",
        abstract: "Proves that a person holds a phone number, and signs that person up.",
        discussion: """
            Exit codes: 0 done, 1 the input or a check failed, 64 wrong usage, 69 service unreachable, \
            78 wrong configuration, 130 Ctrl-C.
            """,
        version: PhoneAPI.version,
        subcommands: [
            SignupCommand.self, ServeCommand.self, StubCommand.self, NumberCommand.self, MigrateCommand.self,
            CopyCommand.self,
            LimitsCommand.self, GuardCommand.self, OutboxCommand.self, WebhooksCommand.self, AuditCommand.self,
            AccountsCommand.self, EraseCommand.self,
            CheckConfigCommand.self, KeysCommand.self,
        ]
    )

    /// Runs the command that the arguments name. ArgumentParser would do the same, but quote arguments as they are in what it
    /// says of wrong ones.
    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            let (status, text) = (exitCode(for: error), fullMessage(for: error))
            // Help and the like, with nothing of the arguments in it.
            if status.isSuccess { exit(withError: error) }
            if !text.isEmpty { StandardError.write(text) }
            exit(withError: status)
        }
    }
}
