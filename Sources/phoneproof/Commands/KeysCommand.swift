import ArgumentParser

/// The keys of the service.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Change the keys of the service.",
        subcommands: [RotateKeysCommand.self]
    )
}
