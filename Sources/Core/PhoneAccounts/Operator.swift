public import PhoneDomain
public import PhoneNumbers
public import PhoneSignup

/// An operator who acts on the service, and why: makes the audit entries of what only operators do.
public struct Operator: Hashable, Sendable {
    public let owner: Owner
    public let reason: AuditReason?
    /// Where the request came from, if by HTTP.
    public let address: ClientAddress?

    public init(owner: Owner = .local, reason: AuditReason? = nil, from address: ClientAddress? = nil) {
        (self.owner, self.reason, self.address) = (owner, reason, address)
    }

    /// `subject` must not contain a number.
    public func entry(_ action: AuditEntry.Action, _ subject: String? = nil, at now: Timestamp) -> AuditEntry {
        AuditEntry(at: now, action: action, owner: owner, address: address, subject: subject, reason: reason)
    }

    /// The digester is asked for only where there is a number.
    public func entry(
        _ action: AuditEntry.Action,
        _ number: PhoneNumber?,
        _ subject: String? = nil,
        digester: @autoclosure () throws -> any NumberDigester,
        at now: Timestamp
    ) throws -> AuditEntry {
        AuditEntry(
            at: now,
            action: action,
            owner: owner,
            address: address,
            maskedNumber: number?.masked,
            numberDigest: try number.map { try digester().digest(of: $0.e164) },
            region: number?.region,
            subject: subject,
            reason: reason
        )
    }

    /// An entry about the numbers with a prefix (``GuardRule/prefix``), which may be a whole number. Only then the
    /// digester is asked for.
    public func entry(
        _ action: AuditEntry.Action,
        prefix: String,
        digester: () throws -> any NumberDigester,
        at now: Timestamp
    ) throws -> AuditEntry {
        if let number = try? PhoneNumber(e164: prefix) {
            return try entry(action, number, digester: digester(), at: now)
        }
        return entry(action, Self.shortened(prefix), at: now)
    }

    /// An entry about a limit, which may count by a number. Only then the digester is asked for.
    public func entry(
        _ action: AuditEntry.Action,
        limit key: LimitKey,
        digester: () throws -> any NumberDigester,
        at now: Timestamp
    ) throws -> AuditEntry {
        guard !key.isOfPrefix, let number = try? PhoneNumber(e164: String(key.subject)) else {
            return entry(action, key.description, at: now)
        }
        return try entry(action, number, key.policyName, digester: digester(), at: now)
    }

    /// The prefix, with asterisks for what fewer than ten thousand numbers share: with the rest of it in another entry,
    /// the prefix would reveal a number.
    private static func shortened(_ prefix: String) -> String {
        for missing in 1..<4 where (try? PhoneNumber(e164: prefix + String(repeating: "0", count: missing))) != nil {
            return prefix.dropLast(4 - missing) + String(repeating: "*", count: 4 - missing)
        }
        return prefix
    }
}
