import ArgumentParser

/// What an operator does for the holder of an account.
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "Show an account, hand out what is held on its holder, sign them out.",
        discussion: "Works on the database of the settings; a service may run on it meanwhile.",
        subcommands: [AccountsShowCommand.self, AccountsExportCommand.self, AccountsSignOutCommand.self]
    )
}
