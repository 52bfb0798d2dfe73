/// What every store must do, whatever it is made of: run each rule against an empty store.
public enum StoreSuite {
    /// All rules.
    public static let rules =
        beginRules + checkRules + accountRules + sessionRules + refreshRules + recyclingRules + numberChangeRules
        + undoRules + noticeRules + deletionRules + accountErasureRules + personalDataRules + signupRules + outboxRules
        + claimedAtOnceRules + eventRules + setAsideRules
        + receiptRules + purgeRules + clockRules + historyRules + auditRules + erasureRules + limitRules + guardRules
        + tenantRules + attemptRules + termsRules + copyingRules + apiKeyRules + idempotencyRules + signingKeyRules
        + dayRules
}
