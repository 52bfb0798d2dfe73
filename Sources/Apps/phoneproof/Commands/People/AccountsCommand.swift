import ArgumentParser
import CoreEncodings
import OpenSSLCrypto
import PhoneAdministration
import PhoneCLI
import PhoneDomain
import PhoneHTTP
import PhoneService
import PhoneStore

struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "List, show, change and export accounts.",
        discussion: "Works on the configured database, also while the service is running.",
        subcommands: [
            AccountsListCommand.self, AccountsFindCommand.self, AccountsShowCommand.self, AccountsExportCommand.self,
            AccountsSignOutCommand.self, AccountsSuspendCommand.self, AccountsRestoreCommand.self,
            AccountsRenumberCommand.self, AccountsUndoChangeCommand.self, AccountsDeleteCommand.self,
        ]
    )
}

struct AccountsListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List accounts, newest first, with masked numbers."
    )

    @OptionGroup var rows: RowLimit
    @OptionGroup var options: ReportOptions

    func execute() async throws {
        let store = try options.load().existingStore()
        let listing = Listing(try await store.accounts(before: nil, limit: rows.limit).items, columns: Account.columns)
        print(listing.text(json: options.json, "accounts", ifEmpty: "No accounts.", .standardOutput))
    }
}

struct AccountsFindCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find the account of a phone number.",
        discussion: "Exits with 1 if no account has the number."
    )

    @Argument(help: "The phone number.") var number: String
    @Option(help: .region) var region: Region?
    @OptionGroup var options: ReportOptions

    func execute() async throws {
        let settings = try options.load()
        let number = try NumberArgument.read(number, region: region ?? settings.region)
        let account = try await settings.existingAdministration().account(of: number)
        print(Listing([account], columns: Account.columns).text(json: options.json, "accounts", ifEmpty: ""))
    }
}

extension Account {
    fileprivate static var columns: [Listing<Account>.Column] {
        [
            .init("ACCOUNT", "id") { $0.id },
            .init("NUMBER", "phone_number") { $0.phoneNumber?.masked },
            .init("CREATED", "created_at") { $0.createdAt },
            .init("LAST ACTIVE", "last_active_at") { $0.lastActiveAt },
            .init("SUSPENDED", "suspended_at") { $0.suspendedAt },
            .init("DELETION DUE", "deletion_due_at") { $0.deletionDueAt },
        ]
    }
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
        let administration = try options.load().existingAdministration()
        let account = try await argument.find(in: administration)
        let sessions = try await administration.sessions(of: account.id)
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
                .init("Suspended", "suspended_at", missing: "no") { $0.suspendedAt },
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
        let administration = try options.load().existingAdministration()
        let account = try await argument.find(in: administration)
        let data = try await administration.export(account.id, by: act.author)
        print(try data.text(at: administration.now))
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
        let account = try await argument.act(.signOut, by: act, in: options)
        print("Signed out all devices of \(account.id).")
    }
}

struct AccountsSuspendCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "suspend",
        abstract: "Sign an account out and keep it out until it is restored.",
        discussion: "Proving its number then fails with account_suspended. Exits with 1 if it is suspended already."
    )

    @OptionGroup var argument: AccountArgument
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let account = try await argument.act(.suspend, by: act, in: options)
        print("Suspended \(account.id).")
    }
}

struct AccountsRestoreCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Let a suspended account sign in again.",
        discussion: "Exits with 1 if it is not suspended."
    )

    @OptionGroup var argument: AccountArgument
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let account = try await argument.act(.restore, by: act, in: options)
        print("Restored \(account.id).")
    }
}

struct AccountsRenumberCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "renumber",
        abstract: "Give an account another number.",
        discussion: """
            For a person who has lost the old number: nothing is proven and nobody is notified, so make sure who asks. All \
            devices are signed out. Exits with 1 if another account has the number.
            """
    )

    @OptionGroup var argument: AccountArgument
    @Option(name: .customLong("to"), help: "The new phone number.") var number: String
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let settings = try options.load()
        let number = try NumberArgument.read(number, region: argument.region ?? settings.region)
        let account = try await argument.act(.changeNumber(number), by: act, in: options)
        print("\(account.id) has \(number.masked); all of its devices are signed out.")
    }
}

struct AccountsUndoChangeCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "undo-change",
        abstract: "Give an account back the number that it had before its last change.",
        discussion: """
            The same as the link in the message to the old number, while that is valid. All devices are signed out. Exits with \
            1 if no change can be undone.
            """
    )

    @OptionGroup var argument: AccountArgument
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let administration = try options.load().existingAdministration()
        let account = try await argument.find(in: administration)
        let number = try await administration.undo(nil, of: account.id, by: act.author).phoneNumber
        print("\(account.id) has \(number?.masked ?? "no number"); all of its devices are signed out.")
    }
}

struct AccountsDeleteCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete an account with its owner's data.",
        discussion: """
            All devices are signed out, and a running service deletes the rest within a minute. Unlike `erase`, limits of the \
            number stay, and other accounts' metadata. Requires --yes.
            """
    )

    @OptionGroup var argument: AccountArgument
    @Flag(help: "Confirm the deletion.") var yes = false
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        guard yes else { throw Failure.usage("nothing was deleted; add --yes") }
        let account = try await argument.act(.delete, by: act, in: options)
        print("Deleted \(account.id); its data is gone within a minute of a running service.")
    }
}

struct AccountArgument: ParsableArguments {
    @Argument(help: "An account ID (acc_…), whole or as `accounts list` shows it, or its phone number.")
    var account: String
    @Option(help: .region) var region: Region?

    func find(in administration: Administration) async throws -> Account {
        if let id = Account.ID(account) { return try await administration.account(id) }
        if let short = ShortName(account, prefix: "acc_") { return try await find(short, in: administration.store) }
        if account.hasPrefix("acc_") {
            throw Failure.failed("invalid account ID: it is acc_ and 32 hexadecimal digits, or the last 8 of them")
        }
        let number = try NumberArgument.read(account, region: region ?? administration.policies.region)
        return try await administration.account(of: number)
    }

    /// Reads all accounts, since no index has the end of an ID.
    private func find(_ short: ShortName, in store: any AdministrationStore) async throws -> Account {
        var (found, cursor): ([Account], Account.ID?) = ([], nil)
        repeat {
            let page = try await store.accounts(before: cursor, limit: 10_000)
            found += page.items.filter { short.matches($0.id.description) }
            cursor = page.next.flatMap { Account.ID($0) }
        } while cursor != nil
        return try short.only(of: found, inOutputOf: "accounts list") { $0.id.description }
    }

    fileprivate func act(
        _ act: ActOnAccount.Act,
        by author: OperatorOptions,
        in options: StoreOptions
    ) async throws -> Account {
        let administration = try options.load().existingAdministration()
        let account = try await find(in: administration)
        return try await administration.act(act, on: account.id, by: author.author)
    }
}
