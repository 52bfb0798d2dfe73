import ArgumentParser

/// The keys of the service: those that programs call it by, those that codes are sealed under, and those that access tokens
/// are signed with.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract:
            "Make, list and revoke API keys; make and rotate the keys that codes are sealed under and tokens signed with.",
        groupedSubcommands: [
            CommandGroup(
                name: "API keys, by which programs call",
                subcommands: [CreateKeyCommand.self, ListKeysCommand.self, RevokeKeyCommand.self]
            ),
            CommandGroup(
                name: "Sealing keys, in a file of the service",
                subcommands: [MakeKeysCommand.self, RotateKeysCommand.self]
            ),
            CommandGroup(
                name: "Signing keys of access tokens, in the database",
                subcommands: [ListSigningKeysCommand.self, RotateSigningKeyCommand.self]
            ),
        ]
    )
}
