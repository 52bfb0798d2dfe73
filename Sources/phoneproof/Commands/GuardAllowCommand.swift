import ArgumentParser
import PhoneCLI
import PhoneDomain

/// Puts numbers on the safe list.
struct GuardAllowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow",
        abstract: "Never hold these numbers back.",
        discussion:
            "Of several rules that fit a number the one with the longest prefix counts. Limits hold all the same."
    )

    @OptionGroup var rule: GuardRuleArguments

    func run() async throws {
        try await reporting {
            let kept = try await rule.set(.allow)
            print("\(kept.prefix) is never held back, \(kept.time).")
            return .done
        }
    }
}
