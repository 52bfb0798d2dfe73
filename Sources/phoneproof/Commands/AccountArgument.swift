import ArgumentParser
import PhoneCLI
import PhoneDomain
import Records

/// An account that an operator names, by itself or by its number.
struct AccountArgument: ParsableArguments {
    @Argument(help: "The account (acc_…), or its number, as people write it.")
    var account: String

    @Option(help: "The region whose plan a number without + is read by.")
    var region: Region?

    /// Finds the account.
    ///
    /// - Throws: ``Failure`` if there is none, or the text names neither an account nor a number.
    func find(in store: any CompleteStore, _ settings: Settings) async throws -> Account {
        if let id = Account.ID(account) {
            guard let found = try await store.account(id) else { throw Failure(.failed, "there is no account \(id)") }
            return found
        }
        if account.hasPrefix("acc_") {
            throw Failure(.failed, "this is no account: its name is acc_ and 32 hexadecimal digits")
        }
        let number = try NumberArgument.read(account, region: region ?? settings.region)
        guard let found = try await store.account(of: number) else {
            throw Failure(.failed, "no account has the number \(number.masked)")
        }
        return found
    }
}
