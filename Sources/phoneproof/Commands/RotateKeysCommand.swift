import ArgumentParser
import OpenSSLCrypto
import PhoneCLI

/// Puts a new key in front of those under which codes are sealed.
struct RotateKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Put a new key in front of those under which codes are sealed.",
        discussion: """
            A running service takes it up within a minute; codes in flight stay good, since the older keys stay in the file. \
            A key may be taken out of it a day after the next one was made: codes need it for ten minutes, and requests that \
            come again with their Idempotency-Key for 24 hours. Audit entries that were written under it \
            can then no longer be found by number, nor unlinked by `erase`; so leave it there for retention.audit_days. Refresh tokens \
            are made under it as well: whoever has not used one since the rotation is signed out when it is taken away, so leave \
            it for tokens.session_days. And signing keys are sealed under it: `keys list-signing` shows none of its name once \
            `keys rotate-signing` has replaced them.

            Instances that read one and the same file need nothing more. Where each has a copy, none may seal under a key \
            that another does not know: first hand out the file with the new key behind the others, which makes it known, \
            and a minute later with the new key in front.
            """
    )

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await reporting {
            let settings = try await options.load()
            guard let path = try settings.keyPath() else {
                throw Failure(
                    .configuration,
                    "the database is in memory, and so are its keys; there is nothing to rotate"
                )
            }
            let keys = try KeyRing.rotate(at: path, waiting: settings.databaseBusyTimeout)
            print("\(path) has \(keys.ids.count) keys; new codes are sealed under \(keys.ids[0]).")
            return .done
        }
    }
}
