import ArgumentParser

/// What is owed, what was sent and what went wrong, and another try for what failed.
struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "Show the messages of the outbox, and try failed ones again.",
        discussion: "Works on the database of the settings; a service may run on it meanwhile.",
        subcommands: [OutboxListCommand.self, OutboxRetryCommand.self]
    )
}
