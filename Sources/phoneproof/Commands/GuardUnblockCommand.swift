import ArgumentParser
import PhoneCLI
import PhoneDomain

/// Takes rules and blocks back.
struct GuardUnblockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "Take a rule back, and end the blocks on prefixes that begin like this.",
        discussion: "What led to a block is forgotten with it. Exits with 1 if there was neither."
    )

    @Argument(help: "The beginning of the numbers: + and 1 to 15 digits.")
    var prefix: String

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await reporting {
            let now = SystemWallClock().now()
            guard GuardRule(prefix: prefix, action: .allow, until: nil, createdAt: now) != nil else {
                throw Failure(.usage, "a prefix is + and 1 to 15 digits, such as +8210123")
            }
            let store = try await options.load().existingStore()
            let rule = try await store.removeGuardRule(prefix: prefix)
            let unblocked = try await store.unblock(beginning: prefix)
            if let rule { print("The rule to \(rule.action.rawValue) \(rule.prefix) is gone.") }
            for prefix in unblocked { print("\(prefix) is no longer blocked.") }
            guard rule != nil || !unblocked.isEmpty else {
                throw Failure(.failed, "there is no rule for \(prefix), and no block on what begins like this")
            }
            return .done
        }
    }
}
