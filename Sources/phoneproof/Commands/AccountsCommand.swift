import ArgumentParser
import OpenSSLCrypto
import PhoneCLI
import PhoneDomain
import PhoneHTTP
import PhoneService
import PhoneSettings
import Records
import TextEncodings

struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "Show accounts, export their data and sign them out.",
        discussion: "Works on the configured database, also while the service is running.",
        subcommands: [AccountsShowCommand.self, AccountsExportCommand.self, AccountsSignOutCommand.self]
    )
}

struct AccountsShowCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an account and its signed-in devices.",
        discussion: "Exits with 1 if there is no such account. The number is masked; `accounts export` has it in full."
    )

    @OptionGroup var argument: AccountArgument
    @OptionGroup var options: ReportOptions

    func execute() async throws {
        let settings = try await options.load()
        let store = try settings.existingStore()
        let account = try await argument.find(in: store, settings)
        let sessions = try await store.sessions(of: account.id, at: SystemWallClock().now(), limit: SessionPolicy.most)
        let devices = Listing(
            sessions,
            columns: [
                .init("SESSION", "id") { $0.id },
                .init("SIGNED IN", "created_at") { $0.createdAt },
                .init("LAST USED", "last_used_at") { $0.refreshedAt },
                .init("EXPIRES", "expires_at") { $0.end },
                .init("DEVICE", "user_agent") { $0.userAgent },
            ]
        )
        let facts = Listing(
            [account],
            columns: [
                .init("Account", "id") { $0.id },
                .init("Number", "phone_number", missing: "none (unlinked)") { $0.phoneNumber?.masked },
                .init(account.phoneNumber == nil ? "Unlinked" : "Number since", "phone_number_since") {
                    $0.phoneNumberSince
                },
                .init("Created", "created_at") { $0.createdAt },
                .init("Last active", "last_active_at") { $0.lastActiveAt },
                .init("Deletion due", "deletion_due_at", missing: "none") { $0.deletionDueAt },
                .init("Consent to", "consent_version", missing: "none") { $0.consent?.version },
                .init("Consented", "consented_at", missing: "never") { $0.consent?.acceptedAt },
            ]
        )
        if options.json {
            let members = facts.members(of: account) + [.init("sessions", devices.json)]
            return print(JSON.object(members).indentedText)
        }
        print(
            facts.details(of: account) + "\n\n"
                + (sessions.isEmpty ? "No signed-in devices." : devices.table(.standardOutput))
        )
    }
}

struct AccountsExportCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export all data of an account's owner as JSON.",
        discussion: """
            The same as GET /v1/accounts/me/export: numbers in full, no codes and no secrets. Not included are audit log \
            entries made with keys that have been removed from the key file, and what gateways and carriers store. \
            The export is recorded in the audit log.
            """
    )

    @OptionGroup var argument: AccountArgument
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let settings = try await options.load()
        let store = try settings.existingStore()
        let vault = try settings.existingVault()
        let account = try await argument.find(in: store, settings)
        let data = try await store.personalData(of: account.id) { try vault.digests(of: $0.e164) }
        guard let data else { throw Failure.failed("account \(account.id) has been deleted") }
        let (id, now) = (account.id.description, SystemWallClock().now())
        let entry =
            try account.phoneNumber.map { try act.author.entry(.exportAccount, $0, id, digester: vault, at: now) }
            ?? act.author.entry(.exportAccount, id, at: now)
        try await store.record(entry, within: .none)
        print(try data.text(at: now))
    }
}

struct AccountsSignOutCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "sign-out",
        abstract: "Sign out all devices of an account immediately.",
        discussion: "Programs that verify access tokens themselves accept them until they expire, after 15 minutes or "
            + "tokens.access_ttl_seconds."
    )

    @OptionGroup var argument: AccountArgument
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let settings = try await options.load()
        let store = try settings.existingStore()
        let account = try await argument.find(in: store, settings)
        let hasEnded = try await store.end(
            EndSessions(
                accountID: account.id,
                selection: .all(generation: account.sessionGeneration),
                auditor: Auditor(
                    digester: settings.existingVault(),
                    owner: act.author.owner,
                    address: nil,
                    reason: act.author.reason
                ),
                now: SystemWallClock().now()
            )
        )
        guard hasEnded else {
            throw Failure.failed("account \(account.id) was deleted or signed out by somebody else just now")
        }
        print("Signed out all devices of \(account.id).")
    }
}

struct AccountArgument: ParsableArguments {
    @Argument(help: "An account ID (acc_…) or its phone number.") var account: String
    @Option(help: .region) var region: Region?

    func find(in store: any CompleteStore, _ settings: Settings) async throws -> Account {
        if let id = Account.ID(account) {
            guard let found = try await store.account(id) else { throw Failure.failed("account \(id) not found") }
            return found
        }
        if account.hasPrefix("acc_") {
            throw Failure.failed("invalid account ID: it is acc_ and 32 hexadecimal digits")
        }
        let number = try NumberArgument.read(account, region: region ?? settings.region)
        guard let found = try await store.account(of: number) else {
            throw Failure.failed("no account has number \(number.masked)")
        }
        return found
    }
}
