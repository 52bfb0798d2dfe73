import ArgumentParser

struct CompletionsCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Print the completions of a shell.",
        discussion: """
            The package installs them. To have them otherwise: put `source <(phoneproof completions bash)` into ~/.bashrc, \
            or the output into a file _phoneproof of a folder of fpath (zsh) or into \
            ~/.config/fish/completions/phoneproof.fish.
            """
    )

    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish
    }

    @Argument(help: "The shell.") var shell: Shell

    func execute() async throws {
        let shell: CompletionShell =
            switch shell {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        // As it is: it has no text of others.
        Swift.print(PhoneProof.completionScript(for: shell))
    }
}
