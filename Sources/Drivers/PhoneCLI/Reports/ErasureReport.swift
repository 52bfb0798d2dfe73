import CoreEncodings
public import PhoneAdministration
public import PhoneDomain

public struct ErasureReport: Sendable {
    private let erasure: Erasure
    private let maskedNumber: String
    private let filesAreClean: Bool

    /// - Parameter filesAreClean: whether the number is gone from the store's files too.
    public init(_ erasure: Erasure, of number: PhoneNumber, filesAreClean: Bool) {
        self.erasure = erasure
        maskedNumber = number.masked
        self.filesAreClean = filesAreClean
    }

    private var counts: Listing<Erasure> {
        // Those of docks.
        let others = erasure.rows.keys.filter { $0 != "number_activity" && $0 != "guard_rule" }.sorted()
        return Listing(
            [],
            columns: [
                .init("Accounts", "accounts") { $0.accounts },
                .init("Sessions", "sessions") { $0.sessions },
                .init("Number changes", "number_changes") { $0.numberChanges },
                .init("Verifications", "verifications") { $0.verifications },
                .init("Messages", "messages") { $0.messages },
                .init("Signups", "signups") { $0.signups },
                .init("Activity", "number_activities") { $0.rows["number_activity", default: 0] },
                .init("Guard rules", "guard_rules") { $0.rows["guard_rule", default: 0] },
                .init("Limits", "limit_meters") { $0.limitMeters },
                .init("Stored responses", "answers") { $0.answers },
                .init("Other accounts' metadata", "account_metadata") { $0.metadata },
                .init("Audit entries unlinked", "audit_entries") { $0.auditEntries },
            ] + others.map { name in .init(name, name) { $0.rows[name, default: 0] } }
        )
    }

    /// What was erased, or one line if there was nothing.
    public var text: String {
        erasure.isEmpty ? "No data found for \(maskedNumber)." : counts.details(of: erasure)
    }

    /// One object of counts on one line, and whether the files are clean.
    public var json: String {
        JSON.object(counts.members(of: erasure) + [.init("files_are_clean", .bool(filesAreClean))]).text
    }
}
