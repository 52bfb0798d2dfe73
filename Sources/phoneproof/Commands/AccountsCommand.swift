import ArgumentParser
import OpenSSLCrypto
import PhoneCLI
import PhoneDomain
import PhoneHTTP
import Records

struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "Show an account, hand out what is held on its holder, sign them out.",
        discussion: "Works on the database of the settings; a service may run on it meanwhile.",
        subcommands: [AccountsShowCommand.self, AccountsExportCommand.self, AccountsSignOutCommand.self]
    )
}

struct AccountsShowCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an account and the devices that are signed in to it.",
        discussion: "Exits with 1 if there is none. The number is masked; `accounts export` has it in full."
    )

    @OptionGroup var argument: AccountArgument
    @OptionGroup var options: ReportOptions

    func execute() async throws {
        let settings = try await options.load()
        let store = try settings.existingStore()
        let account = try await argument.find(in: store, settings)
        let sessions = try await store.sessions(of: account.id, at: SystemWallClock().now(), limit: 100)
        let devices = Listing(
            sessions,
            columns: [
                .init("SESSION", "id") { $0.id },
                .init("SIGNED IN", "created_at") { $0.createdAt },
                .init("LAST USED", "last_used_at") { $0.refreshedAt },
                .init("ENDS", "expires_at") { $0.end },
                .init("DEVICE", "user_agent") { $0.userAgent },
            ]
        )
        let facts = Listing(
            [account],
            columns: [
                .init("Account", "id") { $0.id },
                .init("Number", "phone_number", missing: "none: it was unlinked") { $0.phoneNumber?.masked },
                .init(account.phoneNumber == nil ? "Without number since" : "Number since", "phone_number_since") {
                    $0.phoneNumberSince
                },
                .init("Made", "created_at") { $0.createdAt },
                .init("Last active", "last_active_at") { $0.lastActiveAt },
                .init("To be deleted", "deletion_due_at", missing: "no") { $0.deletionDueAt },
            ]
        )
        if options.json {
            let members = facts.members(of: account).merging(["sessions": devices.json]) { $1 }
            return print(try JSON.object(members).document())
        }
        print(facts.details(of: account) + "\n\n" + (sessions.isEmpty ? "No device is signed in." : devices.table))
    }
}

struct AccountsExportCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print all that is held on the holder of an account, as JSON.",
        discussion: """
            The same that its holder gets at GET /v1/accounts/me/export: numbers in full, no code and no secret. Not in it: \
            entries of the audit trail under keys that were removed from the key file, and what gateways and carriers keep.
            """
    )

    @OptionGroup var argument: AccountArgument
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let settings = try await options.load()
        let store = try settings.existingStore()
        let vault = try settings.existingVault()
        let account = try await argument.find(in: store, settings)
        let data = try await store.personalData(of: account.id) { try vault.digests(of: $0.e164) }
        guard let data else { throw Failure.failed("there is no account \(account.id) any more") }
        print(try data.text(at: SystemWallClock().now()))
    }
}

struct AccountsSignOutCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "sign-out",
        abstract: "Sign every device of an account out, at once and on every instance.",
        discussion: "Access tokens that are out are still good elsewhere until their time is over, 15 minutes at most "
            + "unless tokens.access_ttl_seconds says otherwise."
    )

    @OptionGroup var argument: AccountArgument
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let settings = try await options.load()
        let store = try settings.existingStore()
        let account = try await argument.find(in: store, settings)
        let count = try await store.end(
            EndSessions(
                accountID: account.id,
                selection: .all,
                auditor: Auditor(digester: settings.existingVault(), owner: .local, address: nil),
                now: SystemWallClock().now()
            )
        )
        print("\(account.id): \(count) \(count == 1 ? "device is" : "devices are") signed out.")
    }
}

struct AccountArgument: ParsableArguments {
    @Argument(help: "The account (acc_…), or its number, as people write it.") var account: String
    @Option(help: "The region whose plan a number without + is read by.") var region: Region?

    func find(in store: any CompleteStore, _ settings: Settings) async throws -> Account {
        if let id = Account.ID(account) {
            guard let found = try await store.account(id) else { throw Failure.failed("there is no account \(id)") }
            return found
        }
        if account.hasPrefix("acc_") {
            throw Failure.failed("this is no account: its name is acc_ and 32 hexadecimal digits")
        }
        let number = try NumberArgument.read(account, region: region ?? settings.region)
        guard let found = try await store.account(of: number) else {
            throw Failure.failed("no account has the number \(number.masked)")
        }
        return found
    }
}
