import ArgumentParser
import OpenSSLCrypto
import PhoneCLI

/// Makes the file of the keys under which codes are sealed, before the first instance needs it.
struct MakeKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make",
        abstract: "Make the file of the keys under which codes are sealed.",
        discussion: """
            A single service does so by itself. Several instances on one PostgreSQL database must have the same file: make \
            it once, and hand it to each. A file that is there already is left as it is.
            """
    )

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await reporting {
            guard let path = try await options.load().keyPath() else {
                throw Failure(
                    .configuration,
                    "the database is in memory, and so are its keys; there is no file to make"
                )
            }
            let (keys, isNew) = try KeyRing.loadOrCreate(at: path)
            print(
                isNew
                    ? "\(path) has a new key; give every instance this very file, and keep it with your backups."
                    : "\(path) is there already, with \(keys.ids.count == 1 ? "1 key" : "\(keys.ids.count) keys"); "
                        + "nothing was changed."
            )
            return .done
        }
    }
}
