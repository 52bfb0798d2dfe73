import ArgumentParser
import OpenSSLCrypto
import PhoneCLI
import PhoneDomain

struct AuditCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show who did what to which verification, newest first.",
        discussion: """
            The trail holds masked numbers and keyed digests, and no code. A number is looked up by its digests under \
            every key of the key file; entries under a key that was removed from it are found by --verification alone. \
            Times are as in RFC 3339 (2026-11-21T09:00:00Z) or so long ago: 30m, 2h, 7d. The service may be running.
            """
    )

    @Option(help: "Only what concerns this number.") var number: String?
    @Option(help: "The region whose plan a number without + is read by.") var region: Region?

    @Option(help: ArgumentHelp("Only what concerns this verification.", valueName: "id"))
    var verification: Verification.ID?

    @Option(help: "Only what this owner asked for: a signup (sgn_…), a key, or `local`.")
    var owner: String?

    @Option(help: "Only this kind.") var action: AuditEntry.Action?

    @Option(help: ArgumentHelp("Only entries of this time and later.", valueName: "time"))
    var since: PastTime?

    @Option(help: ArgumentHelp("Only entries from before this time.", valueName: "time"))
    var until: PastTime?

    @Option(help: "No more than so many entries, 1 to 1000000.") var limit = 100
    @Flag(help: "Print JSON, an object on each line.") var json = false
    @OptionGroup var options: StoreOptions

    private static let pageSize = 1000

    func validate() throws {
        guard (1...1_000_000).contains(limit) else { throw ValidationError("--limit must be 1 to 1000000") }
    }

    func execute() async throws {
        let settings = try await options.load()
        let store = try settings.existingStore()
        var query = AuditQuery(limit: 1)
        if let number {
            let number = try NumberArgument.read(number, region: region ?? settings.region)
            query.numberDigests = try settings.existingVault().digests(of: number.e164)
        }
        let now = SystemWallClock().now()
        query.verificationID = verification
        query.owner = owner.map(Owner.init(rawValue:))
        query.action = action
        query.since = since?.moment(now: now)
        query.until = until?.moment(now: now)
        var entries: [AuditEntry] = []
        var count = 0
        repeat {
            query.limit = min(Self.pageSize, limit - count)
            let page = try await store.entries(query)
            count += page.entries.count
            query.before = page.next
            if json {
                for entry in page.entries { print(try Listing.line(of: entry)) }
            } else {
                entries += page.entries
            }
        } while query.before != nil && count < limit
        if !json { print(entries.isEmpty ? "There is no such entry." : Listing(entries).table) }
        if query.before != nil {
            StandardError.write("phoneproof: there are more entries; ask for more by --limit, or for older by --until")
        }
    }
}
