import ArgumentParser
import PhoneCLI
import PhoneDomain

/// Shows which limits are in use.
struct LimitsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show which limits are in use, and which numbers are closed.",
        discussion: "What has its whole quota is not shown. Numbers are masked."
    )

    @Option(help: "No more than so many of each, 1 to 100000.")
    var limit = 100

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit must be 1 to 100000") }
    }

    func run() async throws {
        try await reporting {
            let settings = try await options.load()
            let store = try settings.existingStore()
            let now = SystemWallClock().now()
            let policy = settings.policy
            let busy = try await store.busyNumbers(
                sends: policy.maxSendsPerNumberPerDay,
                failures: policy.maxConsecutiveFailures,
                // All of them: most may be long open again, and those that are not must be found behind them.
                limit: .max
            )
            let listing = LimitsListing(
                meters: try await store.metersInUse(at: now, limit: limit),
                sentToday: try await store.traffic(of: .service).lastDay(at: now).sent,
                closed: busy.lazy
                    .compactMap { number in
                        number.activity.closure(at: now, policy: policy).map { (number.masked, $0) }
                    }
                    .prefix(limit).map(\.self),
                limits: settings.abusePolicy.limits,
                now: now
            )
            print(json ? try listing.json() : listing.text)
            return .done
        }
    }
}

extension BusyNumber {
    /// The number, masked; one that no plan has any more is not shown at all.
    fileprivate var masked: String {
        (try? PhoneNumber(e164: e164))?.masked ?? "a number of no plan"
    }
}
