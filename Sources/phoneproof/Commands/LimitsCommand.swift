import ArgumentParser

/// What limits have counted, and a way to let somebody off.
struct LimitsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits",
        abstract: "Show what limits have counted, and let somebody off.",
        discussion: "Works on the database of the settings; a service may run on it meanwhile.",
        subcommands: [LimitsListCommand.self, LimitsClearCommand.self]
    )
}
