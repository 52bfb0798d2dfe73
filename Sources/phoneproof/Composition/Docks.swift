import ArgumentParser
import OpenSSLCrypto
import PhoneCLI
import PhoneDock
import PhoneDomain
import PhoneHTTP
import Records
import TwilioVerify

/// What answers in somebody else's words beside the service's own API; each may be left out.
let docks: [any Dock.Type] = [
    TwilioVerify.self
]

extension RecordTypes {
    /// Those of this service, with what its docks bring.
    static let service = RecordTypes(docks: docks.flatMap { $0.records })
}

extension Core {
    func addDocks(to router: APIRouter, over verifications: any VerificationUseCase) {
        let service = DockService(
            verifications: verifications,
            store: store,
            keys: keys,
            catalog: renderer,
            digester: vault,
            identifiers: identifiers,
            clock: clock
        )
        for dock in settings.docks { dock.addRoutes(to: router, over: service) }
    }
}

extension SettingsReader: DockSettings {
    func describe(_ section: String, help: String) { self.help[section] = help }

    func flag(_ key: String, _ standard: Bool, help: String) -> Bool { setting(key, help).flag(standard) }

    func value<Value>(
        _ key: String,
        example: String,
        _ wanted: String,
        help: String,
        _ parse: (String) -> Value?
    ) -> Value? {
        setting(key, help).value(example: example, wanted, parse)
    }

    func waits(_ key: String, _ standard: [Duration], help: String) -> [Duration] {
        setting(key, help).cooldowns(standard)
    }

    private func setting(_ key: String, _ help: String) -> Setting {
        self.help[key] = help
        return Setting(key: key, reader: self)
    }
}

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
