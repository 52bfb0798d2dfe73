import ArgumentParser
import CoreEncodings
import PhoneCLI
import PhoneDomain
import PhoneNumbers
import PhoneService
import PhoneSignup

struct AuditCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show the audit log, newest first.",
        discussion: """
            The log contains masked numbers and keyed digests, and no codes. A number is found by its digests under all keys \
            of the key file; entries made with a removed key are found only by --verification. A time is in RFC 3339 \
            (2026-11-21T09:00:00Z) or an age (30m, 2h, 7d). The log is in the order of time and has no other index: a search \
            for a number may take a second for each million entries, and --since shortens it. The service may be running.
            """
    )

    @Option(help: "Only entries about this phone number.") var number: String?
    @Option(help: .region) var region: Region?

    @Option(help: ArgumentHelp("Only entries about this verification, whole or as the log shows it.", valueName: "id"))
    var verification: IDArgument<Verification>?

    @Option(
        help: ArgumentHelp(
            "Only entries by this actor.",
            discussion: "caller:NAME for an API key, operator:USER, a signup (sgn_…) or session (ses_…), or local.",
            valueName: "actor"
        )
    )
    var owner: Owner?

    @Option(help: "Only entries with this action.") var action: AuditEntry.Action?

    @Option(help: ArgumentHelp("Only entries at or after this time.", valueName: "time"))
    var since: PastTime?

    @Option(help: ArgumentHelp("Only entries before this time.", valueName: "time"))
    var until: PastTime?

    @Option(help: "Maximum number of entries, 1 to 1000000.") var limit = 100
    @OptionGroup var admin: AdminOptions

    func validate() throws { try require("--limit", limit, in: 1...1_000_000) }

    func execute() async throws {
        let (api, now) = (try await admin.api(reason: nil), Timestamp.now)
        // A short one may be among the newest.
        var verification = verification?.text
        if let text = verification { verification = try await api.id(text, in: "/verifications") }
        let query: KeyValuePairs = [
            "phone_number": number, "region": region?.description, "verification": verification,
            "owner": owner?.rawValue, "action": action?.rawValue, "since": since?.moment(now: now).description,
            "until": until?.moment(now: now).description,
        ]
        var (entries, count) = ([JSON](), 0)
        if admin.json { print(#"{"items": ["#) }
        // A page at a time: there may be a million.
        let next = try await api.pages("/audit", query, limit: limit, longest: 1000) { page in
            for entry in page["items"]?.array ?? [] {
                if admin.json { print((count > 0 ? "," : "") + entry.text) } else { entries.append(entry) }
                count += 1
            }
        }
        if admin.json { return print("], \"next_cursor\": \(JSON.string(next).text)}") }
        print(Listing(entries: entries).table(.standardOutput, ifEmpty: "No matching entries."))
        if next != nil {
            StandardError.write("phoneproof: there are more entries; use --limit or --until to show them")
        }
    }
}
