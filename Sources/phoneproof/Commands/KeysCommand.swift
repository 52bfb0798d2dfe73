import ArgumentParser

/// The keys of the service: those that programs call it by, and those that codes are sealed under.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Make, list and revoke API keys; make and rotate the keys that codes are sealed under.",
        groupedSubcommands: [
            CommandGroup(
                name: "API keys, by which programs call",
                subcommands: [CreateKeyCommand.self, ListKeysCommand.self, RevokeKeyCommand.self]
            ),
            CommandGroup(
                name: "Sealing keys, in a file of the service",
                subcommands: [MakeKeysCommand.self, RotateKeysCommand.self]
            ),
        ]
    )
}
