/// Writes the audit entries of one command: it knows who asks and from where, and makes the digests.
public struct Auditor: Sendable {
    private let digester: any NumberDigester
    private let owner: Owner
    private let address: ClientAddress?

    /// The auditor of what this owner asks for.
    public init(digester: any NumberDigester, owner: Owner, address: ClientAddress?) {
        self.digester = digester
        self.owner = owner
        self.address = address
    }

    /// The entry for what has just been done.
    ///
    /// - Throws: what ``NumberDigester/digest(of:)`` throws; what was done must not be kept then, since it would leave
    ///   no trace.
    func entry(
        _ action: AuditEntry.Action,
        _ number: PhoneNumber?,
        _ verificationID: Verification.ID?,
        verdict: GuardVerdict? = nil,
        at now: Timestamp
    ) throws -> AuditEntry {
        AuditEntry(
            at: now,
            action: action,
            owner: owner,
            address: address,
            verificationID: verificationID,
            maskedNumber: number?.masked,
            numberDigest: try number.map { try digester.digest(of: $0.e164) },
            prefixDigest: try number.map { try digester.digest(of: $0.prefix) },
            region: number?.region,
            verdict: verdict?.action,
            reasons: verdict?.reasons ?? []
        )
    }
}
