import ArgumentParser
import CoreEncodings
import PhoneCLI
import PhoneDomain
import PhoneNumbers
import PhoneService

struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "List, show, change, import and export accounts.",
        discussion: "Works on the configured database, also while the service is running.",
        subcommands: [
            AccountsListCommand.self, AccountsFindCommand.self, AccountsShowCommand.self, AccountsImportCommand.self,
            AccountsExportCommand.self, AccountsSignOutCommand.self, AccountsSuspendCommand.self,
            AccountsRestoreCommand.self, AccountsRenumberCommand.self, AccountsUndoChangeCommand.self,
            AccountsDeleteCommand.self,
        ]
    )
}

struct AccountsListCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List accounts, newest first, with masked numbers."
    )

    @OptionGroup var rows: RowLimit
    @OptionGroup var admin: AdminOptions

    func send(to api: AdminAPI) async throws -> JSON { try await api.list("/accounts", limit: rows.limit) }

    func text(of body: JSON) -> String { table(body, ifEmpty: "No accounts.", .accounts) }
}

struct AccountsFindCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find the account of a phone number.",
        discussion: "Exits with 1 if no account has the number."
    )

    @Argument(help: "The phone number.") var number: String
    @Option(help: .region) var region: Region?
    @OptionGroup var admin: AdminOptions

    func send(to api: AdminAPI) async throws -> JSON {
        try await api.get("/accounts", ["phone_number": number, "region": region?.description])
    }

    func text(of body: JSON) -> String { table(body, ifEmpty: "", .accounts) }

    func failure(in body: JSON) -> Failure? { body["items"]?.array?.isEmpty == true ? .noAccount : nil }
}

extension [Listing.Column] {
    fileprivate static var accounts: [Listing.Column] {
        [
            .init("ACCOUNT", "id"), .init("NUMBER", "phone_number", as: \.maskedNumber), .init("CREATED", "created_at"),
            .init("LAST ACTIVE", "last_active_at"), .init("SUSPENDED", "suspended_at"),
            .init("DELETION DUE", "deletion_due_at"),
        ]
    }
}

extension Failure {
    fileprivate static let noAccount = failed("no account has this number")
}

struct AccountsShowCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an account and its signed-in devices.",
        discussion: "Exits with 1 if there is no such account. The number is masked; `accounts export` has it in full."
    )

    @OptionGroup var argument: AccountArgument
    @OptionGroup var admin: AdminOptions

    func send(to api: AdminAPI) async throws -> JSON {
        let path = try await argument.path(api)
        let (account, sessions) = (try await api.get(path), try await api.list(path + "/sessions"))
        return .object(account.members + [JSON.Member("sessions", sessions[path: "items"])])
    }

    func text(of body: JSON) -> String {
        let facts = Listing(
            [body],
            [
                .init("Account", "id"), .init("Number", "phone_number", missing: "none (unlinked)", as: \.maskedNumber),
                .init(body[path: "phone_number"] == .null ? "Unlinked" : "Number since", "phone_number_since"),
                .init("Created", "created_at"), .init("Last active", "last_active_at"),
                .init("Suspended", "suspended_at", missing: "no"),
                .init("Deletion due", "deletion_due_at", missing: "none"),
                .init("External ID", "external_id", missing: "none"),
                .init("Consent to", "consent.version", missing: "none"),
                .init("Consented", "consent.accepted_at", missing: "never"),
            ]
        )
        let devices = Listing(
            body["sessions"]?.array ?? [],
            [
                .init("SESSION", "id"), .init("SIGNED IN", "created_at"), .init("LAST USED", "last_used_at"),
                .init("EXPIRES", "expires_at"), .init("DEVICE", "user_agent"),
            ]
        )
        return facts.details(of: body) + "\n\n" + devices.table(.standardOutput, ifEmpty: "No signed-in devices.")
    }
}

struct AccountsSignOutCommand: AdminAct {
    static let configuration = CommandConfiguration(
        commandName: "sign-out",
        abstract: "Sign out all devices of an account immediately.",
        discussion: "Programs that verify access tokens themselves accept them until they expire, after 15 minutes or "
            + "tokens.access_ttl_seconds."
    )

    @OptionGroup var argument: AccountArgument
    @OptionGroup var act: ActOptions

    func send(to api: AdminAPI) async throws -> JSON { try await argument.act("sign-out", api) }

    func text(of body: JSON) -> String { "Signed out all devices of \(body.cell("id"))." }
}

struct AccountsSuspendCommand: AdminAct {
    static let configuration = CommandConfiguration(
        commandName: "suspend",
        abstract: "Sign an account out and keep it out until it is restored.",
        discussion: "Proving its number then fails with account_suspended. Exits with 1 if it is suspended already."
    )

    @OptionGroup var argument: AccountArgument
    @OptionGroup var act: ActOptions

    func send(to api: AdminAPI) async throws -> JSON { try await argument.act("suspend", api) }

    func text(of body: JSON) -> String { "Suspended \(body.cell("id"))." }
}

struct AccountsRestoreCommand: AdminAct {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Let a suspended account sign in again.",
        discussion: "Exits with 1 if it is not suspended."
    )

    @OptionGroup var argument: AccountArgument
    @OptionGroup var act: ActOptions

    func send(to api: AdminAPI) async throws -> JSON { try await argument.act("restore", api) }

    func text(of body: JSON) -> String { "Restored \(body.cell("id"))." }
}

struct AccountsRenumberCommand: AdminAct {
    static let configuration = CommandConfiguration(
        commandName: "renumber",
        abstract: "Give an account another number.",
        discussion: """
            For a person who has lost the old number: nothing is proven and nobody is notified, so make sure who is asking. All \
            devices are signed out. Exits with 1 if another account has the number.
            """
    )

    @OptionGroup var argument: AccountArgument
    @Option(name: .customLong("to"), help: "The new phone number.") var number: String
    @OptionGroup var act: ActOptions

    func send(to api: AdminAPI) async throws -> JSON {
        let region = JSON.string(argument.region?.description)
        return try await argument.act("change-number", api, ["phone_number": .string(number), "region": region])
    }

    func text(of body: JSON) -> String { AccountArgument.report(number: body) }
}

struct AccountsUndoChangeCommand: AdminAct {
    static let configuration = CommandConfiguration(
        commandName: "undo-change",
        abstract: "Give an account back the number that it had before its last change.",
        discussion: """
            The same as the link in the message to the old number, while that is valid. All devices are signed out. Exits with \
            1 if no change can be undone.
            """
    )

    @OptionGroup var argument: AccountArgument
    @OptionGroup var act: ActOptions

    func send(to api: AdminAPI) async throws -> JSON { try await argument.act("undo-number-change", api) }

    func text(of body: JSON) -> String { AccountArgument.report(number: body) }
}

struct AccountsDeleteCommand: AdminAct {
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
    @OptionGroup var act: ActOptions

    func send(to api: AdminAPI) async throws -> JSON {
        guard yes else { throw Failure.usage("nothing was deleted; add --yes") }
        return try await argument.act("delete", api)
    }

    func text(of body: JSON) -> String {
        "Deleted \(body.cell("id")); its data is gone within a minute of a running service."
    }
}

struct AccountArgument: ParsableArguments {
    @Argument(help: "An account ID (acc_…), whole or as `accounts list` shows it, or its phone number.")
    var account: String
    @Option(help: .region) var region: Region?

    fileprivate func path(_ api: AdminAPI) async throws -> String {
        if let name = ShortName(account), name.prefix == "acc_" {
            return "/accounts/\(try await api.id(account, in: "/accounts"))"
        }
        if account.hasPrefix("acc_") {
            throw Failure.failed("invalid account ID: it is acc_ and 32 hexadecimal digits, or the last 8 of them")
        }
        let found = try await api.get("/accounts", ["phone_number": account, "region": region?.description])
        guard let id = found["items"]?.array?.first?["id"]?.string else { throw Failure.noAccount }
        return "/accounts/\(id)"
    }

    func act(
        _ act: String,
        _ api: AdminAPI,
        _ members: KeyValuePairs<String, JSON> = [:]
    ) async throws -> JSON {
        try await api.post("\(path(api))/\(act)", members)
    }

    /// What a change of an account's number prints.
    fileprivate static func report(number account: JSON) -> String {
        let number = account[path: "phone_number"]
        return "\(account.cell("id")) has \(number == .null ? "no number" : number.maskedNumber); "
            + "all of its devices are signed out."
    }
}
