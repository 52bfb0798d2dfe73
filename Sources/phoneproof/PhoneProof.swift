import ArgumentParser
import PhoneHTTP

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
            CopyCommand.self, BackupCommand.self, RestoreCommand.self, LimitsCommand.self, GuardCommand.self,
            OutboxCommand.self, WebhooksCommand.self, AuditCommand.self, AccountsCommand.self, EraseCommand.self,
            CheckConfigCommand.self, DoctorCommand.self, CompletionsCommand.self, KeysCommand.self,
        ]
    )

    /// ArgumentParser's own `main` would print invalid arguments without escaping them.
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
            // Help and the like, which quote no argument.
            if status.isSuccess { exit(withError: error) }
            if !text.isEmpty { StandardError.write(text) }
            exit(withError: status)
        }
    }
}
