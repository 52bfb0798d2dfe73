import ArgumentParser
import OpenSSLCrypto
import PhoneCLI
import PhoneDomain

/// Says what the guard would do with a message, and why.
struct GuardExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say what the guard would do with a message to these numbers, and why.",
        discussion: """
            Takes a number, or a prefix of ten thousand: a number without its last four digits. Shows the last verdicts \
            on that prefix too; those that were written under a key which is no longer in the key file are not found.
            """
    )

    @Argument(help: "A phone number, or + and all digits of one but the last four.")
    var numbers: String

    @Option(help: "The region whose plan a number without + is read by.")
    var region: Region?

    @Option(help: "No more than so many verdicts, 0 to 1000.")
    var limit = 20

    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard (0...1000).contains(limit) else { throw ValidationError("--limit must be 0 to 1000") }
    }

    func run() async throws {
        try await reporting {
            let settings = try await options.load()
            let store = try settings.existingStore()
            let number = try number(settings)
            let now = SystemWallClock().now()
            let traffic = NumberTraffic(
                prefix: try await store.traffic(of: .prefix(number.prefix)),
                country: try await store.traffic(of: .country(number.region)),
                service: try await store.traffic(of: .service)
            )
            let explanation = GuardExplanation(
                number: number,
                traffic: traffic,
                rules: try await store.guardRules(),
                policy: settings.abusePolicy.trafficGuard,
                now: now
            )
            print(explanation.text)
            let digests = try settings.existingVault().digests(of: number.prefix)
            let verdicts = try await store.verdicts(prefix: digests, limit: limit)
            if !verdicts.isEmpty { print("\nThe last verdicts on this prefix:\n" + AuditTable(verdicts).text) }
            return .done
        }
    }

    /// The number, or one of the prefix.
    private func number(_ settings: Settings) throws -> PhoneNumber {
        let region = region ?? settings.region
        if let number = try? PhoneNumber(parsing: numbers, region: region) { return number }
        if numbers.hasPrefix("+"), let number = try? PhoneNumber(e164: numbers + "0000") { return number }
        throw Failure(.failed, "this is neither a phone number nor one without its last four digits")
    }
}
