import ArgumentParser
import PhoneCLI
import PhoneDomain

/// What a rule of the operator's is made of.
struct GuardRuleArguments: ParsableArguments {
    @Argument(help: "The beginning of the numbers: + and 1 to 15 digits.")
    var prefix: String

    @Option(name: .customLong("for"), help: ArgumentHelp("For how long: 30m, 12h, 7d. Otherwise until it is changed."))
    var duration: RuleDuration?

    @OptionGroup var options: StoreOptions

    /// Keeps the rule in the database of the settings.
    ///
    /// - Throws: ``Failure`` if the prefix is none.
    func set(_ action: GuardRule.Action) async throws -> GuardRule {
        let now = SystemWallClock().now()
        let until = duration.map { now + $0.duration }
        guard let rule = GuardRule(prefix: prefix, action: action, until: until, createdAt: now) else {
            throw Failure(.usage, "a prefix is + and 1 to 15 digits, such as +8210123")
        }
        try await options.load().existingStore().set(rule)
        return rule
    }
}

extension GuardRule {
    /// Until when it holds, in words.
    var time: String { until.map { "until \($0)" } ?? "until that is changed" }
}
