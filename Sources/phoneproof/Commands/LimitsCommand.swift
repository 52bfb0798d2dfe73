import ArgumentParser
import PhoneCLI
import PhoneDomain
import PhoneService
import PhoneSettings

struct LimitsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits",
        abstract: "Show and reset rate limits.",
        discussion: "Works on the configured database, also while the service is running.",
        subcommands: [LimitsListCommand.self, LimitsClearCommand.self]
    )
}

struct LimitsListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List rate limits, nearest to exhaustion first, and locked numbers.",
        discussion: """
            Limits that are less than half used are hidden unless --all is given; --json has all. Numbers are masked.
            """
    )

    @Flag(help: "Show limits that are less than half used too.") var all = false
    @Option(help: "Maximum number of rows of each table, 1 to 100000.") var limit = 100
    @OptionGroup var options: ReportOptions

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit must be from 1 to 100000") }
    }

    func execute() async throws {
        let settings = try await options.load()
        let store = try settings.existingStore()
        let now = SystemWallClock().now()
        let policy = settings.policy
        let active = try await store.activeNumbers(
            sends: policy.maxSendsPerNumberPerDay,
            failures: policy.maxConsecutiveFailures,
            // All of them: most may be open again, and the locked ones may be behind them.
            limit: .max
        )
        let listing = LimitsListing(
            // All of them: the store knows how long a limit takes to recover, and not how far it is used.
            try await store.metersInUse(at: now, limit: .max),
            lockedNumbers: active.compactMap { number in
                number.activity.closure(at: now, policy: policy).map { (e164: number.e164, closure: $0) }
            },
            sent: try await store.traffic(of: .service).lastDay(at: now).sent,
            limits: settings.abusePolicy.limits,
            now: now
        )
        print(options.json ? listing.json(limit: limit) : listing.text(all: all, limit: limit, .standardOutput))
    }
}

struct LimitsClearCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Reset a rate limit, or unlock a phone number.",
        discussion: """
            Name a limit as `limits list` does, such as: limits clear address-sends-1h 203.0.113.7. For a phone number, the \
            messages of the last 24 hours and the wrong codes are forgotten. Exits with 1 if there is nothing to clear.
            """
    )

    @Argument(help: "A limit, or a phone number.") var subject: [String]
    @Option(help: .region) var region: Region?
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let settings = try await options.load()
        let store = try settings.existingStore()
        let (subject, now) = (subject.joined(separator: " "), SystemWallClock().now())
        let key = LimitKey(rawValue: subject)
        let entry = try act.author.entry(.clearLimit, limit: key, digester: settings.existingVault, at: now)
        if try await store.clear(key, audit: entry) {
            print("Reset limit \(subject).")
            return
        }
        guard let number = try? PhoneNumber(parsing: subject, region: region ?? settings.region) else {
            throw Failure.failed("no such limit is in use; `limits list --all` shows those that are")
        }
        let opened = try act.author.entry(.clearNumber, number, digester: settings.existingVault(), at: now)
        guard try await store.clearActivity(of: number, audit: opened) else {
            throw Failure.failed("nothing to clear for \(number.masked)")
        }
        print("Reset the limits of \(number.masked).")
    }
}
