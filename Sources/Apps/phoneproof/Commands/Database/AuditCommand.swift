import ArgumentParser
import OpenSSLCrypto
import PhoneAdministration
import PhoneCLI
import PhoneDomain
import PhoneService

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
    @OptionGroup var options: ReportOptions

    private static let pageSize = 1000

    func validate() throws {
        guard (1...1_000_000).contains(limit) else { throw ValidationError("--limit must be from 1 to 1000000") }
    }

    func execute() async throws {
        let settings = try options.load()
        let administration = try settings.existingAdministration()
        var query = AuditQuery(limit: 1)
        let number = try number.map { try NumberArgument.read($0, region: region ?? settings.region) }
        let now = SystemWallClock().now()
        // A short one may be among the newest.
        query.verificationID = try await verification?.find(inOutputOf: "audit") {
            try await administration.store.verifications(VerificationQuery(limit: 10_000)).items.map(\.id)
        }
        query.owner = owner
        query.action = action
        query.since = since?.moment(now: now)
        query.until = until?.moment(now: now)
        var entries: [AuditEntry] = []
        var count = 0
        if options.json { print(#"{"entries": ["#) }
        repeat {
            query.limit = min(Self.pageSize, limit - count)
            let page = try await administration.entries(query, about: number)
            query.before = page.next
            if options.json {
                // One by one: there may be a million.
                for entry in page.entries {
                    print((count > 0 ? "," : "") + Listing.line(of: entry))
                    count += 1
                }
            } else {
                count += page.entries.count
                entries += page.entries
            }
        } while query.before != nil && count < limit
        let isEmpty = entries.isEmpty
        print(options.json ? "]}" : isEmpty ? "No matching entries." : Listing(entries).table(.standardOutput))
        if query.before != nil {
            StandardError.write(
                "phoneproof: there are more entries; use --limit or --until to show them"
            )
        }
    }
}
