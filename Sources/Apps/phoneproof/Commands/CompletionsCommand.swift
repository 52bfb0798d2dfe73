import ArgumentParser
import PhoneService

struct CompletionsCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Print the completions of a shell.",
        discussion: """
            The Debian package installs them. Without it: for bash add `source <(phoneproof completions bash)` to ~/.bashrc; \
            for zsh save the output as _phoneproof in a folder of $fpath; for fish save it as \
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
