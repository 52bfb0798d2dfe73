import ArgumentParser

/// What the guard against toll fraud holds back, and a way to overrule it.
struct GuardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "guard",
        abstract: "Show what the guard against toll fraud holds back, and overrule it.",
        discussion: """
            A prefix is + and the first digits of numbers, as +82 or +8210123. Works on the database of the settings; a \
            service may run on it meanwhile, and goes by what is decided here at once.
            """,
        subcommands: [
            GuardListCommand.self, GuardAllowCommand.self, GuardBlockCommand.self, GuardUnblockCommand.self,
            GuardExplainCommand.self,
        ]
    )
}
