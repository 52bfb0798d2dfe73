import PhoneDomain

/// All that is held on the holder of an account.
extension Schema {
    static let personalData = object([
        Property("exported_at", moment("As of when.")),
        Property("account", named(.accountDetails)),
        Property("sessions", list(of: named(.session)).described("The devices that are signed in.")),
        Property("number_changes", list(of: numberChange).described("Oldest first.")),
        Property(
            "verifications",
            list(of: exportedVerification).described(
                "Those that were used for the account, and those of its number since it has it, oldest first."
            )
        ),
        Property("messages", list(of: message).described("Their messages, oldest first. Their text is not kept.")),
        Property("signups", list(of: exportedSignup).described("Guided signups with one of these verifications.")),
        Property("number_activity", activity.described("What the number has been through.")),
        Property("events", list(of: event).described("What is still to be told to the operator's own program.")),
        Property(
            "audit",
            list(of: auditEntry).described("What the audit trail has about the number since the account has it.")
        ),
    ])

    private static let numberChange = object([
        Property("id", identifier("chg")),
        Property("verification_id", identifier("ver")),
        Property("session_id", identifier("ses")),
        Property("old_phone_number", e164.orNull),
        Property("new_phone_number", e164),
        Property("locale", text()),
        Property("changed_at", moment("When it was made.")),
        Property("undoable_until", moment("Until when it can be undone.")),
        Property("closed_at", anyMoment.described("When that ended before, if it did.")),
    ])

    private static let exportedVerification = object([
        Property("id", identifier("ver")),
        Property("phone_number", e164),
        Property("asked_by", choice(of: Owner.Kind.self)),
        Property("channel", choice(of: Channel.self)),
        Property("locale", text()),
        Property("status", choice(of: VerificationStatus.self)),
        Property("created_at", moment("When it was begun.")),
        Property("expires_at", moment("Until when its code was good.")),
        Property("sent_at", moment("When its code was last sent.")),
        Property("accepted_at", anyMoment.described("When a gateway took it.")),
        Property("updated_at", moment("When it was last changed.")),
        Property("sends_left", count()),
        Property("checks_left", count()),
        Property("used_for", identifier("acc").orNull.described("The account that it was used for.")),
    ])

    private static let message = object([
        Property("id", identifier("msg")),
        Property("verification_id", identifier("ver")),
        Property(
            "number_change_id",
            identifier("chg").orNull.described("The change that it tells of, if it bears no code.")
        ),
        Property("status", choice(of: OutboxMessage.Status.self)),
        Property("created_at", moment("When it was asked for.")),
        Property("attempts", count()),
        Property("gateway", text().orNull),
        Property("gateway_message_id", text().orNull),
        Property("failure", text().orNull),
    ])

    private static let exportedSignup = object([
        Property("id", identifier("sgn")),
        Property("region", region),
        Property("locale", text()),
        Property("created_at", moment("When it was begun.")),
        Property("expires_at", moment("When it ends.")),
        Property("phone_text", text().described("What its phone field holds.")),
        Property("verification_id", identifier("ver").orNull),
        Property("decision", choice(of: DormantDecision.self).orNull),
    ])

    private static let activity = object([
        Property("messages_sent_at", list(of: text(format: "date-time"))),
        Property("wrong_codes", count()),
        Property("last_wrong_code_at", anyMoment),
    ])

    private static let event = object([
        Property("type", choice(of: Event.Kind.self)),
        Property("subject", text()),
        Property("occurred_at", moment("When it happened.")),
        Property("status", choice(of: Event.Status.self)),
        Property("attempts", count()),
        Property("failure", text().orNull),
    ])

    private static let auditEntry = object([
        Property("at", moment("When.")),
        Property("action", choice(of: AuditEntry.Action.self)),
        Property("asked_by", choice(of: Owner.Kind.self).orNull),
        Property(
            "address",
            text().orNull.described("From where the holder asked: an IPv4 address, or the /64 of an IPv6 address.")
        ),
        Property("verification_id", identifier("ver").orNull),
        Property("masked_number", text().orNull),
        Property("region", region.orNull),
    ])

    private static let anyMoment = text(format: "date-time").orNull
}
