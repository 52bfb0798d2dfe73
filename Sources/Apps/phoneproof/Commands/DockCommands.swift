import ArgumentParser
import PhoneAdministration
import PhoneCLI
import PhoneService

extension DockWithCommands {
    static var command: any ParsableCommand.Type { DockGroup<Self>.self }
}

extension DockCommand {
    fileprivate static var command: any ParsableCommand.Type { RunDockCommand<Self>.self }
}

/// The arguments of this program: options without a command are those of `signup`, and those of `keys create` with a
/// dock's option are those of the dock's command.
func arguments() -> [String] {
    let arguments = Array(commandLine.dropFirst())
    if let first = arguments.first, first.hasPrefix("-"), !optionsOfNoCommand.contains(first) {
        return ["signup"] + arguments
    }
    guard arguments.starts(with: ["keys", "create"]) else { return arguments }
    for dock in docks.compactMap({ $0 as? any DockWithCommands.Type }) {
        for command in dock.commands {
            guard let option = command.keyOption, let name = command.configuration.commandName,
                arguments.contains(option)
            else { continue }
            return [dock.name, name] + arguments.dropFirst(2).filter { $0 != option }
        }
    }
    return arguments
}

/// The options that ArgumentParser gives every program.
private let optionsOfNoCommand: Set = [
    "-h", "-help", "--help", "--help-hidden", "--version", "--experimental-dump-help", "--generate-completion-script",
]

/// The commands of a dock.
struct DockGroup<Commands: DockWithCommands>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Commands.name,
            abstract: Commands.abstract,
            subcommands: Commands.commands.map { $0.command }
        )
    }
}

/// A command of a dock, with the options that all commands share.
struct RunDockCommand<Act: DockCommand>: Command {
    static var configuration: CommandConfiguration { Act.configuration }

    @OptionGroup var act: Act
    @OptionGroup var author: OperatorOptions
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let settings = try options.load()
        let store = try settings.storeOfService(knowing: "key")
        let keys = settings.administration(over: store).keys
        let (notice, output) = try await act.run(in: store, keys: keys, by: author.author)
        StandardError.write(notice)
        print(output)
    }
}
