import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore

/// What an app said with its request for a code and not again with the code: whether the person may be new, and what is
/// stored of them if they are. Only where it said either.
struct PendingSignup: Record {
    let verificationID: Verification.ID
    /// It goes when the number is erased.
    let e164: String
    let createsUser: Bool
    /// A JSON object.
    let data: String
    let expiresAt: Timestamp

    var key: Verification.ID { verificationID }

    static let table = Table(
        "supabase_signup",
        [
            .column("verification_id", .id("ver")), .column("e164", .text), .column("creates_user", .boolean),
            .column("data", .text), .column("expires_at", .integer),
        ],
        indexes: [
            ("supabase_signup_e164", "(e164)"), ("supabase_signup_expires_at", "(expires_at, verification_id)"),
        ],
        expiry: "expires_at",
        erasedNumber: "e164"
    )

    func write(to row: inout some ColumnWriter) {
        row.append(verificationID, e164, createsUser, data)
        row.append(expiresAt)
    }
}

extension PendingSignup {
    init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        self.init(
            verificationID: try row.id(),
            e164: try row.text(),
            createsUser: try row.flag(),
            data: try row.text(),
            expiresAt: try row.moment()
        )
    }
}

extension SQLStore {
    /// Replaces what was said with the verification before, unless it is to be said once; nil for nothing.
    func set(_ signup: PendingSignup?, of id: Verification.ID, once: Bool) async throws {
        try await execute(.change) { records in
            try records.edit(PendingSignup.self, id) { if !once || $0 == nil { $0 = signup } }
        }
    }

    /// The verifications by which sessions would get this number now, the newest first. There are never more of them
    /// than messages to the number within the life of a code.
    func numberChanges(to number: PhoneNumber, at now: Timestamp) async throws -> [Verification] {
        let start = now - Verification.longestLife
        let days = DayIndex.days(start, now + Verification.clockTolerance)
        return try await all(
            Verification.self,
            "WHERE \(days)e164 = \(number.e164) AND created_at > \(start) ORDER BY created_at DESC, id DESC"
        )
        .filter { $0.owner.sessionID != nil && $0.isLive(at: now) }
    }
}
