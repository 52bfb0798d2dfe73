/// What every store must do, whatever it is made of: run each rule against an empty store.
public enum StoreSuite {
    /// All rules.
    public static let rules =
        beginRules + checkRules + accountRules + signupRules + outboxRules + purgeRules + limitRules + guardRules
        + historyRules
}
