import ArgumentParser
import PhoneCLI
import PhoneDomain

/// Makes an API key worth nothing.
struct RevokeKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Make an API key worth nothing, at once and on every instance.",
        discussion:
            "Exits with 1 if there is no such key. What was begun with it stays with the other keys of its name."
    )

    @Argument(help: "The key's name as `keys list` shows it: key_…, AC… or SK…")
    var id: KeyArgument

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await reporting {
            let now = SystemWallClock().now()
            let store = try await options.load().existingStore()
            guard let found = try await store.apiKey(id.id), id.names(found),
                let key = try await store.revoke(id.id, at: now)
            else {
                throw Failure(.failed, "there is no key \(id); `keys list` shows those that there are")
            }
            let moment = key.revokedAt ?? now
            print(
                moment == now
                    ? "\(id) of \(key.name) is revoked." : "\(id) of \(key.name) was revoked at \(moment) already."
            )
            return .done
        }
    }
}
