import ArgumentParser
import PhoneCLI
import PhoneDomain

/// Blocks numbers.
struct GuardBlockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Always hold these numbers back.",
        discussion: "Of several rules that fit a number the one with the longest prefix counts."
    )

    @OptionGroup var rule: GuardRuleArguments

    func run() async throws {
        try await reporting {
            let kept = try await rule.set(.block)
            print("\(kept.prefix) is held back, \(kept.time).")
            return .done
        }
    }
}
