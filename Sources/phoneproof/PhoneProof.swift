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
}
