import ArgumentParser

/// The keys of the service.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Make and change the keys of the service.",
        subcommands: [MakeKeysCommand.self, RotateKeysCommand.self]
    )
}
