import ArgumentParser
import OpenSSLCrypto
import PhoneCLI
import PhoneDomain

/// Makes an API key.
struct CreateKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make an API key, by which a program calls the service.",
        discussion: """
            Prints the key's secret, alone and once: what is kept cannot be turned back into it. A running service takes \
            it at once. Keys of one name are one caller: to replace a key make another of its name, hand it out, and \
            revoke the first.
            """
    )

    @Option(help: "The program that will call: letters, digits, and any of - . _ ~")
    var name: CallerName

    @Option(help: "What it may do; may be given more than once.")
    var scope: [APIScope] = [.verifications]

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await reporting {
            let settings = try await options.load()
            if case .memory = settings.database {
                throw Failure(
                    .configuration,
                    "the database is in memory, and no service would know the key; name one by database.url"
                )
            }
            let keys = APIKeys(
                store: try settings.openStore(),
                tokens: OpenSSLTokenVault(),
                identifiers: OpenSSLRandom(),
                clock: SystemWallClock()
            )
            let (key, secret) = try await keys.create(name: name, scopes: Set(scope))
            StandardError.write(
                "\(key.id) of \(key.name) may do: \(key.scopes.list). This is its secret; it is shown only now."
            )
            print(secret.text)
            return .done
        }
    }
}
