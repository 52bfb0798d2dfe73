import ArgumentParser
import PhoneCLI
import PhoneDock
import PhoneService

extension Dock {
    static var command: any ParsableCommand.Type { DockGroup<Self>.self }
}

extension DockCommand {
    fileprivate static var command: any ParsableCommand.Type { RunDockCommand<Self>.self }
}

/// The commands of a dock.
struct DockGroup<Commands: Dock>: AsyncParsableCommand {
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
        let (keys, store) = try await options.load().openKeys()
        do {
            let (notice, output) = try await act.run(in: store, keys: keys, by: author.author)
            StandardError.write(notice)
            print(output)
        } catch let refusal as DockRefusal {
            throw Failure.failed(refusal.line)
        }
    }
}
