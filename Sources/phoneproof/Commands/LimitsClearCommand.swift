import ArgumentParser
import PhoneCLI
import PhoneDomain

/// Gives a key or a number back what it has used up.
struct LimitsClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Give a key its whole quota back, or forget what a number has been through.",
        discussion: """
            A key is what `limits list` shows, in quotation marks: "address-sends-1h 203.0.113.7". A number gets its \
            messages of the day and its wrong codes forgotten. Exits with 1 if there is nothing to clear.
            """
    )

    @Argument(help: "A key of `limits list`, or a phone number.")
    var subject: String

    @Option(help: "The region whose plan a number without + is read by.")
    var region: Region?

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await reporting {
            let settings = try await options.load()
            let store = try settings.existingStore()
            if try await store.clear(LimitKey(rawValue: subject)) {
                print("\(subject) has its whole quota again.")
                return .done
            }
            guard let number = try? PhoneNumber(parsing: subject, region: region ?? settings.region) else {
                throw Failure(.failed, "nothing is counted under this key; `limits list` shows those that are in use")
            }
            guard try await store.clearActivity(of: number) else {
                throw Failure(.failed, "nothing is known of \(number.masked)")
            }
            print("\(number.masked) begins anew: no message and no wrong code of it counts any more.")
            return .done
        }
    }
}
