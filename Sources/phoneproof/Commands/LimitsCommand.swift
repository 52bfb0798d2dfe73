import ArgumentParser
import PhoneCLI
import PhoneDomain

struct LimitsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits",
        abstract: "Show what limits have counted, and let somebody off.",
        discussion: "Works on the database of the settings; a service may run on it meanwhile.",
        subcommands: [LimitsListCommand.self, LimitsClearCommand.self]
    )
}

struct LimitsListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show which limits are in use, and which numbers are closed.",
        discussion: "What has its whole quota is not shown. Numbers are masked."
    )

    @Option(help: "No more than so many of each, 1 to 100000.") var limit = 100
    @OptionGroup var options: ReportOptions

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit must be 1 to 100000") }
    }

    func execute() async throws {
        let settings = try await options.load()
        let store = try settings.existingStore()
        let now = SystemWallClock().now()
        let policy = settings.policy
        let busy = try await store.activeNumbers(
            sends: policy.maxSendsPerNumberPerDay,
            failures: policy.maxConsecutiveFailures,
            // All of them: most may be open again, and the closed ones may be behind them.
            limit: .max
        )
        let closed = busy.lazy.compactMap { number in
            number.activity.closure(at: now, policy: policy).map { (e164: number.e164, closure: $0) }
        }
        let limits = settings.abusePolicy.limits
        let meters = Listing(
            try await store.metersInUse(at: now, limit: limit),
            hasNulls: false,
            columns: [
                .init("LIMIT AND KEY", "key") { $0.key.description },
                .init("LEFT", "remaining") { row in
                    // Nil if the limit was removed.
                    limits.limit(of: row.key).map { row.meter.remaining($0, now: now) }
                },
                .init("FULL AGAIN", "full_at") { Timestamp(milliseconds: $0.meter.fullAt / 1000) },
            ]
        )
        let closedNumbers = Listing(
            Array(closed.prefix(limit)),
            columns: [
                .init("CLOSED NUMBER", "phone_number") {
                    (try? PhoneNumber(e164: $0.e164))?.masked ?? "a number of no plan"
                },
                .init("BY", "policy") { $0.closure.policy.name },
                .init("UNTIL", "until") { $0.closure.until },
            ]
        )
        let sent = try await store.traffic(of: .service).lastDay(at: now).sent
        let budget = limits.dailyBudget
        if options.json {
            var members = ["sent_last_day": JSON(sent), "limits": meters.json, "closed_numbers": closedNumbers.json]
            members["daily_budget"] = budget.map(JSON.number)
            return print(try JSON.object(members).document())
        }
        var parts = ["Messages within the last day: \(sent) of \(budget.map(String.init) ?? "any number")"]
        if !meters.rows.isEmpty { parts.append(meters.table) }
        if !closed.isEmpty { parts.append(closedNumbers.table) }
        if parts.count == 1 { parts.append("No limit is in use, and no number is closed.") }
        print(parts.joined(separator: "\n\n"))
    }
}

struct LimitsClearCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Give a key its whole quota back, or forget what a number has been through.",
        discussion: """
            A key is what `limits list` shows, in quotation marks: "address-sends-1h 203.0.113.7". A number gets its \
            messages of the day and its wrong codes forgotten. Exits with 1 if there is nothing to clear.
            """
    )

    @Argument(help: "A key of `limits list`, or a phone number.") var subject: String
    @Option(help: "The region whose plan a number without + is read by.") var region: Region?
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let settings = try await options.load()
        let store = try settings.existingStore()
        if try await store.clear(LimitKey(rawValue: subject)) {
            print("\(subject) has its whole quota again.")
            return
        }
        guard let number = try? PhoneNumber(parsing: subject, region: region ?? settings.region) else {
            throw Failure.failed("nothing is counted under this key; `limits list` shows those that are in use")
        }
        guard try await store.clearActivity(of: number) else {
            throw Failure.failed("nothing is known of \(number.masked)")
        }
        print("\(number.masked) begins anew: no message and no wrong code of it counts any more.")
    }
}
