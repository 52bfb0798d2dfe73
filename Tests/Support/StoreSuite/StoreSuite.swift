import PhoneTestSupport

/// What every store must do, whatever it is made of: run each rule against an empty store.
public enum StoreSuite {
    /// All rules.
    public static let rules =
        beginRules + checkRules + accountRules + sessionRules + refreshRules + recyclingRules + numberChangeRules
        + undoRules + noticeRules + deletionRules + accountErasureRules + personalDataRules + signupRules + outboxRules
        + claimedAtOnceRules + eventRules + failedMessageRules
        + receiptRules + purgeRules + clockRules + historyRules + auditRules + operatorRules + erasureRules + limitRules
        + guardRules
        + messageQueryRules + optionRules + inboundRules + copyingRules + apiKeyRules + idempotencyRules
        + signingKeyRules
        + dayRules + dockRules + openIDRules + manySessionsRules + boundRules + administrationRules
        + importRules + turnRules

    /// What depends on the transactions of several callers: races, claims and histories. With `scripts/test --full`
    /// these are all rules.
    public static let transactionRules =
        TestSize.isFull
        ? rules : rules.filter { rule in signsOfRace.contains { rule.description.contains($0) } } + historyRules

    /// What the description of each rule has in which several do something at once.
    private static let signsOfRace = [
        "at once", "concurrent", "two dispatchers", "race", "beside them", "repeated", "claim",
    ]
}
